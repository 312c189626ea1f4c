package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArenaTest {
  private final Arena arena = new Arena();

  @AfterEach
  void endsAtZero() {
    assertThat(arena.blocksInUse()).isZero();
    assertThat(arena.bytesInUse()).isZero();
    arena.close();
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
    Block block = arena.acquire(bytes);

    assertThat(block.capacity()).isEqualTo(capacity);
    assertThat(block.segment().byteSize()).isEqualTo(capacity);
    assertThat(block.address()).isEqualTo(block.segment().address());
    assertThat(arena.blocksInUse()).isEqualTo(1);
    assertThat(arena.bytesInUse()).isEqualTo(capacity);

    arena.release(block);
  }

  @Test
  void findsAnotherThreadThatUsesIt() {
    OutboundQueue queue = new OutboundQueue(arena);
    Block block = arena.acquire(1);
    arena.confineTo(Thread.currentThread());

    assertUnusableElsewhere(() -> arena.acquire(1));
    assertUnusableElsewhere(() -> arena.release(block));
    assertUnusableElsewhere(arena::trim);
    assertUnusableElsewhere(() -> queue.append(new byte[1], 0, 1));
    assertUnusableElsewhere(() -> queue.writeTo(new ScriptedChannel(() -> 1)));

    arena.release(block);
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
    Block first = arena.acquire(1);
    Block second = arena.acquire(200_000);
    assertThat(arena.blocksInUse()).isEqualTo(2);
    assertThat(arena.bytesInUse()).isEqualTo(4096 + 262144);

    arena.release(first);
    assertThat(arena.blocksInUse()).isEqualTo(1);
    assertThat(arena.bytesInUse()).isEqualTo(262144);
    arena.release(second);
  }

  @Test
  void givesAReleasedBlockOutAgain() {
    Block first = arena.acquire(5000);
    arena.release(first);

    Block other = arena.acquire(4000);
    Block again = arena.acquire(8000);

    assertThat(again).isSameAs(first);
    assertThat(other).isNotSameAs(first);
    arena.release(other);
    arena.release(again);
  }

  @Test
  void keepsNoMoreBlocksThanItsBound() {
    List<Block> blocks = acquire(20, Arena.KEPT_BLOCK_BYTES_MAX);
    blocks.forEach(arena::release);

    List<Block> again = acquire(20, Arena.KEPT_BLOCK_BYTES_MAX);

    Set<Block> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.addAll(blocks);
    assertThat(again.stream().filter(before::contains)).hasSize(4); // 1 MiB of them
    again.forEach(arena::release);
  }

  @Test
  void keepsNoBlockAboveTheKeptSize() {
    Block large = arena.acquire(Arena.KEPT_BLOCK_BYTES_MAX + 1);
    arena.release(large);

    Block next = arena.acquire(Arena.KEPT_BLOCK_BYTES_MAX + 1);

    assertThat(next).isNotSameAs(large);
    arena.release(next);
  }

  /** What is done to prepare for the first block must hold no memory. */
  @Test
  void returnsTheSlabOfOneLargeBlock() {
    arena.release(arena.acquire(Arena.SLAB_BYTES / 2));

    assertThat(arena.bytesReserved()).isZero();
  }

  @Test
  void returnsWhatABurstLeftBehind() {
    acquire(400, Arena.KEPT_BLOCK_BYTES_MAX).forEach(arena::release);
    acquire(4000, 1).forEach(arena::release);

    arena.trim();

    assertThat(arena.bytesReserved()).isLessThanOrEqualTo(2 * 1024 * 1024);
    Block block = arena.acquire(1);
    arena.release(block);
  }

  @Test
  void refusesABlockThatWasReleasedBefore() {
    Block block = arena.acquire(1);
    arena.release(block);

    assertThatThrownBy(() -> arena.release(block))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void countsNothingThatItCouldNotGive() {
    assertThatThrownBy(() -> arena.acquire(Integer.MAX_VALUE)).isNotNull();
  }

  @Test
  void positionsABlocksBufferOnARange() {
    Block block = arena.acquire(100);
    block.segment().fill((byte) 7);

    ByteBuffer range = block.range(10, 30);

    assertThat(range.position()).isEqualTo(10);
    assertThat(range.limit()).isEqualTo(30);
    assertThat(range.get()).isEqualTo((byte) 7);
    assertThat(block.range(50, 60).position()).isEqualTo(50); // behind the limit set before
    arena.release(block);
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
              Block block = arena.acquire(random.nextInt(1 << (1 + random.nextInt(18))));
              byte mark = (byte) random.nextInt();
              block.segment().fill(mark);
              blocks.add(block);
              marks.add(mark);
            } else {
              int which = random.nextInt(blocks.size());
              Block block = blocks.remove(which);
              assertThat(isFilledWith(block.segment(), marks.remove(which))).isTrue();
              arena.release(block);
            }
            if (random.nextInt(100) == 0) {
              arena.trim();
            }
          }
          assertThat(arena.blocksInUse()).isEqualTo(blocks.size());
          assertThat(arena.bytesInUse())
              .isEqualTo(blocks.stream().mapToLong(Block::capacity).sum());
          blocks.forEach(arena::release);
        });
  }

  private List<Block> acquire(int count, int bytes) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(arena.acquire(bytes));
    }
    return blocks;
  }

  private static boolean isFilledWith(MemorySegment segment, byte mark) {
    MemorySegment same = MemorySegment.ofArray(new byte[(int) segment.byteSize()]).fill(mark);
    return segment.mismatch(same) == -1;
  }
}
