package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.Linux;
import dev.peregrine.server.transport.epoll.MappedMemory;
import dev.peregrine.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BufferPoolTest {
  private static final long SLAB_BYTES = 1 << SlabAllocator.SLAB_SHIFT;
  private static final int SMALL_PER_SLAB = (int) SLAB_BYTES / BufferPool.BLOCK_BYTES_MIN;

  private final BufferPool pool = new BufferPool(new MappedMemory());

  @AfterEach
  void endsAtZero() {
    assertThat(pool.blocksInUse()).isZero();
    assertThat(pool.bytesInUse()).isZero();
    pool.close();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096",
    "1, 4096",
    "4096, 4096",
    "4097, 8192",
    "8192, 8192",
    "65535, 65536",
    "65536, 65536",
    "65537, 131072",
    "131072, 131072",
    "131073, 262144",
    "5000000, 8388608",
  })
  void givesBlocksOfTheNextPowerOfTwo(int bytes, int capacity) {
    Block block = pool.acquire(bytes);

    assertThat(block.capacity()).isEqualTo(capacity);
    assertThat(block.segment().byteSize()).isEqualTo(capacity);
    assertThat(block.address()).isEqualTo(block.segment().address());
    assertThat(pool.blocksInUse()).isEqualTo(1);
    assertThat(pool.bytesInUse()).isEqualTo(capacity);

    pool.release(block);
  }

  @Test
  void findsAnotherThreadThatUsesIt() {
    OutboundQueue queue = new OutboundQueue(pool);
    Block block = pool.acquire(1);
    pool.confineTo(Thread.currentThread());

    assertUnusableElsewhere(() -> pool.acquire(1));
    assertUnusableElsewhere(() -> pool.release(block));
    assertUnusableElsewhere(pool::trim);
    assertUnusableElsewhere(() -> queue.append(new byte[1], 0, 1));
    assertUnusableElsewhere(() -> queue.writeTo(new ScriptedChannel(() -> 1)));

    pool.release(block);
  }

  private interface Use {
    void run() throws Exception;
  }

  private static void assertUnusableElsewhere(Use use) {
    CompletableFuture<Void> used =
        CompletableFuture.runAsync(
            () -> {
              try {
                use.run();
              } catch (Exception failure) {
                throw new IllegalStateException(failure);
              }
            });
    assertThatThrownBy(used::join).hasCauseInstanceOf(AssertionError.class);
  }

  @Test
  void countsWhatIsInUse() {
    Block first = pool.acquire(1);
    Block second = pool.acquire(200_000);
    assertThat(pool.blocksInUse()).isEqualTo(2);
    assertThat(pool.bytesInUse()).isEqualTo(4096 + 262144);

    pool.release(first);
    assertThat(pool.blocksInUse()).isEqualTo(1);
    assertThat(pool.bytesInUse()).isEqualTo(262144);
    pool.release(second);
  }

  @Test
  void givesAReleasedBlockOutAgain() {
    Block first = pool.acquire(5000);
    pool.release(first);

    Block other = pool.acquire(4000);
    Block again = pool.acquire(8000);

    assertThat(again).isSameAs(first);
    assertThat(other).isNotSameAs(first);
    pool.release(other);
    pool.release(again);
  }

  @Test
  void keepsNoMoreBlocksThanItsBound() {
    List<Block> blocks = acquire(20, BufferPool.KEPT_BLOCK_BYTES_MAX);
    blocks.forEach(pool::release);

    List<Block> again = acquire(20, BufferPool.KEPT_BLOCK_BYTES_MAX);

    Set<Block> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.addAll(blocks);
    assertThat(again.stream().filter(before::contains)).hasSize(4); // 1 MiB of them
    again.forEach(pool::release);
  }

  @Test
  void keepsNoBlockAboveTheKeptSize() {
    Block large = pool.acquire(BufferPool.KEPT_BLOCK_BYTES_MAX + 1);
    pool.release(large);

    Block next = pool.acquire(BufferPool.KEPT_BLOCK_BYTES_MAX + 1);

    assertThat(next).isNotSameAs(large);
    pool.release(next);
  }

  @Test
  void takesNoMemoryBeforeTheFirstBlock() {
    assertThat(pool.bytesReserved()).isZero();
  }

  /** Other threads may have mapped some of it again. */
  @Test
  @EnabledIf("mapsMemory")
  void unmapsItsMemory() {
    assertThat(new Kernel()).isNotNull(); // links calls, which a server on NIO may have postponed
    List<Block> blocks = acquire(16, (int) SLAB_BYTES);
    assertThat(blocks).allMatch(block -> isMapped(block.address()));

    blocks.forEach(pool::release);
    pool.close();

    assertThat(blocks.stream().filter(block -> isMapped(block.address()))).hasSizeLessThan(8);
  }

  static boolean mapsMemory() {
    return Linux.problem() == null;
  }

  private static boolean isMapped(long address) {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.map(line -> line.split("[- ]", 3))
          .anyMatch(
              range ->
                  Long.parseUnsignedLong(range[0], 16) <= address
                      && address < Long.parseUnsignedLong(range[1], 16));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Otherwise a program that starts a thousand servers in turn holds a thousand slabs. */
  @Test
  void returnsItsMemoryAtItsEnd() {
    pool.release(pool.acquire(1));
    assertThat(pool.bytesReserved()).isEqualTo(SLAB_BYTES);

    pool.close();

    assertThat(pool.bytesReserved()).isZero();
  }

  @Test
  void keepsNoBlockThatIsReleasedAfterItsEnd() {
    Block large = pool.acquire(BufferPool.KEPT_BLOCK_BYTES_MAX);
    Block largest = pool.acquire((int) SLAB_BYTES);
    pool.close();
    assertThat(pool.bytesReserved()).isEqualTo(2 * SLAB_BYTES);

    pool.release(largest);
    assertThat(pool.bytesReserved()).isEqualTo(SLAB_BYTES);
    pool.release(large);
    assertThat(pool.bytesReserved()).isZero();
  }

  @Test
  void returnsTheBlocksOfABurst() {
    acquire(400, BufferPool.KEPT_BLOCK_BYTES_MAX).forEach(pool::release);
    acquire(4000, 1).forEach(pool::release);

    pool.trim();

    assertThat(pool.bytesReserved()).isZero();
    Block block = pool.acquire(1);
    pool.release(block);
  }

  /** One connection that stays open must not keep the memory of all others. */
  @Test
  void returnsTheBlocksOfABurstBesideOneInUse() {
    List<Block> blocks = acquire(4000, 1);
    Block open = blocks.remove(2000);
    blocks.forEach(pool::release);
    pool.trimUnused(); // the blocks were in use since the call before

    pool.trimUnused();

    assertThat(pool.bytesReserved()).isEqualTo(SLAB_BYTES);
    assertThat(open.segment().byteSize()).isEqualTo(BufferPool.BLOCK_BYTES_MIN);
    pool.release(open);
  }

  @Test
  void keepsTheBlocksThatWereInUseSinceTheLastTrim() {
    List<Block> blocks = acquire(3, 1);
    blocks.forEach(pool::release);
    pool.trimUnused();
    List<Block> used = acquire(2, 1);
    used.forEach(pool::release);

    pool.trimUnused();

    List<Block> again = acquire(3, 1);
    assertThat(again.stream().filter(blocks::contains)).hasSize(2);
    again.forEach(pool::release);
  }

  /** New blocks go where others are, so that the other slabs become empty. */
  @Test
  void gathersBlocksInFewSlabs() {
    List<Block> blocks = acquire(4 * SMALL_PER_SLAB, 1);
    for (int i = 0; i < blocks.size(); i++) {
      if (i % SMALL_PER_SLAB != 0) {
        pool.release(blocks.get(i));
      }
    }
    pool.trimUnused();
    pool.trimUnused();
    List<Block> others = acquire(SMALL_PER_SLAB - 1, 1);

    assertThat(pool.bytesReserved()).isEqualTo(4 * SLAB_BYTES);
    for (int i = 0; i < blocks.size(); i += SMALL_PER_SLAB) {
      pool.release(blocks.get(i));
    }
    pool.trimUnused();
    pool.trimUnused();
    assertThat(pool.bytesReserved()).isLessThanOrEqualTo(2 * SLAB_BYTES);
    others.forEach(pool::release);
  }

  @ParameterizedTest
  @ValueSource(ints = {(1 << 30) + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void refusesABlockThatNoBufferCanHold(int bytes) {
    assertThatThrownBy(() -> pool.acquire(bytes)).isInstanceOf(OutOfMemoryError.class);

    assertThat(pool.bytesReserved()).isZero();
  }

  @Test
  void rejectsABlockThatWasReleasedBefore() {
    Block block = pool.acquire(1);
    pool.release(block);

    assertThatThrownBy(() -> pool.release(block))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void positionsABlocksBufferOnARange() {
    Block block = pool.acquire(100);
    block.segment().fill((byte) 7);

    ByteBuffer range = block.range(10, 30);

    assertThat(range.position()).isEqualTo(10);
    assertThat(range.limit()).isEqualTo(30);
    assertThat(range.get()).isEqualTo((byte) 7);
    assertThat(block.range(50, 60).position()).isEqualTo(50); // above the limit that was set before
    pool.release(block);
  }

  @Test
  void givesNoMemoryToTwoBlocksAtATime() {
    Seeds.each(
        20,
        random -> {
          List<Block> blocks = new ArrayList<>();
          List<Byte> marks = new ArrayList<>();
          for (int i = 0; i < 2_000; i++) {
            if (blocks.isEmpty() || random.nextInt(5) < 3) {
              Block block = pool.acquire(random.nextInt(1 << (1 + random.nextInt(18))));
              byte mark = (byte) random.nextInt();
              block.segment().fill(mark);
              blocks.add(block);
              marks.add(mark);
            } else {
              int which = random.nextInt(blocks.size());
              Block block = blocks.remove(which);
              assertThat(isFilledWith(block.segment(), marks.remove(which))).isTrue();
              pool.release(block);
            }
            if (random.nextInt(100) == 0) {
              pool.trim();
            }
          }
          assertThat(pool.blocksInUse()).isEqualTo(blocks.size());
          assertThat(pool.bytesInUse()).isEqualTo(blocks.stream().mapToLong(Block::capacity).sum());
          blocks.forEach(pool::release);
        });
  }

  private List<Block> acquire(int count, int bytes) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(pool.acquire(bytes));
    }
    return blocks;
  }

  private static boolean isFilledWith(MemorySegment segment, byte mark) {
    MemorySegment same = MemorySegment.ofArray(new byte[(int) segment.byteSize()]).fill(mark);
    return segment.mismatch(same) == -1;
  }
}
