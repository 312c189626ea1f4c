package dev.peregrine.server.loop;

import org.jspecify.annotations.Nullable;

/** A handler that runs on, on the thread that was relieved from its event loop. */
final class LeftHandler {
  final Thread thread;
  private final String loop;
  private final @Nullable Thread carried; // by the thread, and runs the handler
  private final String work; // as a report says it
  private final long turn; // when its turn began
  private boolean reported; // the watchdog's
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

  /** Returns the report that is due: once while the handler runs, and once when it has returned. */
  @Nullable BlockedTurn report(long nowNanos, long blockedNanos) {
    if (ended) {
      return reported ? new BlockedTurn(loop, endNanos - turn, work, null, "") : null;
    }
    if (reported || nowNanos - turn < blockedNanos) {
      return null;
    }
    StackTraceElement[] stack = (carried == null ? thread : carried).getStackTrace();
    if (ended) {
      return null; // the stack may be of other work
    }
    reported = true;
    String activity =
        LoopActivity.of(stack).describe(carried != null) + "; other connections don't wait for it";
    return new BlockedTurn(loop, nowNanos - turn, work, activity, LoopWatchdog.frames(stack));
  }
}
