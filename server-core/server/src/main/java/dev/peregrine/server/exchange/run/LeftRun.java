package dev.peregrine.server.exchange.run;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.base.Incident;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.ExchangeUse;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.turn.PreparedTurn;
import dev.peregrine.server.turn.Turn;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a handler's run, after its event loop has got another thread: for its exchange, work
 * like that of {@code async(work)}. All that is needed at its end is created at its beginning.
 */
final class LeftRun implements Turn {
  private final ExchangeState exchange;
  private final HandlerRun handler;
  private final PreparedTurn end;
  private final @Nullable PreparedTurn kept; // by the first step
  private @Nullable Block memory; // with the request's head, until that is copied
  private boolean carries; // this and the next ones: the loop's; a carried thread may read the head
  private boolean over;
  private final ArrayDeque<Runnable> deferred = new ArrayDeque<>(); // callbacks that wait for it
  private @Nullable Throwable failure; // written before the end is submitted

  LeftRun(ExchangeState exchange, HandlerRun handler, @Nullable Block memory) {
    this.exchange = exchange;
    this.handler = handler;
    this.carries = handler.firstStep.isBegun();
    this.memory = memory;
    this.end = new PreparedTurn(exchange.connection().turns(), this);
    Turn first = handler.firstStep.kept();
    this.kept = first == null ? null : new PreparedTurn(exchange.connection().turns(), first);
  }

  /**
   * Leaves the handler, because another thread takes the loop; on that thread, while the handler
   * runs and can't call the server. Throws nothing.
   */
  void begin() {
    ExchangeUse use = exchange.use;
    synchronized (use) { // against the handler's thread, if the loop carries it
      boolean wasAsync = use.isAsync();
      exchange.head.leave(wasAsync); // the handler may read it at this moment
      if (!wasAsync) {
        exchange.limit.within(0); // a handler that runs isn't forgotten
      }
      exchange.progress.endCalls();
      exchange.afterHandler.begin(deferred);
      use.leave(exchange.context.loop.thread(), !wasAsync && !carries);
    }
    handler.work.begin();
    if (kept != null) {
      kept.submitFirst(); // what was submitted since is later than the response
    }
  }

  /** The handler has returned; on its thread. */
  void onReturn(@Nullable Throwable thrown) {
    failure = thrown;
    try {
      exchange.head.keepLeft();
      BlockingWork waiting = handler.firstStep.take();
      if (waiting != null && thrown == null) {
        handler.start(handler.turns(), waiting); // which the loop would have carried
      }
    } catch (Throwable noMemory) {
      memory = null; // it is read further on, so the pool never gets it back
      failure = thrown == null ? noMemory : thrown;
    }
    exchange.use.onReturn();
    end.submit();
  }

  private void runDeferred(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable thrown) {
      exchange.context.loop.report(Incident.TASK_FAILED, thrown);
    }
  }

  /** Ends the run, in a turn. */
  @Override
  public void run() {
    over = true;
    exchange.afterHandler.end();
    ExchangeProgress progress = exchange.progress;
    Throwable thrown = failure;
    boolean completes = thrown == null && !progress.isEnded();
    if (progress.isAbandoned()) {
      handler.work.endIfAbandoned();
    } else if (completes) {
      handler.work.end();
    } else {
      handler.work.drop();
    }
    if (thrown != null) {
      fail(thrown);
    } else if (completes) {
      requireAnswer();
    }
    handler.calls.endTorn();
    releaseMemory();
    while (!deferred.isEmpty()) {
      runDeferred(deferred.remove());
    }
    if (completes && !handler.content.isAwaited()) {
      handler.work.failIfForgotten();
    }
    if (!progress.isEnded()) {
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
    if (exchange.use.isConfined()) {
      handler.sender.fail(thrown, true);
    } else {
      handler.sender.fail(thrown);
    }
  }

  private void requireAnswer() {
    boolean isBegun = handler.sender.isClosing() || handler.content.isAwaited();
    if (isBegun) {
      return;
    }
    try {
      exchange.requireAnswer();
    } catch (IllegalStateException unanswered) {
      handler.sender.fail(unanswered, true);
    }
  }
}
