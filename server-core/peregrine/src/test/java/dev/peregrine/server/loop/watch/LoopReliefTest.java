package dev.peregrine.server.loop.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopReliefTest {
  /** The longest that the guide and the README say of the first handler in a minute. */
  private static final long FIRST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long LATER_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(4);

  @Test
  void looksOftenOnlyWhereHandlersBlock() {
    long shortly = LoopWatchdog.SHORT_TICKS_NANOS;
    long calm = LoopWatchdog.CALM_AFTER_NANOS;
    assertEquals(LoopWatchdog.SHORT_TICK_NANOS, LoopWatchdog.tickNanos(0, false));
    assertEquals(LoopWatchdog.SHORT_TICK_NANOS, LoopWatchdog.tickNanos(shortly - 1, true));
    assertEquals(LoopWatchdog.TICK_NANOS, LoopWatchdog.tickNanos(shortly, false));
    assertEquals(LoopWatchdog.TICK_NANOS, LoopWatchdog.tickNanos(calm - 1, false));
    assertEquals(LoopWatchdog.CALM_TICK_NANOS, LoopWatchdog.tickNanos(calm, false));
    assertEquals(LoopWatchdog.TICK_NANOS, LoopWatchdog.tickNanos(calm, true));
  }

  @Test
  void findsAHandlerTwiceWithinTheTimeThatTheGuideSays() {
    long calm = LoopWatchdog.CALM_AFTER_NANOS;
    long first = LoopWatchdog.tickNanos(calm, false) + LoopWatchdog.tickNanos(calm, true);
    long later = LoopWatchdog.tickNanos(calm - 1, false) + LoopWatchdog.tickNanos(calm - 1, true);
    assertTrue(first <= FIRST_NANOS_MAX, () -> first + " ns");
    assertTrue(later <= LATER_NANOS_MAX, () -> later + " ns");
  }

  @Test
  void beginsCalmly() {
    LoopRelief relief = new LoopRelief(List.of(), 1, Thread.currentThread());
    assertEquals(LoopWatchdog.CALM_TICK_NANOS, relief.pauseNanos());
  }

  @Test
  void doesNotLookIfNoHandlerMayBeLeft() {
    LoopRelief relief = new LoopRelief(List.of(), 0, Thread.currentThread());
    assertEquals(Long.MAX_VALUE, relief.pauseNanos());
  }
}
