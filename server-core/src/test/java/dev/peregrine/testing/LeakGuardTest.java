package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

final class LeakGuardTest {
  private static final int BYTES = 100;

  @Test
  void reportsABufferThatWasNotReleased() {
    lose();

    assertThat(LeakGuard.collect()).isNotEmpty();
    assertThat(LeakGuard.collect()).isEmpty();
  }

  @Test
  void reportsNothingAboutABufferThatWasReleased() {
    PooledByteBufAllocator.DEFAULT.directBuffer(BYTES).release();

    assertThat(LeakGuard.collect()).isEmpty();
  }

  /** Loses a buffer in a separate frame, so that no local variable refers to it afterwards. */
  private static void lose() {
    PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
  }
}
