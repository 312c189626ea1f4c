package dev.peregrine.server.tls.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RecordInputTest {
  private static final byte[] END = {};

  private final ScriptedLoop loop = new ScriptedLoop();

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
  }

  /** A connection without a socket layer around it; on the loop. */
  private final class Receiving {
    final ScriptedSocket socket = new ScriptedSocket();
    final BufferPool pool = loop.loop().bufferPool();
    final RecordInput input = new RecordInput(socket, pool);
    final RecordOutput output =
        new RecordOutput(
            socket, new TlsLoop(loop.loop(), new CurrentContext(List.of()), ServerLimits.DEFAULT));
    final PlainRecords session = new PlainRecords();
    final ByteArrayOutputStream content = new ByteArrayOutputStream();

    /** Reads once. Returns true unless the end was read. */
    boolean read(int room) throws IOException {
      ByteBuffer target = ByteBuffer.allocateDirect(room);
      int count = input.read(session, output, target);
      byte[] bytes = new byte[Math.max(count, 0)];
      target.flip().get(bytes);
      content.writeBytes(bytes);
      return count >= 0;
    }
  }

  @Test
  void decryptsRecordsWhereverTheReadsEnd() {
    byte[] one = Requests.content(10);
    byte[] other = Requests.content(7);
    byte[] records = PlainRecords.records(one, other, END);
    loop.run(
        () -> {
          for (int at = 0; at <= records.length; at++) {
            Receiving receiving = new Receiving();
            receiving.socket.receive(Arrays.copyOf(records, at));
            receiving.socket.receive(Arrays.copyOfRange(records, at, records.length));
            int reads = 0;
            while (receiving.read(20)) {
              assertThat(++reads).isLessThan(10);
            }

            assertThat(receiving.content.toByteArray())
                .as("split at %d", at)
                .isEqualTo(join(one, other));
          }
        });
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void keepsTheBeginOfARecordWithoutABlock() {
    loop.run(
        () -> {
          Receiving receiving = new Receiving();
          receiving.socket.receive(new byte[] {0, 9, 'a'});

          assertThat(receiving.read(20)).isTrue();

          assertThat(receiving.content.size()).isZero();
          assertThat(receiving.input.isEmpty()).isFalse();
          assertThat(receiving.pool.blocksInUse()).isZero();
        });
  }

  @Test
  void holdsContentThatDidNotFit() {
    byte[] one = Requests.content(10);
    loop.run(
        () -> {
          Receiving receiving = new Receiving();
          receiving.socket.receive(PlainRecords.records(one, one));

          receiving.read(15);

          assertThat(receiving.input.holdsContent(receiving.session)).isTrue();
          receiving.read(15);
          assertThat(receiving.content.toByteArray()).isEqualTo(join(one, one));
          assertThat(receiving.input.holdsContent(receiving.session)).isFalse();
        });
  }

  @Test
  void failsIfTheStreamEndsWithoutTheEndOfTheSession() {
    loop.run(
        () -> {
          Receiving receiving = new Receiving();
          receiving.socket.receiveEnd();

          assertThatThrownBy(() -> receiving.read(20)).isInstanceOf(EOFException.class);
        });
  }
}
