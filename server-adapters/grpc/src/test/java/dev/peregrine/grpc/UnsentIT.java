package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that never looks at {@code isReady}, and clients that take nothing. */
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
@Timeout(60)
final class UnsentIT {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.grpc");
  private static final int OF_CALL = 9 << 19; // 4.5 MiB
  private static final int OF_ALL_CALLS = 5 << 20;
  private static final int FEW = (4 << 20) / FloodService.MESSAGE_BYTES;
  private static final int MANY = (128 << 20) / FloodService.MESSAGE_BYTES;

  @Parameter Setup setup;

  private final FloodService service = new FloodService();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler log = new Lines();
  private GrpcServices services;
  private HttpServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    LOGGER.addHandler(log);
    services =
        GrpcServices.builder()
            .executor(setup.executor())
            .maxUnsentBytes(OF_CALL, OF_ALL_CALLS)
            .web()
            .add(service)
            .build();
    server = setup.start(services);
    channel = setup.connect(server);
  }

  /** Everything that has waited is given back, in every case. */
  @AfterEach
  void hasNothingLeft() throws Exception {
    assertThat(response(10)).hasSize(10);
    channel.shutdownNow();
    assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    while (server.connectionCount() > 0) {
      Thread.onSpinWait();
    }
    awaitNothingUnsent();
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
    LOGGER.removeHandler(log);
  }

  private void awaitNothingUnsent() {
    while (services.unsent().sum() > 0) {
      Thread.onSpinWait();
    }
  }

  private String response(int length) {
    return ClientCalls.blockingUnaryCall(
        channel, TestService.ECHO, CallOptions.DEFAULT, "" + length);
  }

  /** A client that takes messages when the test says so. */
  private static final class Taker extends ClientCall.Listener<String> {
    final CompletableFuture<Status> status = new CompletableFuture<>();
    final AtomicInteger messages = new AtomicInteger();

    @Override
    public void onMessage(String message) {
      messages.incrementAndGet();
    }

    @Override
    public void onClose(Status last, Metadata trailers) {
      status.complete(last);
    }
  }

  private ClientCall<String, String> flood(int messages, Taker taker) {
    ClientCall<String, String> call = channel.newCall(FloodService.FLOOD, CallOptions.DEFAULT);
    call.start(taker, new Metadata());
    call.sendMessage("" + messages);
    call.halfClose();
    return call;
  }

  @Test
  void keepsMessagesBelowTheBound() throws Exception {
    Taker taker = new Taker();
    ClientCall<String, String> call = flood(FEW, taker);
    assertThat(service.events.take()).isEqualTo("sent all");
    assertThat(response(10)).hasSize(10);

    call.request(FEW + 1);

    assertThat(taker.status.get().isOk()).isTrue();
    assertThat(taker.messages.get()).isEqualTo(FEW);
    assertThat(lines).isEmpty();
  }

  @Test
  void endsACallAboveTheBoundAndDropsWhatHasWaited() throws Exception {
    Taker taker = new Taker();
    ClientCall<String, String> call = flood(MANY, taker);

    assertThat(service.events.take()).isEqualTo("cancelled");
    assertThat(response(10)).hasSize(10);
    awaitNothingUnsent(); // although the client has taken nothing
    call.request(MANY);

    assertThat(taker.status.get().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(lines).hasSize(1).first().asString().contains("maxUnsentBytes", "test.Texts/Flood");
  }

  @Test
  void endsACallIfAllCallsTogetherAreAboveTheirBound() throws Exception {
    Taker taker = new Taker();
    ClientCall<String, String> call = flood(FEW, taker);
    assertThat(service.events.take()).isEqualTo("sent all");

    assertThatThrownBy(() -> response(4_000_000))
        .hasMessageContaining("RESOURCE_EXHAUSTED: The client takes too few of the messages");

    assertThat(response(60_000)).hasSize(60_000);
    call.request(FEW + 1);
    assertThat(taker.status.get().isOk()).isTrue();
    awaitNothingUnsent();
    assertThat(response(4_000_000)).hasSize(4_000_000);
  }

  /** As with grpc-java's servers. */
  @Test
  void takesEverythingFromAClientThatReceivesNothingBefore() throws Exception {
    Taker taker = new Taker();
    ClientCall<String, String> call = channel.newCall(FloodService.CHAT, CallOptions.DEFAULT);
    call.start(taker, new Metadata());
    String text = "x".repeat(FloodService.MESSAGE_BYTES);
    for (int i = 0; i < FEW; i++) {
      call.sendMessage(text);
    }
    call.halfClose();
    assertThat(service.events.take()).isEqualTo("received all");

    call.request(FEW + 1);

    assertThat(taker.status.get().isOk()).isTrue();
    assertThat(taker.messages.get()).isEqualTo(FEW);
  }

  /** The connection ends, because HTTP/1.1 has no other way. */
  @Test
  void endsACallOfGrpcWebOverHttp1() throws Exception {
    if (setup.isSecure()) {
      return;
    }
    try (Socket client = new Socket()) {
      client.setReceiveBufferSize(10_000);
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      byte[] message = RawCall.prefixed("" + MANY);
      String head =
          """
          POST /test.Texts/Flood HTTP/1.1\r
          Host: localhost\r
          Content-Type: application/grpc-web\r
          Content-Length: %d\r
          \r
          """
              .formatted(message.length);
      client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      client.getOutputStream().write(message);

      assertThat(service.events.take()).isEqualTo("cancelled");
    }
    assertThat(lines).hasSize(1).first().asString().contains("maxUnsentBytes");
  }

  /** Collects warnings. */
  private final class Lines extends Handler {
    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
        lines.add(line.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
