package dev.peregrine.server.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.SystemBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Readiness to write, writing and gathered writes, on every transport. */
class TransportWriteTest extends OnEveryTransport {
  @Test
  void writesWhatItIsGiven() throws IOException {
    Pair pair = pair();
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuffer source = buffer(direct, "..hello..");
      source.position(2).limit(7);
      assertThat(pair.socket.write(source)).isEqualTo(5);
      assertThat(source.hasRemaining()).isFalse();
      assertThat(pair.client.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(US_ASCII));
      assertThat(pair.socket.write(source)).isZero();
    }
  }

  @Test
  void reportsAcknowledgedBytesOrThatTheyAreUnknown() throws IOException {
    Pair pair = pair();
    StreamSocket socket = pair.socket;

    long sent = fill(socket);

    if (socket.acknowledgedBytes() == StreamSocket.UNKNOWN) {
      assertThat(socket.unacknowledgedBytes()).isEqualTo(StreamSocket.UNKNOWN);
      return;
    }
    until(() -> socket.acknowledgedBytes() + socket.unacknowledgedBytes() == sent);
    assertThat(socket.unacknowledgedBytes()).isPositive();
    long before = socket.acknowledgedBytes();
    pair.client.getInputStream().readNBytes((int) sent);
    until(() -> socket.unacknowledgedBytes() == 0);
    assertThat(socket.acknowledgedBytes()).isEqualTo(sent).isGreaterThan(before);
    socket.close();
    assertThat(socket.acknowledgedBytes()).isEqualTo(StreamSocket.UNKNOWN);
    assertThat(socket.unacknowledgedBytes()).isEqualTo(StreamSocket.UNKNOWN);
  }

  @Test
  void knowsWhetherItWillTellThatItIsWritable() throws IOException {
    StreamSocket socket = pair().socket;

    long ignored = fill(socket);
    socket.interest(Ready.READ);
    assertThat(socket.isWriteForgotten(true)).isTrue();
    assertThat(socket.isWriteForgotten(false)).isFalse();

    socket.interest(Ready.READ | Ready.WRITE);
    assertThat(socket.isWriteForgotten(true)).isFalse();
  }

  @Test
  void gathersBuffersOfBothKinds() throws IOException {
    Pair pair = pair();
    ByteBuffer[] sources = {
      buffer(true, "skipped"),
      buffer(true, "one,"),
      buffer(false, "two,"),
      buffer(true, ""),
      buffer(false, "three"),
      buffer(true, "skipped")
    };
    assertThat(pair.socket.write(sources, 1, 4)).isEqualTo(13);
    assertThat(sources).extracting(ByteBuffer::remaining).containsExactly(7, 0, 0, 0, 0, 7);
    assertThat(pair.client.getInputStream().readNBytes(13))
        .isEqualTo("one,two,three".getBytes(US_ASCII));
    assertThat(pair.socket.write(sources, 1, 4)).isZero();
  }

  @Test
  void resumesAfterShortGatheredWrites() throws Exception {
    Pair pair = pair();
    byte[] content = new byte[SystemBuffers.MORE_BYTES];
    new Random(1).nextBytes(content);
    ByteBuffer[] sources = new ByteBuffer[100];
    for (int i = 0; i < sources.length; i++) {
      int from = (int) ((long) content.length * i / sources.length);
      int to = (int) ((long) content.length * (i + 1) / sources.length);
      ByteBuffer piece = i % 3 == 0 ? null : ByteBuffer.allocateDirect(to - from);
      sources[i] =
          piece == null
              ? ByteBuffer.wrap(content, from, to - from).slice()
              : piece.put(content, from, to - from).flip();
    }
    byte[] received = new byte[content.length];
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    pair.client.getInputStream().readNBytes(received, 0, received.length);
                  } catch (IOException failure) {
                    throw new IllegalStateException(failure);
                  }
                });
    AtomicInteger shortWrites = new AtomicInteger();
    pair.react =
        ops -> {
          long offered = Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum();
          long written = pair.socket.write(sources);
          assertThat(Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum())
              .isEqualTo(offered - written);
          if (written < offered) {
            shortWrites.incrementAndGet();
          } else {
            pair.socket.interest(0);
          }
        };
    pair.socket.interest(Ready.WRITE);
    until(() -> !sources[99].hasRemaining() && !sources[98].hasRemaining());
    reader.join();
    assertThat(received).isEqualTo(content);
    assertThat(shortWrites.get()).isPositive();
    assertThat(pair.told.failures).isEmpty();
  }

  @Test
  void notifiesOfRoomThatAppearedWithoutInterest() throws IOException {
    Pair pair = pair();
    pair.socket.interest(0);
    long sent = fill(pair.socket);
    pair.client.getInputStream().readNBytes((int) sent);
    poll(0);
    assertThat(pair.told.times()).isZero();
    pair.socket.interest(Ready.WRITE);
    until(() -> pair.told.times() > 0);
    assertThat(pair.told.ops.getFirst()).isEqualTo(Ready.WRITE);
    assertThat(pair.socket.write(ByteBuffer.allocateDirect(8))).isEqualTo(8);
  }

  @Test
  void notifiesAgainWhileTheSocketHasRoom() throws IOException {
    Pair pair = pair();
    pair.socket.interest(Ready.WRITE);
    until(() -> pair.told.times() == 3);
    pair.socket.interest(0);
    poll(0);
    assertThat(pair.told.times()).isEqualTo(3);
  }

  private static ByteBuffer buffer(boolean direct, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    return direct
        ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()
        : ByteBuffer.wrap(bytes);
  }
}
