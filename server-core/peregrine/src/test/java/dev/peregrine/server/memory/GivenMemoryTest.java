package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Pools whose source of memory isn't their own. */
final class GivenMemoryTest {
  private static final int SLAB_BYTES = 1 << SlabAllocator.SLAB_SHIFT;

  private final Arena arena = Arena.ofAuto();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger givenBack = new AtomicInteger();

  private MemorySource.Region region(MemorySegment memory) {
    return new MemorySource.Region(memory, givenBack::incrementAndGet);
  }

  private MemorySource.Region take(int bytes) {
    taken.incrementAndGet();
    return region(arena.allocate(bytes));
  }

  @Test
  void aSourceGetsBackAllThatItHasGiven() {
    BufferPool pool = new BufferPool(new GivenMemory(this::take));
    Block small = pool.acquire(1);
    Block large = pool.acquire(3 * SLAB_BYTES);
    assertThat(taken).hasValue(2);
    assertThat(large.capacity()).isEqualTo(4 * SLAB_BYTES);

    pool.release(large);
    assertThat(givenBack).hasValue(1);
    pool.close();
    assertThat(givenBack).hasValue(1);
    pool.release(small);

    assertThat(givenBack).hasValue(2);
    assertThat(pool.bytesReserved()).isZero();
  }

  @Test
  void blocksThatAreFreeAreUsedWithoutTheSource() {
    try (BufferPool pool = new BufferPool(new GivenMemory(this::take))) {
      for (int i = 0; i < 10_000; i++) {
        Block block = pool.acquire(1 << (12 + i % 7));
        pool.release(block);
      }
    }

    assertThat(taken).hasValue(1);
  }

  /** A source has its own limit. */
  @Test
  void itsMemoryIsNotThatOfTheProcess() {
    long before = DirectMemory.bytesTaken();
    try (BufferPool pool = new BufferPool(new GivenMemory(this::take))) {
      Block block = pool.acquire(1);

      assertThat(DirectMemory.bytesTaken()).isEqualTo(before);
      pool.release(block);
    }
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        wrong("null", GivenMemoryTest::nothing),
        wrong("in the heap", GivenMemoryTest::heap),
        wrong("read-only", GivenMemoryTest::readOnly),
        wrong("1048575 bytes instead of 1048576", GivenMemoryTest::tooSmall),
        wrong("other threads", GivenMemoryTest::confined),
        wrong("other threads", GivenMemoryTest::closed),
        wrong("java.lang.IllegalStateException: intended", GivenMemoryTest::fail));
  }

  private static Arguments wrong(String problem, MemorySource source) {
    return Arguments.of(problem, source);
  }

  private static MemorySource.Region lent(MemorySegment memory) {
    return new MemorySource.Region(memory, () -> {});
  }

  @SuppressWarnings("NullAway") // what an application without checks can do
  private static MemorySource.Region nothing(int bytes) {
    return null;
  }

  private static MemorySource.Region heap(int bytes) {
    return lent(MemorySegment.ofArray(new byte[bytes]));
  }

  private static MemorySource.Region readOnly(int bytes) {
    return lent(Arena.ofAuto().allocate(bytes).asReadOnly());
  }

  private static MemorySource.Region tooSmall(int bytes) {
    return lent(Arena.ofAuto().allocate(bytes - 1));
  }

  private static MemorySource.Region confined(int bytes) {
    return lent(Arena.ofConfined().allocate(bytes));
  }

  private static MemorySource.Region closed(int bytes) {
    try (Arena arena = Arena.ofShared()) {
      return lent(arena.allocate(bytes));
    }
  }

  private static MemorySource.Region fail(int bytes) {
    throw new IllegalStateException("intended");
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aFailureOfTheSourceIsAShortageThatNamesIt(String problem, MemorySource source) {
    AtomicInteger calls = new AtomicInteger();
    MemorySource failsAtFirst =
        bytes -> calls.getAndIncrement() < 2 ? source.take(bytes) : take(bytes);
    int shortages = DirectMemory.shortages();
    try (BufferPool pool = new BufferPool(new GivenMemory(failsAtFirst))) {
      assertThatThrownBy(() -> pool.acquire(1)) // which tries twice
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("memory source")
          .hasMessageContaining(problem);
      assertThat(DirectMemory.shortages()).isEqualTo(shortages + 2);

      pool.release(pool.acquire(1));
    }
    assertThat(givenBack).as("of the last").hasValue(1);
  }

  @Test
  void memoryThatDoesNotFitIsGivenBack() {
    MemorySource source = bytes -> region(arena.allocate(bytes + 1));
    try (BufferPool pool = new BufferPool(new GivenMemory(source))) {
      assertThatThrownBy(() -> pool.acquire(1)).isInstanceOf(OutOfMemoryError.class);
    }

    assertThat(givenBack).hasValue(2);
  }

  @Test
  void aSourceThatTakesNothingBackIsReportedOnce() {
    AutoCloseable failing =
        () -> {
          throw new IOException("intended");
        };
    MemorySource source = bytes -> new MemorySource.Region(arena.allocate(bytes), failing);
    try (ServerLog log = new ServerLog();
        BufferPool pool = new BufferPool(new GivenMemory(source))) {
      for (int i = 0; i < 3; i++) {
        pool.release(pool.acquire(SLAB_BYTES));
        pool.trim();
      }

      assertThat(pool.bytesReserved()).isZero();
      assertThat(log.take(Level.WARNING))
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.getMessage()).contains("memory source");
                assertThat(line.getThrown()).hasMessage("intended");
              });
    }
  }
}
