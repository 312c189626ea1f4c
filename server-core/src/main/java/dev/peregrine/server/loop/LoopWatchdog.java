package dev.peregrine.server.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Watches event loops from a thread of its own and reports the one that a handler blocks. */
public final class LoopWatchdog implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");
  private static final long CHECK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int STACK_FRAMES_MAX = 32;

  private final List<EventLoop> loops;
  private final long blockedNanos;
  private final long[] reportedTurn;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A watchdog that is at work.
   *
   * @param threadName name of its thread
   * @param blockedNanos how long a turn may take before it is reported, once
   */
  public LoopWatchdog(String threadName, List<EventLoop> loops, long blockedNanos) {
    this.loops = List.copyOf(loops);
    this.blockedNanos = blockedNanos;
    this.reportedTurn = new long[loops.size()];
    this.thread = Thread.ofPlatform().daemon().name(threadName).start(this::run);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    long pause = Math.max(blockedNanos / 2, CHECK_NANOS_MIN);
    while (!closed) {
      LockSupport.parkNanos(this, pause);
      for (int i = 0; i < loops.size(); i++) {
        check(i);
      }
    }
  }

  private void check(int i) {
    EventLoop loop = loops.get(i);
    long turn = loop.busySinceNanos();
    if (turn == EventLoop.NOT_BUSY || turn == reportedTurn[i]) {
      return;
    }
    long nanos = System.nanoTime() - turn;
    if (nanos < blockedNanos) {
      return;
    }
    StackTraceElement[] stack = loop.thread().getStackTrace();
    if (loop.busySinceNanos() != turn) {
      return; // over meanwhile, and the stack is another turn's
    }
    reportedTurn[i] = turn;
    StringBuilder text = new StringBuilder();
    text.append(loop.thread().getName())
        .append(" has been busy for ")
        .append(TimeUnit.NANOSECONDS.toMillis(nanos))
        .append(" ms; a handler that blocks belongs into Handlers.blocking");
    for (int frame = 0; frame < Math.min(stack.length, STACK_FRAMES_MAX); frame++) {
      text.append("\n\tat ").append(stack[frame]);
    }
    LOGGER.log(Level.WARNING, text.toString());
  }
}
