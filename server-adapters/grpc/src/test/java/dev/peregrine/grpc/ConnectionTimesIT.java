package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PINGs and ages of connections, with a client that has its own opinion of them. */
@Timeout(60)
final class ConnectionTimesIT {
  private final TestService service = new TestService();

  private static PeregrineServerBuilder builder() {
    return PeregrineServerBuilder.forPort(0).configure(options -> options.loops(1).daemon(true));
  }

  private static ManagedChannel connect(Server server) {
    return NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
  }

  private static String echo(ManagedChannel channel, String text) {
    return ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, text);
  }

  @Test
  void callsMoveToAnotherConnectionAtAnAge() throws Exception {
    Clients clients = new Clients();
    Server server =
        builder()
            .maxConnectionAge(1, TimeUnit.SECONDS)
            .addService(service)
            .intercept(clients)
            .build()
            .start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    out.onNext("before");
    assertThat(answers.take()).isEqualTo("before");
    String first = clients.addresses.take();

    String next = first;
    while (next.equals(first)) {
      echo(channel, "hello");
      next = clients.addresses.take();
    }

    out.onNext("after");
    assertThat(answers.take()).isEqualTo("after");
    out.onCompleted();
    assertThat(answers.take()).isEqualTo("OK");
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void cutsCallsOffAfterTheGrace() throws Exception {
    Server server =
        builder()
            .maxConnectionAge(1, TimeUnit.SECONDS)
            .maxConnectionAgeGrace(0, TimeUnit.SECONDS)
            .addService(service)
            .build()
            .start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    String first;
    do { // a slow machine may reach the age of a connection before its first answer
      Chats.open(channel, answers).onNext("before");
      first = answers.take();
    } while (!first.equals("before"));

    assertThat(answers.take()).isEqualTo("UNAVAILABLE");
    assertThat(service.events.take()).isEqualTo("cancelled");
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void keepsTheConnectionOfAClientThatAnswersPings() throws Exception {
    int seconds = 1;
    while (!isKept(seconds)) { // a slow machine may be late to answer a PING
      seconds *= 3;
      assertThat(seconds).isLessThan(10);
    }
  }

  /** The deadline of a call is the clock: it is longer than both times together. */
  private boolean isKept(int timeoutSeconds) throws Exception {
    Server server =
        builder()
            .keepAliveTime(1, TimeUnit.SECONDS)
            .keepAliveTimeout(timeoutSeconds, TimeUnit.SECONDS)
            .addService(service)
            .build()
            .start();
    ManagedChannel channel = connect(server);
    CallOptions limited =
        CallOptions.DEFAULT.withDeadlineAfter(3 + 2 * timeoutSeconds, TimeUnit.SECONDS);
    StatusRuntimeException failed =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> ClientCalls.blockingUnaryCall(channel, TestService.ECHO, limited, "silence"));
    channel.shutdownNow();
    server.shutdownNow();
    Status.Code code = failed.getStatus().getCode();
    assertThat(code).isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE);
    return code == Status.Code.DEADLINE_EXCEEDED;
  }

  @Test
  void takesTimesWithoutAnEnd() throws Exception {
    Server server =
        builder()
            .keepAliveTime(Long.MAX_VALUE, TimeUnit.NANOSECONDS)
            .keepAliveTimeout(Long.MAX_VALUE, TimeUnit.DAYS)
            .maxConnectionAge(Long.MAX_VALUE, TimeUnit.DAYS)
            .maxConnectionAgeGrace(Long.MAX_VALUE, TimeUnit.DAYS)
            .maxConnectionIdle(Long.MAX_VALUE, TimeUnit.DAYS)
            .handshakeTimeout(Long.MAX_VALUE, TimeUnit.DAYS)
            .permitKeepAliveTime(Long.MAX_VALUE, TimeUnit.DAYS)
            .permitKeepAliveWithoutCalls(true)
            .addService(service)
            .build()
            .start();
    ManagedChannel channel = connect(server);

    assertThat(echo(channel, "hello")).isEqualTo("hello");
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void rejectsTimesThatAreNone() {
    assertThatThrownBy(() -> builder().keepAliveTime(0, TimeUnit.SECONDS))
        .hasMessage("keepAliveTime is 0, but must be positive");
    assertThatThrownBy(() -> builder().maxConnectionAge(-1, TimeUnit.SECONDS))
        .hasMessage("maxConnectionAge is -1, but must be positive");
    assertThatThrownBy(() -> builder().permitKeepAliveTime(-1, TimeUnit.SECONDS))
        .hasMessage("permitKeepAliveTime is -1, but must not be negative");
  }

  /** Notes the address of the client of each call. */
  private static final class Clients implements ServerInterceptor {
    final BlockingQueue<String> addresses = new LinkedBlockingQueue<>();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      addresses.add("" + call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
      return next.startCall(call, headers);
    }
  }
}
