package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.ServerLimits;
import io.grpc.Attributes;
import io.grpc.BinaryLog;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MetricInstrument;
import io.grpc.MetricSink;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with the life of io.grpc's. */
@Timeout(60)
final class PeregrineServerIT {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.grpc");

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
  void startsAndEnds() throws Exception {
    Server server = builder().addService(service).build();
    assertThatThrownBy(server::getPort).hasMessage("Not started");
    server.start();
    assertThatThrownBy(server::start).hasMessage("Already started");
    assertThat(server.getListenSockets()).hasSize(1);
    assertThat(server.getServices()).hasSize(1);
    ManagedChannel channel = connect(server);
    assertThat(echo(channel, "hello")).isEqualTo("hello");
    assertThat(server.isShutdown()).isFalse();

    server.shutdown().awaitTermination();

    assertThat(server.isShutdown()).isTrue();
    assertThat(server.isTerminated()).isTrue();
    channel.shutdownNow();
  }

  @Test
  void endsWithoutAStart() throws Exception {
    Server server = builder().build();
    assertThat(server.shutdown().awaitTermination(1, TimeUnit.NANOSECONDS)).isTrue();
    assertThatThrownBy(server::start).hasMessage("Shutting down");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void letsCallsEndBeforeItTerminates(boolean direct) throws Exception {
    PeregrineServerBuilder builder = builder().addService(service);
    Server server = (direct ? builder.directExecutor() : builder).build().start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    out.onNext("before");
    assertThat(answers.take()).isEqualTo("before");

    server.shutdown();
    out.onNext("after");
    assertThat(answers.take()).isEqualTo("after");
    assertThat(server.isTerminated()).isFalse();
    out.onCompleted();

    assertThat(answers.take()).isEqualTo("OK");
    server.awaitTermination();
    channel.shutdownNow();
  }

  @Test
  void cancelsCallsIfItEndsNow() throws Exception {
    Server server = builder().addService(service).build().start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    out.onNext("before");
    assertThat(answers.take()).isEqualTo("before");

    server.shutdownNow().awaitTermination();

    assertThat(service.events.take()).isEqualTo("cancelled");
    assertThat(answers.take()).isEqualTo("UNAVAILABLE");
    channel.shutdownNow();
  }

  /** A call whose deadline is over is the clock. */
  @Test
  void waitsForAQuietClientOnAServerWithTightLimits() throws Exception {
    Duration shorter = Duration.ofMillis(150);
    ServerLimits limits =
        ServerLimits.builder()
            .bodyBytesMax(10)
            .requestBytesPerSecondMin(1_000_000_000)
            .requestRateGrace(shorter)
            .responseBeginTime(shorter)
            .build();
    Server server = builder().limits(limits).addService(service).build().start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> out = Chats.open(channel, answers);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () ->
                  ClientCalls.blockingUnaryCall(
                      channel,
                      TestService.ECHO,
                      CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.SECONDS),
                      "silence"))
          .hasMessageContaining("DEADLINE_EXCEEDED");
      out.onNext("more than ten bytes");
      assertThat(answers.take()).isEqualTo("more than ten bytes");
    }
    out.onCompleted();
    assertThat(answers.take()).isEqualTo("OK");
    channel.shutdownNow();
    server.shutdownNow();
  }

  /** Its client requests no message, so that its window closes. */
  @Test
  void waitsForAClientThatTakesNothingOnAServerWithTightLimits() throws Exception {
    ServerLimits limits =
        ServerLimits.builder()
            .responseBytesPerSecondMin(1_000_000_000)
            .responseRateGrace(Duration.ofMillis(150))
            .build();
    Server server = builder().limits(limits).addService(service).build().start();
    ManagedChannel channel = connect(server);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    ClientCall<String, String> call = TestService.call(channel, TestService.COUNT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String text) {
            answers.add("message");
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            answers.add(status.getCode().name());
          }
        },
        new Metadata());
    call.sendMessage("3000");
    call.halfClose();

    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    TestService.ECHO,
                    CallOptions.DEFAULT.withDeadlineAfter(3, TimeUnit.SECONDS),
                    "silence"))
        .hasMessageContaining("DEADLINE_EXCEEDED");
    assertThat(service.sent.get()).isLessThan(3000);

    call.request(3001);
    for (int i = 0; i < 3000; i++) {
      assertThat(answers.take()).isEqualTo("message");
    }
    assertThat(answers.take()).isEqualTo("OK");
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void callsTransportFiltersAndTracers() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Attributes.Key<String> key = Attributes.Key.create("added");
    Server server =
        builder()
            .addService(service)
            .intercept(
                new io.grpc.ServerInterceptor() {
                  @Override
                  public <Q, R> ServerCall.Listener<Q> interceptCall(
                      ServerCall<Q, R> call,
                      Metadata headers,
                      io.grpc.ServerCallHandler<Q, R> next) {
                    events.add("call " + call.getAttributes().get(key));
                    return next.startCall(call, headers);
                  }
                })
            .addTransportFilter(
                new ServerTransportFilter() {
                  @Override
                  public Attributes transportReady(Attributes attributes) {
                    events.add("ready");
                    return attributes.toBuilder().set(key, "by the filter").build();
                  }

                  @Override
                  public void transportTerminated(Attributes attributes) {
                    events.add("terminated " + attributes.get(key));
                  }
                })
            .addStreamTracerFactory(
                new ServerStreamTracer.Factory() {
                  @Override
                  public ServerStreamTracer newServerStreamTracer(String name, Metadata headers) {
                    return new ServerStreamTracer() {
                      @Override
                      public void streamClosed(Status status) {
                        events.add(name + " " + status.getCode());
                      }
                    };
                  }
                })
            .build()
            .start();
    ManagedChannel channel = connect(server);
    echo(channel, "hello");
    channel.shutdown();

    assertThat(events.take()).isEqualTo("ready");
    assertThat(events.take()).isEqualTo("call by the filter");
    assertThat(events.take()).isEqualTo("test.Texts/Echo OK");
    assertThat(events.take()).isEqualTo("terminated by the filter");
    server.shutdownNow();
  }

  /** Notes the calls of methods. */
  private static final class Calls extends BinaryLog {
    final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public <Q, R> ServerMethodDefinition<?, ?> wrapMethodDefinition(
        ServerMethodDefinition<Q, R> method) {
      ServerCallHandler<Q, R> inside = method.getServerCallHandler();
      return method.withServerCallHandler(
          (call, headers) -> {
            events.add("logged " + call.getMethodDescriptor().getFullMethodName());
            return inside.startCall(call, headers);
          });
    }

    @Override
    public Channel wrapChannel(Channel channel) {
      return channel;
    }

    @Override
    public void close() {
      events.add("closed");
    }
  }

  @Test
  void logsCallsAroundAllInterceptors() throws Exception {
    Calls log = new Calls();
    ServerInterceptor interceptor =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            log.events.add("intercepted");
            return next.startCall(call, headers);
          }
        };
    Server server =
        builder().setBinaryLog(log).intercept(interceptor).addService(service).build().start();
    ManagedChannel channel = connect(server);

    assertThat(echo(channel, "hello")).isEqualTo("hello");
    channel.shutdownNow();
    server.shutdownNow().awaitTermination();

    assertThat(log.events).containsExactly("logged test.Texts/Echo", "intercepted");
  }

  /** As a builder of grpc-java does. */
  @Test
  void servesTheLastOfTheServicesWithOneName() throws Exception {
    Server server =
        builder().addService(service).addService(new RecordingService()).build().start();
    ManagedChannel channel = connect(server);

    assertThat(echo(channel, "hello")).isEqualTo("1");
    assertThat(server.getServices()).hasSize(1);
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void namesTheAddressThatIsTaken() throws Exception {
    Server first = builder().build().start();
    Server second =
        PeregrineServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), first.getPort()))
            .build();

    assertThatThrownBy(second::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1, port " + first.getPort())
        .hasCauseInstanceOf(BindException.class);
    first.shutdownNow();
  }

  @Test
  void warnsThatASinkOfMetricsHasNoEffect() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    LOGGER.addHandler(handler);
    Server server = builder().addMetricSink(new NoMetrics()).addService(service).build().start();
    LOGGER.removeHandler(handler);

    assertThat(lines).hasSize(1).first().asString().startsWith("addMetricSink has no effect");
    server.shutdownNow();
  }

  /** Records nothing. */
  private static final class NoMetrics implements MetricSink {
    @Override
    public Map<String, Boolean> getEnabledMetrics() {
      return Map.of();
    }

    @Override
    public Set<String> getOptionalLabels() {
      return Set.of();
    }

    @Override
    public int getMeasuresSize() {
      return 0;
    }

    @Override
    public void updateMeasures(List<MetricInstrument> instruments) {}
  }
}
