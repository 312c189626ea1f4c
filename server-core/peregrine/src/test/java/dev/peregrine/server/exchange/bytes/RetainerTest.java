package dev.peregrine.server.exchange.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.LeakGuard;
import dev.peregrine.testing.ScriptedLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetainerTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BYTES_MAX = 1_000_000;
  private static final int PIPE_BYTES_MAX = 256 * 1024; // more than a pipe takes at once

  private final ScriptedLoop loop = new ScriptedLoop();
  private final BufferPool pool = loop.loop().bufferPool();
  private final Retainer retainer = new Retainer(loop.loop(), BYTES_MAX);
  private final List<RetainedBytes> kept = new ArrayList<>();

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void close() {
    assertThat(retainer.retainedBytes()).isZero();
    assertThat(pool.blocksInUse()).isZero();
    loop.close();
  }

  /** Retains the first bytes of a block, which its owner then releases. */
  private void retain(int bytes) {
    retain(bytes, BLOCK_BYTES);
  }

  private void retain(int bytes, int blockBytes) {
    loop.run(
        () -> {
          Block block = pool.acquire(blockBytes);
          block.segment().fill((byte) 'x');
          kept.add(retainer.retain(block, 0, bytes));
          pool.release(block);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "2047, 0, 2303",
    "2048, 1, 4352",
    "4000, 1, 4352",
    "0, 0, 256",
  })
  void pinsABlockThatIsHalfFull(int bytes, int pinned, int counted) {
    retain(bytes);

    assertThat(pool.blocksInUse()).isEqualTo(pinned);
    assertThat(retainer.retainedBytes()).isEqualTo(counted);
    assertThat(kept.getFirst().toString()).isEqualTo("x".repeat(bytes));
    release();
  }

  /** Releases all on this thread, and waits until the loop has done its part. */
  private void release() {
    kept.forEach(RetainedBytes::release);
    kept.clear();
    loop.run(() -> {});
  }

  @Test
  void returnsTheBlockAfterTheLastOwner() {
    retain(BLOCK_BYTES);
    kept.add(kept.getFirst().retain());
    kept.removeFirst().release();
    loop.run(() -> {});

    assertThat(pool.blocksInUse()).isEqualTo(1);
    assertThat(kept.getFirst().get(BLOCK_BYTES - 1)).isEqualTo((byte) 'x');
    release();
  }

  @Test
  void retainsWhatFitsWhileOtherThreadsAreRefused() {
    MemorySegment few = MemorySegment.ofArray(new byte[1]);
    MemorySegment tooMany = MemorySegment.ofArray(new byte[BYTES_MAX]);
    CompletableFuture<Void> fitting =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 5_000; i++) {
                retainer.keep(few, 0, 1).release();
              }
            },
            work -> Thread.ofPlatform().start(work));

    while (!fitting.isDone()) {
      assertThatThrownBy(() -> retainer.keep(tooMany, 0, BYTES_MAX))
          .isInstanceOf(HttpException.class);
    }

    fitting.join();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, BLOCK_BYTES})
  void rejectsTheUseOfABufferAfterTheLastReleaseInTests(int bytes) {
    retain(bytes);
    ByteBuffer buffer = kept.getFirst().buffer();
    ByteBuffer slice = buffer.slice(0, 1);
    kept.add(kept.getFirst().retain());

    kept.removeFirst().release();
    assertThat(slice.get(0)).isEqualTo((byte) 'x');
    release();

    assertThatThrownBy(() -> slice.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(buffer::get).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reportsAReleaseWhileAChannelUsesTheBytesInTests() throws Exception {
    retain(PIPE_BYTES_MAX, PIPE_BYTES_MAX);
    RetainedBytes used = kept.removeFirst();
    ByteBuffer buffer = used.buffer();
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      CompletableFuture<Integer> written =
          CompletableFuture.supplyAsync(
              () -> write(sink, buffer), work -> Thread.ofPlatform().daemon().start(work));
      ByteBuffer first = ByteBuffer.allocate(1);
      assertThat(source.read(first)).isEqualTo(1); // so the thread writes, and the pipe is full

      assertThatThrownBy(used::release)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the bytes were released while a channel uses them");

      ByteBuffer rest = ByteBuffer.allocate(PIPE_BYTES_MAX - 1);
      while (rest.hasRemaining()) {
        assertThat(source.read(rest)).isPositive();
      }
      assertThat(written.join()).isEqualTo(PIPE_BYTES_MAX);
    }
    loop.run(() -> {});
  }

  private static int write(WritableByteChannel channel, ByteBuffer source) {
    try {
      return channel.write(source);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void copiesOnAThreadThatIsntTheLoops() {
    Block block = loop.call(() -> pool.acquire(BLOCK_BYTES));
    block.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 'y');

    kept.add(retainer.retain(block, 0, BLOCK_BYTES));

    loop.run(() -> pool.release(block));
    assertThat(pool.blocksInUse()).isZero();
    assertThat(kept.getFirst().get(0)).isEqualTo((byte) 'y');
    release();
  }

  @Test
  void keepsLostBytesForAsLongAsABufferShowsThem() {
    retain(BLOCK_BYTES);
    List<ByteBuffer> views = new ArrayList<>();
    views.add(kept.removeFirst().buffer().slice(1, 2));

    assertThat(LeakGuard.collect()).isEmpty();
    assertThat(views.getFirst().get(0)).isEqualTo((byte) 'x');
    assertThat(pool.blocksInUse()).isEqualTo(1);
    views.clear();
    Await.until(
        "the loss is logged",
        () ->
            LeakGuard.collect().stream()
                .anyMatch(line -> line.startsWith("retained bytes were lost: 4096.")));
  }
}
