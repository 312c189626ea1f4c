package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Services that violate the contract of a call, and clients that leave at any point. */
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test begins with start
final class ServiceFaultsIT {
  private static final int INBOUND_BYTES = 64 * 1024; // of the loop, not of a connection

  @Parameter Setup setup;

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private HttpServer server;
  private ManagedChannel channel;

  private void start(ServerCallHandler<String, String> handler) throws Exception {
    server =
        setup.start(
            GrpcServices.builder()
                .executor(setup.executor())
                .add(
                    ServerServiceDefinition.builder(TestService.NAME)
                        .addMethod(TestService.CHAT, handler)
                        .addMethod(TestService.JOIN, handler)
                        .addMethod(TestService.ECHO, echo())
                        .build())
                .build());
    channel = setup.connect(server);
  }

  private static ServerCallHandler<String, String> echo() {
    return io.grpc.stub.ServerCalls.asyncUnaryCall(
        (text, answers) -> {
          answers.onNext(text);
          answers.onCompleted();
        });
  }

  @AfterEach
  void close() throws Exception {
    assertThat(
            ClientCalls.blockingUnaryCall(
                channel, TestService.ECHO, CallOptions.DEFAULT, "neighbour"))
        .isEqualTo("neighbour");
    channel.shutdownNow();
    assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    Await.until("no connection is open", () -> server.connectionCount() == 0);
    Await.until("the loop is idle", () -> server.bufferBytesInUse() <= INBOUND_BYTES);
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  /** Calls a listener's code at the half close, and notes the end. */
  private ServerCallHandler<String, String> atHalfClose(Consumer<ServerCall<?, String>> code) {
    return (call, headers) -> {
      call.request(1);
      return new ServerCall.Listener<>() {
        @Override
        public void onHalfClose() {
          code.accept(call);
        }

        @Override
        public void onComplete() {
          events.add("complete");
        }

        @Override
        public void onCancel() {
          events.add("cancelled");
        }
      };
    };
  }

  private Status call() {
    return call(TestService.CHAT);
  }

  private Status call(MethodDescriptor<String, String> method) {
    try {
      var answers =
          ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, "hello");
      while (answers.hasNext()) {
        events.add(answers.next());
      }
      return Status.OK;
    } catch (StatusRuntimeException failed) {
      return failed.getStatus();
    }
  }

  @Test
  void endsOnceIfTheServiceClosesTwice() throws Exception {
    start(
        atHalfClose(
            call -> {
              call.close(Status.ABORTED.withDescription("first"), new Metadata());
              call.close(Status.OK, new Metadata());
            }));
    assertThat(call().getDescription()).isEqualTo("first");
    assertThat(events.take()).isEqualTo("complete");
  }

  @Test
  void dropsWhatTheServiceSendsAfterItsClose() throws Exception {
    start(
        atHalfClose(
            call -> {
              call.sendHeaders(new Metadata());
              call.sendMessage("one");
              call.close(Status.OK, new Metadata());
              call.sendMessage("two");
            }));
    assertThat(call().getCode()).isEqualTo(Status.Code.OK);
    assertThat(List.of(events.take(), events.take())).containsExactlyInAnyOrder("one", "complete");
  }

  @Test
  void answersUnknownIfTheServiceSendsWithoutAHead() throws Exception {
    start(atHalfClose(call -> call.sendMessage("one")));
    assertThat(call().getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(events.take()).isEqualTo("complete");
  }

  /** The service continues undisturbed, as with grpc-java. */
  @Test
  void cancelsACallWhoseMessageCannotBeWritten() throws Exception {
    start(
        atHalfClose(
            call -> {
              call.sendHeaders(new Metadata());
              call.sendMessage(null);
              call.sendMessage("two");
              call.close(Status.OK, new Metadata());
              events.add("continues");
            }));
    assertThat(call().getCode()).isEqualTo(Status.Code.INTERNAL);
    assertThat(List.of(events.take(), events.take())).containsExactly("continues", "cancelled");
  }

  @Test
  void cancelsACallWithASecondResponseToOne() throws Exception {
    start(
        atHalfClose(
            call -> {
              call.sendHeaders(new Metadata());
              call.sendMessage("one");
              call.sendMessage("two");
              call.close(Status.OK, new Metadata());
            }));
    assertThat(call(TestService.JOIN).getDescription()).isEqualTo("Too many responses");
    events.remove("one"); // which the client may have got
    assertThat(events.take()).isEqualTo("cancelled");
  }

  @Test
  void cancelsACallThatCompletesWithoutItsResponse() throws Exception {
    start(atHalfClose(call -> call.close(Status.OK, new Metadata())));
    assertThat(call(TestService.JOIN).getDescription()).isEqualTo("Completed without a response");
    assertThat(events.take()).isEqualTo("cancelled");
  }

  @Test
  void answersWithTheStatusThatTheBeginThrows() throws Exception {
    start(
        (call, headers) -> {
          throw Status.PERMISSION_DENIED.withDescription("by the test").asRuntimeException();
        });
    assertThat(call().getDescription()).isEqualTo("by the test");
  }

  @Test
  void cancelsTheCallOfAServiceThatNeverCloses() throws Exception {
    start(atHalfClose(call -> events.add("half closed")));
    ClientCall<String, String> call = begin();
    call.sendMessage("hello");
    call.halfClose();
    assertThat(events.take()).isEqualTo("half closed");
    call.cancel("by the test", null);
    assertThat(events.take()).isEqualTo("cancelled");
  }

  @Test
  void tellsTheContextWhyItIsCancelled() throws Exception {
    start(
        (call, headers) -> {
          Context.current()
              .addListener(
                  context -> events.add(String.valueOf(context.cancellationCause())),
                  Runnable::run);
          call.request(1);
          events.add("begun");
          return new ServerCall.Listener<>() {};
        });
    ClientCall<String, String> call = begin();
    assertThat(events.take()).isEqualTo("begun");
    call.cancel("by the test", null);
    assertThat(events.take()).endsWith("StatusRuntimeException: CANCELLED: RPC cancelled");
  }

  @Test
  void cancelsACallWhoseListenerRequestsNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    start(
        (call, headers) -> {
          begun.countDown();
          return new ServerCall.Listener<>() {
            @Override
            public void onCancel() {
              events.add("cancelled");
            }
          };
        });
    ClientCall<String, String> call = begin();
    for (int i = 0; i < 100; i++) {
      call.sendMessage("x".repeat(10_000));
    }
    begun.await();
    call.cancel("by the test", null);
    assertThat(events.take()).isEqualTo("cancelled");
  }

  @Test
  void cancelsACallWhoseClientTakesNothing() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    start(
        (call, headers) -> {
          call.sendHeaders(new Metadata());
          return new ServerCall.Listener<>() {
            @Override
            public void onReady() {
              while (call.isReady()) {
                call.sendMessage("x".repeat(10_000));
              }
              sent.countDown();
            }

            @Override
            public void onCancel() {
              events.add("cancelled");
            }
          };
        });
    ClientCall<String, String> call = begin();
    sent.await();
    call.cancel("by the test", null);
    assertThat(events.take()).isEqualTo("cancelled");
  }

  @Test
  void servesANeighbourWhileAListenerBlocks() throws Exception {
    CountDownLatch blocks = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        atHalfClose(
            call -> {
              blocks.countDown();
              try {
                go.await();
              } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
              }
              call.close(Status.OK, new Metadata());
            }));
    Assumptions.assumeFalse(setup.isOnLoop(), "listeners must not block there");
    ClientCall<String, String> call = begin();
    call.halfClose();
    blocks.await();
    for (int i = 0; i < 10; i++) {
      assertThat(
              ClientCalls.blockingUnaryCall(
                  channel, TestService.ECHO, CallOptions.DEFAULT, "neighbour"))
          .isEqualTo("neighbour");
    }
    go.countDown();
    assertThat(List.of(events.take(), events.take()))
        .containsExactlyInAnyOrder("complete", "client: OK");
  }

  private ClientCall<String, String> begin() {
    ClientCall<String, String> call = TestService.call(channel, TestService.CHAT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            if (status.isOk()) {
              events.add("client: " + status.getCode());
            }
          }
        },
        new Metadata());
    return call;
  }
}
