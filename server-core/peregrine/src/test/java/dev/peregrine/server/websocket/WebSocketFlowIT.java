package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Back-pressure in both directions: clients that don't read, and listeners that pause. */
final class WebSocketFlowIT {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;
  private static final int MESSAGE_BYTES = 64 * 1024;
  private static final int MESSAGES = SystemBuffers.MORE_BYTES / MESSAGE_BYTES;
  private static final int MANY = 1_000;
  private static final long HELD_BYTES_MAX = 1024 * 1024;
  private static final int STEADY = 200;

  @RegisterExtension final Servers servers = new Servers();

  /** Returns a message that differs from all others. */
  private static byte[] message(int index) {
    byte[] message = new byte[MESSAGE_BYTES];
    for (int i = 0; i < message.length; i += Integer.BYTES) {
      ByteBuffer.wrap(message).putInt(i, index ^ i);
    }
    return message;
  }

  /** Sends messages while there is room for more. */
  private static final class Sending extends RecordingListener {
    private final AtomicInteger sent = new AtomicInteger();

    @Override
    public void onOpen(WebSocket socket) throws Exception {
      super.onOpen(socket);
      send(socket);
    }

    private void send(WebSocket socket) {
      while (sent.get() < MESSAGES) {
        boolean room = socket.sendBinary(message(sent.getAndIncrement()));
        assertThat(socket.isWritable()).isEqualTo(room);
        if (!room) {
          socket.onWritable(() -> send(socket));
          return;
        }
      }
    }
  }

  /** Waits until a count no longer grows, and a condition holds. */
  private static void awaitSteady(AtomicInteger count, BooleanSupplier condition) {
    int[] seen = {-1, 0};
    Await.until(
        "the sender waits",
        () -> {
          boolean isSteady = seen[0] > 0 && count.get() == seen[0] && condition.getAsBoolean();
          seen[1] = isSteady ? seen[1] + 1 : 0;
          seen[0] = count.get();
          return seen[0] > 0 && seen[1] > STEADY;
        });
  }

  private static void expectMessages(FrameClient client, int count) {
    for (int i = 0; i < count; i++) {
      Frame frame = client.read();
      assertThat(frame.firstByte()).isEqualTo(FINAL | BINARY);
      assertThat(frame.payload()).isEqualTo(message(i));
    }
  }

  // ---- clients that don't read ----

  @Test
  void tellsTheSenderThatItsClientDoesNotRead() throws Exception {
    Sending sending = new Sending();
    HttpServer server =
        servers.start(
            (request, response) -> response.webSocket(sending), options -> options.loops(1));
    long idle = server.bufferBytesInUse();
    FrameClient client = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");

    awaitSteady(sending.sent, () -> !sending.socket().isWritable());

    assertThat(sending.sent.get()).isLessThan(MESSAGES);
    Await.until("little is held", () -> server.bufferBytesInUse() - idle < HELD_BYTES_MAX);
    expectMessages(client, MESSAGES);
    Await.until("there is room", sending.socket()::isWritable);
  }

  /**
   * The server stops reading from a client that doesn't read its echoes, because each message read
   * adds another echo to those that wait.
   */
  @Test
  void stopsReadingAClientThatDoesNotReadWhatIsSentBack() throws Exception {
    AtomicInteger echoed = new AtomicInteger();
    RecordingListener echo =
        new RecordingListener() {
          @Override
          public void onBinary(WebSocket socket, Bytes content) {
            echoed.incrementAndGet();
            socket.sendBinary(content);
          }
        };
    HttpServer server =
        servers.start((request, response) -> response.webSocket(echo), options -> options.loops(1));
    long idle = server.bufferBytesInUse();
    FrameClient client = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < MESSAGES; i++) {
      frames.writeBytes(FrameClient.frame(FINAL | BINARY, message(i)));
    }

    var sent = client.client().sendMeanwhile(frames.toByteArray());

    awaitSteady(echoed, () -> true);
    assertThat(echoed.get()).isLessThan(MESSAGES);
    Await.until("little is held", () -> server.bufferBytesInUse() - idle < HELD_BYTES_MAX);
    expectMessages(client, MESSAGES);
    sent.join();
  }

  @Test
  void cutsAClientThatDoesNotReadInTime() throws Exception {
    Sending sending = new Sending();
    HttpServer server =
        servers.start(
            (request, response) -> response.webSocket(sending),
            Servers.LIMITS.toBuilder()
                .responseBytesPerSecondMin(1_000_000_000)
                .responseRateGrace(SHORT)
                .build());
    FrameClient client = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");

    assertThat(sending.next()).isEqualTo("open");
    assertThat(sending.next()).startsWith("close 1006 ");
    client.client().expectClosed();
    assertThat(sending.sent.get()).isLessThan(MESSAGES);
    assertThat(sending.socket().sendText("late")).isFalse();
  }

  // ---- listeners that pause ----

  /** Pauses at each message that begins with a P. */
  private static final class Pausing extends RecordingListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      if (text.get(0) == 'P') {
        socket.pause();
      }
      add("text " + text.toString(UTF_8));
    }
  }

  /** Acts at each text, and records it. */
  private static RecordingListener acting(Consumer<WebSocket> action) {
    return new RecordingListener() {
      @Override
      public void onText(WebSocket socket, Bytes text) {
        action.accept(socket);
        add("text " + text.toString(UTF_8));
      }
    };
  }

  /** Acts at each text while work of another thread waits for its turn. */
  private static RecordingListener actingBeforeWork(Consumer<WebSocket> action) {
    return new RecordingListener() {
      @Override
      public void onText(WebSocket socket, Bytes text) throws Exception {
        Thread.ofPlatform().start(() -> socket.onLoop(() -> add("work"))).join();
        action.accept(socket);
        add("text " + text.toString(UTF_8));
      }
    };
  }

  private static void expectWords(RecordingListener listener) throws InterruptedException {
    for (int i = 0; i < MANY; i++) {
      assertThat(listener.next()).isEqualTo("text " + word(i));
    }
  }

  /** Returns messages of one read; those with a number that is divisible by 100 pause. */
  private static byte[] words(int count) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      frames.writeBytes(FrameClient.frame(FINAL | TEXT, word(i)));
    }
    return frames.toByteArray();
  }

  private static String word(int index) {
    return (index % 100 == 0 ? "P" : "w") + index;
  }

  /** Waits for the loop, which has then read what had arrived. */
  private static void awaitLoop(WebSocket socket) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    socket.onLoop(done::countDown);
    done.await();
  }

  @Test
  void deliversNothingWhilePausedAndAllOfItAfterwards() throws Exception {
    Pausing listener = new Pausing();
    FrameClient client = listener.open(servers);

    client.send(words(MANY));

    for (int i = 0; i < MANY; i++) {
      assertThat(listener.next()).isEqualTo("text " + word(i));
      if (i % 100 == 0) {
        awaitLoop(listener.socket());
        assertThat(listener.isSilent()).isTrue();
        listener.socket().resume();
      }
    }
  }

  @Test
  void deliversAllIfPausedAndResumedWithinACallback() throws Exception {
    RecordingListener listener =
        acting(
            socket -> {
              socket.pause();
              socket.resume();
            });
    FrameClient client = listener.open(servers);

    client.send(words(MANY));

    expectWords(listener);
  }

  /** A call of another thread waits for its turn; the pause doesn't wait for that one. */
  @Test
  void pausesAtOnceThoughCallsOfOtherThreadsWait() throws Exception {
    RecordingListener listener = actingBeforeWork(WebSocket::pause);
    FrameClient client = listener.open(servers);

    client.send(words(10));

    for (int i = 0; i < 10; i++) {
      assertThat(listener.next()).isEqualTo("text " + word(i));
      assertThat(listener.next()).isEqualTo("work");
      awaitLoop(listener.socket());
      assertThat(listener.isSilent()).isTrue();
      listener.socket().resume();
    }
  }

  @Test
  void abortsAtOnceThoughCallsOfOtherThreadsWait() throws Exception {
    RecordingListener listener = actingBeforeWork(WebSocket::abort);
    FrameClient client = listener.open(servers);

    client.send(words(10));

    client.client().expectClosed();
    assertThat(List.of(listener.next(), listener.next()))
        .contains("text P0")
        .anyMatch(call -> call.startsWith("close 1006 "));
    listener.expectSilence();
  }

  @Test
  void resumesByItsOwnLoop() throws Exception {
    RecordingListener listener =
        acting(
            socket -> {
              socket.pause();
              socket.onLoop(socket::resume);
            });
    FrameClient client = listener.open(servers);

    client.send(words(MANY));

    expectWords(listener);
  }

  @Test
  void deliversWhatArrivedWhilePaused() throws Exception {
    Pausing listener = new Pausing();
    FrameClient client = listener.open(servers);
    client.sendText("P");
    assertThat(listener.next()).isEqualTo("text P");

    var sent = client.client().sendMeanwhile(words(100 * MANY));
    awaitLoop(listener.socket());
    assertThat(listener.isSilent()).isTrue();

    listener.socket().resume();
    for (int i = 0; i < 100 * MANY; i++) {
      assertThat(listener.next()).isEqualTo("text " + word(i));
      if (i % 100 == 0) {
        listener.socket().resume();
      }
    }
    sent.join();
  }

  /** The end of the client's stream comes after the messages that it has sent. */
  @ParameterizedTest
  @ValueSource(strings = {"P", "w"})
  void deliversAllMessagesOfAClientThatEndsAtOnce(String pausing) throws Exception {
    Pausing listener = new Pausing();
    FrameClient client = listener.open(servers);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < MANY; i++) {
      frames.writeBytes(FrameClient.frame(FINAL | TEXT, pausing + i));
    }
    frames.writeBytes(FrameClient.frame(FINAL | CLOSE, FrameClient.closePayload(1000, "all sent")));

    client.send(frames.toByteArray()).client().halfClose();

    for (int i = 0; i < MANY; i++) {
      assertThat(listener.next()).isEqualTo("text " + pausing + i);
      listener.socket().resume();
    }
    assertThat(listener.next()).isEqualTo("close 1000 all sent");
    client.expectClose(1000);
    client.expectEnd();
  }

  @Test
  void notifiesTheListenerOfAnEndAfterTheMessagesThatWaited() throws Exception {
    Pausing listener = new Pausing();
    FrameClient client = listener.open(servers);

    client.send(words(MANY)).client().halfClose();

    for (int i = 0; i < MANY; i++) {
      assertThat(listener.next()).isEqualTo("text " + word(i));
      listener.socket().resume();
    }
    assertThat(listener.next()).startsWith("close 1006 ");
    client.expectEnd();
  }

  @Test
  void freesWhatWaitsForAPausedListenerThatAborts() throws Exception {
    Pausing listener = new Pausing();
    FrameClient client = listener.open(servers);
    client.send(words(50));
    assertThat(listener.next()).isEqualTo("text P0");

    listener.socket().abort();

    client.client().expectClosed();
    assertThat(listener.next()).startsWith("close 1006 ");
  }
}
