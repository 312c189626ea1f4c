package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

final class LeakGuardTest {
  private static final int BYTES = 100;

  @Test
  void tellsOfABufferThatWasNotReleased() {
    lose();

    assertThat(LeakGuard.collect()).isNotEmpty();
    assertThat(LeakGuard.collect()).isEmpty();
  }

  @Test
  void saysNothingOfABufferThatWasReleased() {
    PooledByteBufAllocator.DEFAULT.directBuffer(BYTES).release();

    assertThat(LeakGuard.collect()).isEmpty();
  }

  /** In a frame of its own, so that nothing holds the buffer afterwards. */
  private static void lose() {
    PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
  }
}
