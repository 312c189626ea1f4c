package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.base.Incident;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.turn.PreparedTurn;
import dev.peregrine.server.turn.Turn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a handler's run, after its event loop has got another thread: for its exchange, work
 * like that of {@code async(work)}. All that is needed at its end is created at its beginning.
 */
public final class LeftRun implements Turn {
  private final Exchange exchange;
  private volatile boolean isAsync; // the response may come after its return
  private @Nullable Thread thread; // the handler's, until it returns
  private final PreparedTurn end;
  private final @Nullable PreparedTurn kept; // by the first step
  private @Nullable Block memory; // with the request's head, until that is copied
  private boolean headKept; // guarded by the lock of this
  private boolean carries; // this and the next ones: the loop's; a carried thread may read the head
  private boolean over;
  private final Deque<Runnable> deferred = new ArrayDeque<>(); // callbacks that wait for its end
  private @Nullable Throwable failure; // written before the end is submitted

  private LeftRun(Exchange exchange, @Nullable Block memory) {
    this.exchange = exchange;
    this.headKept = exchange.isAsync();
    this.carries = exchange.firstStep.isBegun();
    this.isAsync = headKept || carries;
    this.thread = exchange.context.loop.thread();
    this.memory = memory;
    this.end = new PreparedTurn(exchange.connection().turns(), this);
    Turn first = exchange.firstStep.kept();
    this.kept = first == null ? null : new PreparedTurn(exchange.connection().turns(), first);
  }

  /**
   * Leaves the handler of an exchange, because another thread takes the loop; on that thread, while
   * the handler runs and can't call the server. If this throws, nothing has changed.
   *
   * @param in the memory that the request's head lies in; null if it isn't reused
   */
  public static void begin(Exchange exchange, @Nullable InboundBuffer in) {
    exchange.connection().facts().keepAddresses();
    if (in == null) {
      begin(exchange, new LeftRun(exchange, null));
      return;
    }
    Block next = in.acquireNext();
    try {
      begin(exchange, new LeftRun(exchange, in.block()));
    } catch (Throwable failure) {
      exchange.context.loop.bufferPool().release(next);
      throw failure;
    }
    in.giveBlock(next);
  }

  private static void begin(Exchange exchange, LeftRun run) {
    ExchangeRequest request = exchange.request;
    synchronized (exchange.use) { // against the handler's thread, if the loop carries it
      request.indexFields(); // the handler may read it at this moment
      request.kept =
          true; // the loop doesn't copy the head: this.keepHead does, on the handler's thread
      if (!exchange.isAsync()) {
        exchange.beginWithin(0); // a handler that runs isn't forgotten
      }
      exchange.leaveCalls();
      exchange.use.leave(run);
    }
    exchange.work.begin();
    if (run.kept != null) {
      run.kept.submitFirst(); // what was submitted since is later than the response
    }
  }

  /** The handler has called {@code async}: other threads may use the exchange from now on. */
  void onAsync() {
    keepHead();
    exchange.response.keepFields();
    isAsync = true;
  }

  /** Copies the head of the request, because other threads may read it; on the handler's thread. */
  private synchronized void keepHead() {
    if (headKept) {
      return;
    }
    headKept = true;
    // All offsets stay the same, because the loop may read the head at any time.
    ExchangeRequest request = exchange.request;
    int length = request.head.length();
    byte[] moved = new byte[request.base + length];
    MemorySegment.copy(
        request.bytes, ValueLayout.JAVA_BYTE, request.base, moved, request.base, length);
    VarHandle.releaseFence();
    request.bytes = MemorySegment.ofArray(moved);
  }

  /** The handler has returned; on its thread. */
  void onReturn(@Nullable Throwable thrown) {
    failure = thrown;
    try {
      keepHead();
      BlockingWork waiting = exchange.firstStep.take();
      if (waiting != null && thrown == null) {
        exchange.response.start(waiting); // which the loop would have carried
      }
    } catch (Throwable noMemory) {
      memory = null; // it is read further on, so the pool never gets it back
      failure = thrown == null ? noMemory : thrown;
    }
    thread = null; // it serves other exchanges from here on
    end.submit();
  }

  /** Returns true if the caller is the handler, or any thread once that has called async. */
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  boolean admitsCaller() {
    return isAsync || thread == Thread.currentThread();
  }

  /** Returns true if the response may come after the handler has returned. */
  boolean isAsync() {
    return isAsync;
  }

  /** Returns true once the loop knows that the handler has returned; on the loop. */
  boolean isOver() {
    return over;
  }

  /** Has a callback of the application wait until the handler has returned; on the loop. */
  void defer(Runnable callback) {
    deferred.add(callback);
  }

  private void runDeferred(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable failure) {
      exchange.context.loop.report(Incident.TASK_FAILED, failure);
    }
  }

  /** Ends the run, in a turn. */
  @Override
  public void run() {
    over = true;
    Throwable thrown = failure;
    boolean completes = thrown == null && !exchange.isEnded();
    if (exchange.isAbandoned()) {
      exchange.work.endIfAbandoned();
    } else if (completes) {
      exchange.work.end();
    } else {
      exchange.work.drop();
    }
    if (thrown != null) {
      fail(thrown);
    } else if (completes) {
      requireAnswer();
    }
    exchange.endTorn();
    releaseMemory();
    while (!deferred.isEmpty()) {
      runDeferred(deferred.remove());
    }
    if (completes && !exchange.content.isAwaited()) {
      exchange.work.failIfForgotten();
    }
    if (!exchange.isEnded()) {
      exchange.stream.demand(); // content that has waited can be passed on
    }
  }

  /** The thread that the loop carries has ended. */
  void onCarriedEnd() {
    carries = false;
    releaseMemory();
  }

  private void releaseMemory() {
    Block left = memory;
    if (left != null && over && !carries) {
      memory = null;
      release(left, exchange.context.loop);
    }
  }

  private static void release(Block block, EventLoop loop) {
    BufferPool pool = loop.bufferPool();
    if (loop.isCurrent()) {
      pool.release(block);
      return;
    }
    awaitEnd(loop); // the pool has no other user then, except for other handlers
    synchronized (pool) {
      pool.release(block);
    }
  }

  private static void awaitEnd(EventLoop loop) {
    boolean interrupted = false;
    while (loop.over().getCount() > 0) {
      try {
        loop.over().await();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Throwable thrown) {
    if (isAsync) {
      exchange.fail(thrown);
    } else {
      exchange.sender.fail(thrown, true);
    }
  }

  private void requireAnswer() {
    boolean isBegun = exchange.sender.isClosing() || exchange.content.isAwaited();
    if (isBegun) {
      return;
    }
    try {
      exchange.use.requireAnswer();
    } catch (IllegalStateException unanswered) {
      exchange.sender.fail(unanswered, true);
    }
  }
}
