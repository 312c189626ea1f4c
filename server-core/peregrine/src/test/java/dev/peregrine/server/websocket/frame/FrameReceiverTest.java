package dev.peregrine.server.websocket.frame;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static dev.peregrine.testing.websocket.FrameClient.closePayload;
import static dev.peregrine.testing.websocket.FrameClient.frame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of a client, without a session or a socket. */
final class FrameReceiverTest {
  private static final int MESSAGE_BYTES_MAX = 64;

  private final BufferPool pool = new BufferPool();
  private final Events events = new Events();

  /** A listener that takes everything, and writes down what it gets. */
  private static final class Events implements FrameListener {
    final List<String> seen = new ArrayList<>();
    boolean takesMessages = true;
    int emptyFrames;
    boolean failed;
    final List<Boolean> valid = new ArrayList<>();
    @Nullable FrameReceiver asked; // whether each message is valid text

    @Override
    public boolean takesMessages() {
      return takesMessages && !failed;
    }

    @Override
    public boolean takesPartsNow() {
      return true;
    }

    @Override
    public boolean onEmptyFrame() {
      emptyFrames++;
      return true;
    }

    @Override
    public void onMessage(boolean isText, ReceivedBytes content, boolean last) {
      if (asked != null) {
        valid.add(asked.isValidText(content));
      }
      seen.add((isText ? "text " : "binary ") + content + (last ? "" : " …"));
    }

    @Override
    public void onPing(ReceivedBytes content) {
      seen.add("ping " + content);
    }

    @Override
    public void onPong(ReceivedBytes content) {
      seen.add("pong " + content);
    }

    @Override
    public void onCloseFrame(ReceivedBytes content) {
      seen.add("close " + CloseFrame.decode(content).code());
    }

    @Override
    public void onFault(ClientFault fault) {
      failed = true;
      seen.add(fault.code() + " " + fault.text());
    }
  }

  @AfterEach
  void holdsNoBlock() {
    assertThat(pool.blocksInUse()).isZero();
    pool.close();
  }

  private FrameReceiver whole() {
    return new FrameReceiver(events, pool, MESSAGE_BYTES_MAX, false, null);
  }

  private FrameReceiver inParts() {
    return new FrameReceiver(events, pool, MESSAGE_BYTES_MAX, true, null);
  }

  private static byte[] all(byte[]... frames) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      bytes.writeBytes(frame);
    }
    return bytes.toByteArray();
  }

  /** Passes bytes on as a session does, until none is left or a fault has ended it. */
  private void receive(FrameReceiver receiver, byte[] bytes) {
    Block block = pool.acquire(bytes.length + BufferPool.SLACK_BYTES);
    block.range(0, bytes.length).put(bytes);
    try {
      int at = 0;
      while (at < bytes.length && !events.failed) {
        at = receiver.receive(block, at, bytes.length);
      }
    } finally {
      pool.release(block);
    }
  }

  private void receiveSplit(FrameReceiver receiver, byte[] bytes, int at) {
    receive(receiver, Arrays.copyOfRange(bytes, 0, at));
    receive(receiver, Arrays.copyOfRange(bytes, at, bytes.length));
  }

  @Test
  void joinsTheFragmentsOfAMessageWhereverTheReadsEnd() {
    byte[] bytes =
        all(
            frame(TEXT, "grüß "),
            frame(FINAL | PING, "?"),
            frame(CONTINUATION, ""),
            frame(FINAL | CONTINUATION, "Gott"),
            frame(FINAL | BINARY, "1"),
            frame(FINAL | PONG, ""),
            frame(FINAL | CLOSE, closePayload(1000, "")));
    for (int at = 0; at <= bytes.length; at++) {
      events.seen.clear();
      FrameReceiver receiver = whole();

      receiveSplit(receiver, bytes, at);

      assertThat(events.seen)
          .as("split at %d", at)
          .containsExactly("ping ?", "text grüß Gott", "binary 1", "pong ", "close 1000");
      assertThat(receiver.isUnfinished()).isFalse();
    }
  }

  @Test
  void passesPartsOnAsTheyArrive() {
    byte[] message = frame(FINAL | TEXT, "abcdef");

    receiveSplit(inParts(), message, message.length - 2);

    assertThat(events.seen).containsExactly("text abcd …", "text ef");
  }

  @Test
  void expectsTheRestOfAFrame() {
    FrameReceiver receiver = whole();

    receive(receiver, Arrays.copyOf(frame(FINAL | BINARY, "abcdef"), 8));

    assertThat(receiver.isUnfinished()).isTrue();
    assertThat(receiver.expectedBytes()).isEqualTo(4);
    receiver.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {MESSAGE_BYTES_MAX - 1, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MAX + 1})
  void limitsAMessageAsAWhole(int bytes) {
    FrameReceiver receiver = whole();

    receive(receiver, frame(BINARY, "a".repeat(bytes / 2)));
    receive(receiver, frame(FINAL | CONTINUATION, "a".repeat(bytes - bytes / 2)));

    assertThat(events.failed).isEqualTo(bytes > MESSAGE_BYTES_MAX);
    receiver.release();
  }

  @Test
  void doesNotLimitAMessageInParts() {
    FrameReceiver receiver = inParts();

    receive(receiver, frame(BINARY, "a".repeat(MESSAGE_BYTES_MAX)));
    receive(receiver, frame(FINAL | CONTINUATION, "b"));

    assertThat(events.failed).isFalse();
  }

  @Test
  void rejectsTextThatIsNotUtf8() {
    receive(whole(), frame(FINAL | TEXT, new byte[] {(byte) 0xC3}));

    assertThat(events.seen).containsExactly("1007 the text is not valid UTF-8");
  }

  @Test
  void rejectsAContinuationWithoutAMessage() {
    receive(whole(), frame(FINAL | CONTINUATION, "a"));

    assertThat(events.seen).containsExactly("1002 a continuation frame without a message");
  }

  @Test
  void rejectsAMessageWithinAMessage() {
    FrameReceiver receiver = whole();

    receive(receiver, all(frame(TEXT, "a"), frame(TEXT, "b")));

    assertThat(events.seen).containsExactly("1002 a message within another message");
    receiver.release();
  }

  @Test
  void countsFramesWithoutContent() {
    FrameReceiver receiver = whole();

    receive(
        receiver,
        all(
            frame(FINAL | PING, ""),
            frame(FINAL | PONG, "a"),
            frame(TEXT, ""),
            frame(FINAL | CONTINUATION, "")));

    assertThat(events.emptyFrames).isEqualTo(3);
  }

  @Test
  void dropsMessagesThatAreNotTaken() {
    events.takesMessages = false;

    receive(whole(), all(frame(FINAL | TEXT, "a"), frame(FINAL | PING, "b")));

    assertThat(events.seen).containsExactly("ping b");
  }

  @Test
  void knowsTheTextThatItHasValidated() {
    FrameReceiver receiver = whole();
    events.asked = receiver;

    receive(receiver, all(frame(FINAL | TEXT, "a"), frame(FINAL | BINARY, "a")));

    assertThat(events.valid).containsExactly(true, false);
  }
}
