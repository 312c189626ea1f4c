package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that leave at every point, or send what no library sends; nothing of them is left. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Setup.class,
    names = {"NIO_LOOP", "NIO_CARRIED", "EPOLL_THREADS"})
@Timeout(60)
final class BadClientsIT {
  private static final int INBOUND_BYTES = 64 * 1024; // of the loop, not of a connection
  private static final byte[] CANCEL = {0, 0, 0, 8};
  private static final int STREAMS = 100;
  private static final int MESSAGES_MIN = 64; // of 1 KiB: the high-water mark of each stream
  private static final String COUNT = "/test.Texts/Count";
  private static final byte[] PING =
      new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0, 'p', 'i', 'n', 'g', 'p', 'o', 'n', 'g'};
  private static final String CHAT = "/test.Texts/Chat";

  @Parameter Setup setup;

  private final TestService service = new TestService();
  private final Counting counting = new Counting();
  private HttpServer server;

  @BeforeEach
  void start() {
    server =
        setup.start(
            GrpcServices.builder()
                .executor(setup.executor())
                .intercept(counting)
                .add(service)
                .build());
  }

  @AfterEach
  void hasNothingLeft() throws Exception {
    ManagedChannel neighbour = setup.connect(server);
    assertThat(
            ClientCalls.blockingUnaryCall(
                neighbour, TestService.ECHO, CallOptions.DEFAULT, "neighbour"))
        .isEqualTo("neighbour");
    neighbour.shutdownNow();
    Await.until(
        () -> "all have ended: " + server.connectionCount() + " connections, " + counting.open,
        () -> server.connectionCount() == 0 && counting.open.get() == 0);
    Await.until("the loop is idle", () -> server.bufferBytesInUse() <= INBOUND_BYTES);
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  /** Counts calls that have begun and haven't ended. */
  private static final class Counting implements ServerInterceptor {
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger begun = new AtomicInteger();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      begun.incrementAndGet();
      open.incrementAndGet();
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onComplete() {
          super.onComplete();
          open.decrementAndGet();
        }

        @Override
        public void onCancel() {
          super.onCancel();
          open.decrementAndGet();
        }
      };
    }
  }

  private Socket connect() throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  private void sendAndLeave(byte[] bytes) throws Exception {
    try (Socket client = connect()) {
      client.getOutputStream().write(bytes);
    }
  }

  @Test
  void endsTheCallOfAClientThatLeavesAtAnyByte() throws Exception {
    byte[] bytes = RawCall.of(CHAT).message(0, "one").message(RawCall.END_STREAM, "two").bytes();
    for (int length = 0; length <= bytes.length; length++) {
      sendAndLeave(Arrays.copyOf(bytes, length));
    }
  }

  @Test
  void endsTheCallOfAClientThatCancelsAfterAnyByteOfItsMessages() throws Exception {
    byte[] messages = new byte[0];
    for (String text : new String[] {"one", "two", "three"}) {
      byte[] next = RawCall.prefixed(text);
      messages = Arrays.copyOf(messages, messages.length + next.length);
      System.arraycopy(next, 0, messages, messages.length - next.length, next.length);
    }
    for (int length = 0; length <= messages.length; length++) {
      RawCall call = RawCall.of(CHAT).frame(RawCall.DATA, 0, 1, Arrays.copyOf(messages, length));
      sendAndLeave(call.frame(RawCall.RST_STREAM, 0, 1, CANCEL).bytes());
    }
  }

  @Test
  void endsHalfAMessageAtTheDeadline() throws Exception {
    byte[] half = Arrays.copyOf(RawCall.prefixed("a message"), 8);
    for (int millis = 100; counting.begun.get() == 0; millis *= 2) { // until one begins in time
      try (Socket client = connect()) {
        RawCall call = RawCall.of(CHAT, "grpc-timeout", millis + "m");
        client.getOutputStream().write(call.frame(RawCall.DATA, 0, 1, half).bytes());

        awaitText(client.getInputStream(), "grpc-status\u00014");
      }
    }
  }

  /** Reads until a text has arrived, which is sent as a literal. */
  private static void awaitText(InputStream in, String text) throws Exception {
    StringBuilder seen = new StringBuilder();
    byte[] piece = new byte[1024];
    while (seen.indexOf(text) < 0) {
      int count = in.read(piece);
      assertThat(count).as(seen.toString()).isPositive();
      seen.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void keepsLittleForAClientThatOpensStreamsAndTakesNothing() throws Exception {
    byte[] number = RawCall.prefixed("1000000");
    RawCall all = RawCall.of(COUNT).frame(RawCall.DATA, RawCall.END_STREAM, 1, number);
    for (int i = 1; i < STREAMS; i++) {
      int stream = 2 * i + 1;
      all.begin(stream, COUNT).frame(RawCall.DATA, RawCall.END_STREAM, stream, number);
    }
    try (Socket client = connect()) {
      client.getOutputStream().write(all.bytes());
      Await.until(
          () -> "all have sent: " + counting.begun + " calls, " + service.sent + " messages",
          () -> counting.begun.get() == STREAMS && service.sent.get() >= STREAMS * MESSAGES_MIN);
      client.getOutputStream().write(PING);
      awaitText(client.getInputStream(), "pingpong");

      assertThat(service.sent.get()).isLessThan(STREAMS * 200);
      assertThat(server.bufferBytesInUse()).isLessThan(STREAMS * 256L * 1024);
    }
  }

  @Test
  void survivesRandomFrames() throws Exception {
    Random random = new Random(48);
    for (int i = 0; i < 300; i++) {
      RawCall call = RawCall.of(CHAT);
      for (int frames = random.nextInt(6); frames > 0; frames--) {
        byte[] content = new byte[random.nextInt(40)];
        random.nextBytes(content);
        if (content.length > 5 && random.nextBoolean()) {
          Arrays.fill(content, 0, 4, (byte) 0); // a prefix that may be valid
          content[4] = (byte) random.nextInt(40);
        }
        int type = random.nextInt(4) == 0 ? random.nextInt(12) : RawCall.DATA;
        int flags = random.nextInt(8) == 0 ? random.nextInt(256) : 0;
        call.frame(type, flags, random.nextInt(8) == 0 ? 2 * random.nextInt(3) + 1 : 1, content);
      }
      sendAndLeave(call.bytes());
    }
  }

  @Test
  void rejectsMetadataAboveTheLimit() throws Exception {
    Server small =
        PeregrineServerBuilder.forPort(0)
            .configure(options -> options.loops(1).daemon(true))
            .maxInboundMetadataSize(2000)
            .addService(new TestService())
            .build()
            .start();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", small.getPort()).usePlaintext().build();
    assertThat(
            ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, "small"))
        .isEqualTo("small");
    Metadata large = new Metadata();
    large.put(Metadata.Key.of("large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(3000));

    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    io.grpc.ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(large)),
                    TestService.ECHO,
                    CallOptions.DEFAULT,
                    "large"))
        .isInstanceOf(StatusRuntimeException.class);

    assertThat(
            ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, "after"))
        .isEqualTo("after");
    channel.shutdownNow();
    small.shutdownNow();
  }
}
