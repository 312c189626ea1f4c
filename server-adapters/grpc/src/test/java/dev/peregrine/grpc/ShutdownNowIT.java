package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.TransportKind;
import dev.peregrine.server.epoll.Epoll;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of each kind under way when a server ends at once. */
@Timeout(60)
final class ShutdownNowIT {
  private static final List<MethodDescriptor<String, String>> METHODS =
      List.of(TestService.ECHO, TestService.COUNT, TestService.JOIN, TestService.CHAT);
  private static final int CALLS = 2 * METHODS.size();

  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> server = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> client = new LinkedBlockingQueue<>();

  /** Sends the head of the response if it is asked to, and nothing else. */
  private ServerCall.Listener<String> answer(ServerCall<String, String> call) {
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(String text) {
        if (text.equals("head")) {
          call.sendHeaders(new Metadata());
        }
        begun.add(text);
      }

      @Override
      public void onComplete() {
        server.add("complete");
      }

      @Override
      public void onCancel() {
        server.add("cancelled");
      }
    };
  }

  private Server start(TransportKind transport) throws Exception {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(TestService.NAME);
    ServerCallHandler<String, String> handler = (call, headers) -> answer(call);
    METHODS.forEach(method -> service.addMethod(method, handler));
    return PeregrineServerBuilder.forPort(0)
        .configure(http -> http.with(Epoll.create()).transport(transport).loops(1).daemon(true))
        .addService(service.build())
        .build()
        .start();
  }

  private void call(ManagedChannel channel, MethodDescriptor<String, String> method, String text) {
    ClientCall<String, String> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            client.add(status.getCode().name());
          }
        },
        new Metadata());
    call.request(2);
    call.sendMessage(text);
    if (method.getType().clientSendsOneMessage()) {
      call.halfClose();
    }
  }

  private static List<String> take(BlockingQueue<String> events) throws InterruptedException {
    List<String> taken = new ArrayList<>();
    while (taken.size() < CALLS) {
      taken.add(events.take());
    }
    return taken;
  }

  @ParameterizedTest
  @EnumSource(
      value = TransportKind.class,
      names = {"NIO", "EPOLL"})
  void endsEachKindOfCallBeforeAndAfterItsHead(TransportKind transport) throws Exception {
    Server running = start(transport);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", running.getPort()).usePlaintext().build();
    for (MethodDescriptor<String, String> method : METHODS) {
      call(channel, method, "no head");
      call(channel, method, "head");
    }
    assertThat(take(begun)).hasSize(CALLS);

    running.shutdownNow().awaitTermination();

    assertThat(take(client)).containsOnly("UNAVAILABLE");
    assertThat(take(server)).containsOnly("cancelled");
    channel.shutdownNow();
  }
}
