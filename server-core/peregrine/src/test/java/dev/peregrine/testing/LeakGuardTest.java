package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.memory.BufferPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeakGuardTest {
  private static final int BYTES = 100;

  @ParameterizedTest
  @ValueSource(ints = {BYTES, 5_000_000})
  void reportsABlockThatWasNotReleased(int bytes) {
    lose(bytes);

    assertThat(LeakGuard.collect()).singleElement().asString().contains(": 1.");
    assertThat(LeakGuard.collect()).isEmpty();
  }

  @Test
  void reportsNothingAboutABlockThatWasReleased() {
    try (BufferPool pool = new BufferPool()) {
      pool.release(pool.acquire(BYTES));
    }

    assertThat(LeakGuard.collect()).isEmpty();
  }

  /** Nothing is lost then: the memory returns to the system. */
  @Test
  void reportsNothingAboutAPoolThatWasNotClosed() {
    forgetPool();

    assertThat(LeakGuard.collect()).isEmpty();
  }

  /** Loses a block in a separate frame, so that no local variable refers to it afterwards. */
  private static void lose(int bytes) {
    try (BufferPool pool = new BufferPool()) {
      pool.acquire(bytes);
    }
  }

  private static void forgetPool() {
    BufferPool pool = new BufferPool();
    pool.release(pool.acquire(BYTES));
  }
}
