package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Allocated;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeContentTest {
  private static final int BYTES = 1000;
  private static final int LIMIT = 1 << 30;

  private final BufferPool pool = new BufferPool();
  private final Block block = pool.acquire(BYTES);
  private final List<byte[]> read = new ArrayList<>();
  private final byte[] sent = new byte[BYTES];

  @BeforeEach
  void fill() {
    for (int i = 0; i < BYTES; i++) {
      sent[i] = (byte) i;
      block.segment().set(ValueLayout.JAVA_BYTE, i, sent[i]);
    }
  }

  @AfterEach
  void release() {
    pool.release(block);
    pool.close();
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "-1, 7", "-1, 1000", "1000, 1", "1000, 7", "1000, 600", "1000, 1000"})
  void passesOnAllPiecesAsOne(long length, int pieceBytes) {
    send(new WholeContent(length, LIMIT, read::add), BYTES, pieceBytes);
    assertThat(read).containsExactly(sent);
  }

  @Test
  void passesOnNoContent() {
    send(new WholeContent(0, 0, read::add), 0, 1);
    assertThat(read).containsExactly(new byte[0]);
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "-1, 1000", "1000, 1", "1000, 1000"})
  void takesAsMuchAsTheLimitAndNoMore(long length, int pieceBytes) {
    send(new WholeContent(length, BYTES, read::add), BYTES, pieceBytes);
    assertThat(read).containsExactly(sent);
    WholeContent content = new WholeContent(length, BYTES - 1, read::add);
    assertThatThrownBy(() -> send(content, BYTES, pieceBytes))
        .isInstanceOf(HttpException.class)
        .hasMessageContaining("more than 999 bytes");
    assertThat(read).hasSize(1);
  }

  @Test
  void takesNoMemoryForWhatIsAnnouncedOnly() {
    WholeContent content = new WholeContent(LIMIT, LIMIT, read::add);
    long before = Allocated.by(Thread.currentThread());
    sendPart(content, 0, 10);
    assertThat(Allocated.by(Thread.currentThread()) - before).isLessThan(LIMIT / 1024);
  }

  private void send(WholeContent content, int bytes, int pieceBytes) {
    for (int at = 0; at < bytes; at += pieceBytes) {
      sendPart(content, at, Math.min(bytes, at + pieceBytes));
    }
    content.onEnd();
  }

  private void sendPart(WholeContent content, int from, int to) {
    ReceivedBytes received = new ReceivedBytes(block, from, to);
    content.onData(received);
    received.close();
  }
}
