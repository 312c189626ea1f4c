package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.context.CallContext;
import dev.peregrine.http.context.InContext;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.metrics.ServerMetrics;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import io.grpc.CallOptions;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Status and context of calls, as the observers of a server see them. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Setup.class,
    names = {"NIO_LOOP", "EPOLL_CARRIED_TLS", "EPOLL_THREADS"})
@Timeout(60)
final class ObservedCallsIT {
  private static final ScopedValue<String> TRACE = ScopedValue.newInstance();

  @Parameter Setup setup;

  private final TestService service = new TestService();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> traced = new LinkedBlockingQueue<>();
  private final ServerMetrics metrics = new ServerMetrics();
  private HttpServer server;
  private ManagedChannel channel;

  @BeforeEach
  void connect() {
    GrpcServices services =
        GrpcServices.builder()
            .executor(setup.executor())
            .intercept(new Tracing())
            .add(service)
            .build();
    CallContext context = call -> ScopedValue.where(TRACE, "trace").call(call::callable);
    Handler handler = (request, response) -> InContext.handle(context, services, request, response);
    server =
        Peregrine.builder()
            .loops(1)
            .daemon(true)
            .port(0)
            .exchangeListener(new Ends())
            .serverListener(metrics)
            .handler(handler)
            .start();
    channel = NettyChannelBuilder.forAddress("localhost", server.port()).usePlaintext().build();
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    server.close();
  }

  /** Notes the code of each call. */
  private final class Ends implements ExchangeListener {
    @Override
    public void onEnd(ExchangeInfo exchange) {
      ends.add(exchange.attribute(RpcStatus.CODE) + " " + exchange.attribute(GrpcServices.STATUS));
    }
  }

  /** Notes which callbacks run in the context. */
  private final class Tracing implements ServerInterceptor {
    private void note(String callback) {
      traced.add(callback + " " + TRACE.orElse("none"));
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      note("start");
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onMessage(Q message) {
          note("message");
          super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
          note("end");
          super.onHalfClose();
        }

        @Override
        public void onComplete() {
          note("complete");
          super.onComplete();
        }

        @Override
        public void onCancel() {
          note("cancel");
          super.onCancel();
        }
      };
    }
  }

  private String echo(String text) {
    return ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, text);
  }

  private List<String> codes() {
    return metrics.snapshot().histograms().stream()
        .map(series -> series.attributes().getOrDefault("rpc.grpc.status_code", "none"))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void showsTheStatusOfCalls() throws Exception {
    assertThat(echo("hello")).isEqualTo("hello");
    assertThat(ends.take()).startsWith("0 ");
    assertThatThrownBy(() -> echo("fail")).isNotNull();
    assertThat(ends.take()).startsWith("9 ");
    assertThatThrownBy(() -> echo("throw")).isNotNull();
    assertThat(ends.take()).startsWith("2 ");
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    TestService.method("None", TestService.ECHO.getType()),
                    CallOptions.DEFAULT,
                    ""))
        .isNotNull();
    assertThat(ends.take()).startsWith("12 ");
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    out.onNext("begun");
    assertThat(answers.take()).isEqualTo("begun");
    out.onError(new RuntimeException("the client cancels"));
    assertThat(ends.take()).startsWith("1 ").contains("RPC cancelled");
    while (codes().size() < 5) {
      Thread.onSpinWait();
    }
    assertThat(codes()).containsExactly("0", "1", "12", "2", "9");
  }

  @Test
  void callsListenersInTheContextOfTheHandler() throws Exception {
    assertThat(echo("hello")).isEqualTo("hello");

    for (String callback : List.of("start", "message", "end", "complete")) {
      assertThat(traced.take()).isEqualTo(callback + " trace");
    }
  }

  @Test
  void cancelsListenersInTheContextOfTheHandler() throws Exception {
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    out.onNext("begun");
    assertThat(answers.take()).isEqualTo("begun");
    out.onError(new RuntimeException("the client cancels"));

    for (String callback : List.of("start", "message", "cancel")) {
      assertThat(traced.take()).isEqualTo(callback + " trace");
    }
  }
}
