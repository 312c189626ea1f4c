package dev.peregrine.server.exchange.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WaitingContentTest {
  private final BufferPool pool = new BufferPool();
  private final WaitingContent waiting = new WaitingContent(pool);

  @AfterEach
  void holdsNoBlock() {
    waiting.releaseAll();
    assertThat(pool.blocksInUse()).isZero();
    pool.close();
  }

  private void add(byte[] content) {
    Block received = pool.acquire(content.length + 3);
    received.range(3, 3 + content.length).put(content);
    waiting.add(new ReceivedBytes(received, 3, 3 + content.length));
    pool.release(received);
  }

  private byte[] read(int length) {
    byte[] target = new byte[length + 2];
    int bytes = waiting.read(target, 1, length);
    assertThat(target[0]).isZero();
    assertThat(target[bytes + 1]).isZero();
    return Arrays.copyOfRange(target, 1, 1 + bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isAQueueOfBytes(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] all = Requests.content(4_000_000);
    ByteArrayInputStream source = new ByteArrayInputStream(all);
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    while (target.size() < all.length) {
      if (waiting.bytes() < 200_000 && random.nextBoolean()) {
        add(source.readNBytes(random.nextInt(1 << random.nextInt(18))));
      }
      int before = waiting.bytes();
      byte[] read = read(random.nextInt(1 << random.nextInt(18)));
      target.writeBytes(read);
      assertThat(waiting.bytes()).isEqualTo(before - read.length);
      if (waiting.hasBlocksToRelease(false) && random.nextBoolean()) {
        waiting.releaseSpent();
      }
    }
    assertThat(target.toByteArray()).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4032, 4033, 65472, 65473, 150_000})
  void keepsBytesToReadWithoutBlocks(int length) {
    byte[] content = Requests.content(length + 1);
    add(content);
    byte[] first = read(1);

    waiting.releaseAll();

    assertThat(pool.blocksInUse()).isZero();
    assertThat(waiting.bytes()).isEqualTo(length);
    assertThat(first).containsExactly(content[0]);
    assertThat(read(length + 1)).isEqualTo(Arrays.copyOfRange(content, 1, length + 1));
    assertThat(read(1)).isEmpty();
  }

  @Test
  void usesOneBlockWhileItsReaderKeepsUp() {
    add(new byte[16_384]);
    int blocks = pool.blocksInUse();
    for (int i = 0; i < 100; i++) {
      read(16_384);
      add(new byte[16_384]);
    }

    assertThat(pool.blocksInUse()).isEqualTo(blocks).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"300, 60000", "3000, 16384", "7000, 65536", "60000, 300", "20000, 65473"})
  void holdsLittleForAReaderThatIsNeverQuiteDone(int firstLength, int length) {
    add(new byte[firstLength]);
    long most = 0;
    for (int i = 0; i < 400; i++) {
      add(new byte[length]);
      assertThat(read(length)).hasSize(length);
      most = Math.max(most, pool.bytesInUse());
    }

    assertThat(most).isLessThan(256 * 1024);
  }

  @ParameterizedTest
  @CsvSource({"16000, false", "17000, true", "100000, true"})
  void asksForATurnToReleaseMuchAtTheEnd(int length, boolean worthIt) {
    add(new byte[length]);
    assertThat(waiting.hasBlocksToRelease(true)).isFalse();
    read(length);

    assertThat(waiting.hasBlocksToRelease(true)).isEqualTo(worthIt);
    waiting.releaseSpent();
    assertThat(pool.blocksInUse()).isZero();
  }

  @Test
  void dropsBytes() {
    add(new byte[100_000]);
    waiting.drop();

    assertThat(waiting.bytes()).isZero();
    assertThat(read(1)).isEmpty();
    waiting.releaseSpent();
    assertThat(pool.blocksInUse()).isZero();
  }
}
