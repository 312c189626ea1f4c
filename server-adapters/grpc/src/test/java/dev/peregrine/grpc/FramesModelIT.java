package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.grpc.CallModel.Prediction;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of random frames: each stream comes to what a model predicts. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Setup.class,
    names = {"NIO_LOOP", "NIO_CARRIED", "EPOLL_THREADS"})
@Timeout(120)
final class FramesModelIT {
  private static final int CONNECTIONS = Integer.getInteger("grpc.frames.connections", 300);
  private static final int FIRST_SEED = Integer.getInteger("grpc.frames.seed", 1);
  private static final int INBOUND_BYTES = 64 * 1024; // of the loop, not of a connection
  private static final int[] WINDOWS = {0, 3, 8, 65_535};

  /** Handlers stay on their loop, which reads ahead otherwise: see {@link CallModel}. */
  private static final ServerLimits LIMITS = ServerLimits.builder().leftHandlersMax(0).build();

  @Parameter Setup setup;

  private final RecordingService service = new RecordingService();
  private HttpServer server;

  @BeforeEach
  void start() {
    server =
        setup.start(
            GrpcServices.builder()
                .executor(setup.executor())
                .maxInboundMessageSize(CallModel.MESSAGE_BYTES_MAX)
                .add(service)
                .build(),
            LIMITS);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void endsEachStreamAsTheModelPredicts() throws Exception {
    for (int seed = FIRST_SEED; seed < FIRST_SEED + CONNECTIONS; seed++) {
      List<RandomStream> streams = new ArrayList<>();
      try {
        serve(new Random(seed), "" + seed, streams);
      } catch (Exception | AssertionError failure) {
        String sent = String.join("\n", streams.stream().map(RandomStream::toString).toList());
        throw new AssertionError("seed " + seed + "\n" + sent, failure);
      }
    }
    Await.until(
        "all calls have ended", () -> server.connectionCount() == 0 && service.open.get() == 0);
    Await.until("the loop is idle", () -> server.bufferBytesInUse() <= INBOUND_BYTES);
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  private void serve(Random random, String name, List<RandomStream> streams) throws Exception {
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      streams.add(new RandomStream(random, 2 * i + 1, name + '-' + i, setup.isOnLoop()));
    }
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.setTcpNoDelay(true);
      client.setSoTimeout(60_000);
      RawAnswers answers = new RawAnswers(client.getInputStream());
      send(random, client.getOutputStream(), interleaved(random, streams));

      for (RandomStream each : streams) {
        expect(each, answers);
      }
      int last = 2 * count + 1;
      RawCall neighbour = RawCall.empty().begin(last, "/test.Texts/Echo", "call", name);
      neighbour.frame(RawCall.DATA, RawCall.END_STREAM, last, RawCall.prefixed("neighbour"));
      neighbour.frame(RawCall.WINDOW_UPDATE, 0, last, RandomStream.number(1000));
      client.getOutputStream().write(neighbour.frame(RawCall.PING, 0, 0, new byte[8]).bytes());
      answers.awaitEnd(last);
      answers.awaitPings(1);
      assertThat(answers.of(last).outcome()).isEqualTo("status 0");
      assertThat(service.received(name)).containsExactly("neighbour");
      for (RandomStream each : streams) { // nothing has followed
        assertThat(each.prediction().outcomes()).contains(answers.of(each.stream).outcome());
      }
    }
  }

  /** Returns the bytes of a connection: frames of streams in any order, each after its head. */
  private static byte[] interleaved(Random random, List<RandomStream> streams) {
    ByteBuffer settings = ByteBuffer.allocate(6).putShort((short) 4); // the window of a stream
    RawCall all =
        RawCall.connection(settings.putInt(WINDOWS[random.nextInt(WINDOWS.length)]).array());
    List<List<byte[]>> left = new ArrayList<>();
    streams.forEach(each -> left.add(new ArrayList<>(each.frames())));
    int begun = 0; // heads are sent in the order of streams
    while (left.stream().anyMatch(frames -> !frames.isEmpty())) {
      int chosen = random.nextInt(Math.min(begun + 1, left.size()));
      if (!left.get(chosen).isEmpty()) {
        all.raw(left.get(chosen).removeFirst());
        begun = Math.max(begun, chosen + 1);
      }
    }
    for (RandomStream each : streams) {
      if (!each.isCancelled()) {
        all.frame(RawCall.WINDOW_UPDATE, 0, each.stream, RandomStream.number(1000));
      }
    }
    return all.bytes();
  }

  private static void send(Random random, OutputStream out, byte[] bytes) throws Exception {
    int sent = 0;
    while (sent < bytes.length) {
      int count = Math.min(bytes.length - sent, 1 + random.nextInt(bytes.length));
      out.write(bytes, sent, count);
      sent += count;
    }
  }

  private void expect(RandomStream sent, RawAnswers answers) throws Exception {
    Prediction predicted = sent.prediction();
    if (!predicted.outcomes().contains(CallModel.OPEN)) {
      answers.awaitEnd(sent.stream);
      assertThat(predicted.outcomes()).contains(answers.of(sent.stream).outcome());
    }
    List<String> received = service.received(sent.call());
    if (predicted.isExact()) {
      Await.until(
          () -> "the messages have arrived of " + sent,
          () -> received.size() >= predicted.messages().size());
      assertThat(received).isEqualTo(predicted.messages());
    } else {
      List<String> first = List.copyOf(received);
      assertThat(first).isEqualTo(firstOf(predicted.messages(), first.size()));
    }
    if (answers.of(sent.stream).outcome().equals(CallModel.status(0))) {
      assertThat(answers.of(sent.stream).content.toByteArray())
          .isEqualTo(RawCall.prefixed("" + predicted.messages().size()));
    }
  }

  private static List<String> firstOf(List<String> all, int count) {
    return all.subList(0, Math.min(count, all.size()));
  }
}
