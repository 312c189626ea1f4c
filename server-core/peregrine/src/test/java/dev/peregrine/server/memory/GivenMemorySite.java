package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.testing.FullHeapAt;
import java.lang.foreign.Arena;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool on whose thread the heap is full, at each allocation in turn. Created by {@link
 * GivenMemoryInFullHeapTest} among the classes that fail.
 */
final class GivenMemorySite implements Callable<Void> {
  private static final int LARGE_BYTES = 3 * 1024 * 1024;

  private final AtomicInteger regions = new AtomicInteger(); // that the pool has
  private final MemorySource source = this::take;

  private MemorySource.Region take(int bytes) {
    MemorySource.Region region =
        new MemorySource.Region(Arena.ofAuto().allocate(bytes), regions::decrementAndGet);
    int _ = regions.incrementAndGet();
    return region;
  }

  @Override
  public Void call() {
    use(); // loads classes
    int number = -1;
    boolean failed = true;
    while (failed) {
      number++;
      FullHeapAt.plan(number, 1);
      try {
        use();
      } catch (OutOfMemoryError full) {
        // intended
      }
      failed = FullHeapAt.end();
      assertThat(regions).as("after allocation %d has failed", number).hasValue(0);
    }
    assertThat(number).as("allocations that failed").isPositive();
    return null;
  }

  private void use() {
    try (BufferPool pool = new BufferPool(new GivenMemory(source))) {
      pool.release(pool.acquire(1));
      pool.release(pool.acquire(LARGE_BYTES));
    }
  }
}
