package dev.peregrine.server.loop.watch;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.watch.BlockedTurn.Fault;
import org.jspecify.annotations.Nullable;

/** A handler that runs on, on the thread that was relieved from its event loop. */
final class LeftHandler {
  final Thread thread;
  private final String loop;
  private final @Nullable Thread carried; // by the thread, and runs the handler
  private final String work; // as a report says it
  private final long turn; // when its turn began
  private @Nullable Fault reported; // the watchdog's; null before its report
  private volatile boolean ended;
  private long endNanos; // written before ended

  LeftHandler(EventLoop loop, Thread thread, long turn, String work) {
    this.loop = loop.name();
    this.thread = thread;
    this.carried = loop.owner().carried();
    this.turn = turn;
    this.work = work;
  }

  /** The handler has returned; on its thread. */
  void end(long nowNanos) {
    endNanos = nowNanos;
    ended = true;
  }

  boolean isEnded() {
    return ended;
  }

  boolean isOf(EventLoop other) {
    return loop.equals(other.name());
  }

  /**
   * Returns the report that is due: once for each fault while the handler runs, and once when it
   * has returned.
   */
  @Nullable BlockedTurn report(long nowNanos, long blockedNanos) {
    Fault known = reported;
    if (ended) {
      return known == null ? null : new BlockedTurn(loop, endNanos - turn, work, null, "", known);
    }
    boolean isBlocking = carried != null;
    boolean isSettled = known == Fault.APPLICATION || (known != null && isBlocking);
    if (isSettled || nowNanos - turn < blockedNanos) {
      return null;
    }
    StackTraceElement[] stack = (carried == null ? thread : carried).getStackTrace();
    if (ended) {
      return null; // the stack may be of other work
    }
    LoopActivity activity = LoopActivity.of(stack);
    Fault fault = activity.fault(isBlocking, true);
    if (fault == known) {
      return null;
    }
    reported = fault;
    return new BlockedTurn(
        loop,
        nowNanos - turn,
        work,
        activity.describe(isBlocking, null),
        LoopWatchdog.frames(stack),
        fault);
  }
}
