package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that wait for a client. */
final class WebSocketUnsentIT {
  private static final int LIMIT = 4 * 1024 * 1024;
  private static final int MESSAGE = 16 * 1024;
  private static final int MESSAGES_MAX = 100_000; // more than systems buffer

  @RegisterExtension final Servers servers = new Servers();

  private FrameClient open(RecordingListener listener) throws InterruptedException {
    WebSocketLimits limits = WebSocketLimits.DEFAULT.withUnsentBytesMax(LIMIT);
    return listener.open(servers, Servers.LIMITS.toBuilder().webSocket(limits).build());
  }

  private void expectLimitInLog() {
    servers.log().awaitText(Level.INFO, "the limit is 4194304 bytes (webSocket.unsentBytesMax)");
  }

  private static void sendWithoutEnd(WebSocket socket) {
    byte[] content = new byte[MESSAGE];
    for (int i = 0; i < MESSAGES_MAX && socket.isOpen(); i++) {
      socket.sendBinary(content);
    }
  }

  @Test
  void endsASocketWhoseListenerSendsMoreThanIsTaken() throws Exception {
    RecordingListener listener = RecordingListener.onText(WebSocketUnsentIT::sendWithoutEnd);
    FrameClient client = open(listener);

    client.sendText("go");

    assertThat(listener.next()).startsWith("close 1006 ");
    expectLimitInLog();
  }

  @Test
  void endsASocketToWhichAnotherThreadSendsMoreThanIsTaken() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient unread = open(listener);

    sendWithoutEnd(listener.socket());

    assertThat(listener.next()).startsWith("close 1006 ");
    assertThat(listener.socket().sendText("late")).isFalse();
    expectLimitInLog();
    unread.client().close();
  }

  @Test
  void sendsAMessageThatIsLargerThanTheLimit() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = open(listener);

    listener.socket().sendBinary(new byte[LIMIT + 1]);

    assertThat(client.read().payload()).hasSize(LIMIT + 1);
  }

  @Test
  void countsMessagesThatWaitForTheEndOfAStream() throws Exception {
    CountDownLatch writable = new CountDownLatch(1);
    RecordingListener listener = new RecordingListener();
    FrameClient client = open(listener);
    WebSocket socket = listener.socket();

    WebSocketStream stream = socket.streamBinary();
    stream.write(new byte[] {1});
    int sent = 0;
    boolean room = true;
    while (room && sent < MESSAGES_MAX) {
      room = socket.sendBinary(new byte[MESSAGE]);
      sent++;
    }
    socket.onWritable(writable::countDown);
    stream.end();

    assertThat(room).isFalse();
    assertThat(client.read().firstByte()).isEqualTo(BINARY);
    assertThat(client.read().firstByte()).isEqualTo(FINAL | CONTINUATION);
    for (int i = 0; i < sent; i++) {
      assertThat(client.read().payload()).hasSize(MESSAGE);
    }
    writable.await();
  }

  @Test
  void endsASocketWhoseStreamNeverEnds() throws Exception {
    RecordingListener listener = new RecordingListener();
    FrameClient client = open(listener);

    WebSocketStream unfinished = listener.socket().streamBinary();
    assertThat(unfinished.write(new byte[] {1})).isTrue();
    sendWithoutEnd(listener.socket());

    assertThat(listener.next()).startsWith("close 1006 ");
    expectLimitInLog();
    client.client().close();
  }

  @Test
  void sendsWhatAnArrayHeldAtTheCall() throws Exception {
    RecordingListener listener = RecordingListener.onText(WebSocketUnsentIT::fillAndSend);
    FrameClient client = open(listener);

    client.sendText("from the loop");
    expectFilled(client);
    fillAndSend(listener.socket());
    expectFilled(client);
  }

  private static void fillAndSend(WebSocket socket) {
    byte[] reused = new byte[4 * MESSAGE];
    WebSocketStream stream = socket.streamBinary();
    for (byte i = 1; i <= 3; i++) {
      Arrays.fill(reused, i);
      stream.write(reused);
    }
    stream.end();
    Arrays.fill(reused, (byte) 4);
    socket.sendBinary(reused);
    Arrays.fill(reused, (byte) 5);
  }

  private static void expectFilled(FrameClient client) {
    for (byte i = 1; i <= 4; i++) {
      Frame frame = client.read();
      if (i == 4) {
        assertThat(frame.payload()).isEmpty(); // the end of the stream
        frame = client.read();
      }
      byte[] expected = new byte[4 * MESSAGE];
      Arrays.fill(expected, i);
      assertThat(frame.payload()).isEqualTo(expected);
    }
  }
}
