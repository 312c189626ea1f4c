package dev.peregrine.http.filter;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ScheduledWork;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of a {@link ConcurrencyLimit}, as its response. Returns its permit once, when all that
 * holds it has ended: the exchange, and each stage of the handler's work.
 *
 * <pre>
 *   WAITING ──admit──▶ 1 or more holds ──the last hold ends──▶ OVER
 *      └──────────the client or its time has gone──────────────▶
 * </pre>
 */
final class LimitedExchange extends ForwardingResponse implements Consumer<Outcome>, Runnable {
  static final int WAITING = -1;
  static final int ADMITTED = 1; // one hold: the exchange's
  private static final int OVER = 0;

  private final ConcurrencyLimit limit;
  private final AtomicInteger holds;
  private long admittedNanos; // this and below: published by the holds
  private long committedNanos;
  private boolean isCommitted;
  private @Nullable ScheduledWork timer; // both: set before it waits
  private @Nullable Runnable work;
  private boolean answersLater; // written by the handler before it returns

  LimitedExchange(ConcurrencyLimit limit, Response response, int holds) {
    super(response);
    this.limit = limit;
    this.admittedNanos = holds == ADMITTED ? limit.now() : 0;
    this.holds = new AtomicInteger(holds);
  }

  /** Begins to wait, for that time at most; on the event loop. */
  void await(Duration time, Runnable served) {
    work = served;
    timer = wrapped().onLoopAfter(time, this::giveUp);
  }

  /** Stops waiting without a permit; on the event loop. */
  void giveUp() {
    if (stopWaiting()) {
      limit.shed(wrapped());
    }
  }

  /** Takes a permit, and runs the work on its event loop. Returns false if it doesn't wait. */
  boolean admit() {
    admittedNanos = limit.now(); // before another thread may end the hold
    if (!holds.compareAndSet(WAITING, ADMITTED)) {
      return false;
    }
    Objects.requireNonNull(timer).cancel();
    wrapped().onLoop(Objects.requireNonNull(work));
    return true;
  }

  /** Notes when the response begins, for a limit that follows the latency; on the event loop. */
  void measure() {
    wrapped().beforeCommit(this);
  }

  /** The response begins. What follows may depend on how fast its client reads. */
  @Override
  public void run() {
    committedNanos = limit.now();
    isCommitted = true;
  }

  /** The exchange has ended. */
  @Override
  public void accept(Outcome outcome) {
    if (!stopWaiting() && holds.get() != OVER) {
      endHold();
    }
  }

  private boolean stopWaiting() {
    boolean stopped = holds.compareAndSet(WAITING, OVER);
    if (stopped) {
      limit.withdraw(this);
    }
    return stopped;
  }

  private void endHold() {
    if (holds.decrementAndGet() == OVER) {
      limit.release(admittedNanos, isCommitted ? committedNanos : limit.now());
    }
  }

  /**
   * Serves a request that has waited. The exchange is async since then, so the server doesn't
   * notice a handler that returns without a response: this does.
   *
   * @throws IllegalStateException if the handler returns without a response, and none can follow
   */
  void serve(Handler handler, Request request) throws Exception {
    handler.handle(new WithNoticedBody(request), this);
    if (!answersLater && !isCommitted()) {
      throw new IllegalStateException(
          "the handler returned without a response: complete it, or call async()");
    }
  }

  /** A request whose handler may respond when it has received the content. */
  private final class WithNoticedBody extends ForwardingRequest {
    WithNoticedBody(Request request) {
      super(request);
    }

    @Override
    public RequestBody body() {
      answersLater = true;
      return super.body();
    }
  }

  @Override
  public Response async() {
    answersLater = true;
    return super.async();
  }

  @Override
  public Response async(Duration beginsWithin) {
    answersLater = true;
    return super.async(beginsWithin);
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> started) {
    Objects.requireNonNull(started, "work");
    answersLater = true;
    wrapped()
        .async(
            started instanceof BlockingWork blocking
                ? new HeldWork(blocking)
                : () -> holdWhile(started));
    return this;
  }

  /** The work of a blocking handler, which holds the permit. */
  private final class HeldWork implements BlockingWork {
    private final BlockingWork blocking;

    HeldWork(BlockingWork blocking) {
      this.blocking = blocking;
    }

    @Override
    public void run(long nowNanos) throws Exception {
      boolean held = hold();
      try {
        blocking.run(nowNanos);
      } finally {
        if (held) {
          endHold();
        }
      }
    }

    @Override
    public CompletionStage<?> start(BlockingWork outermost) {
      return holdWhile(() -> blocking.start(outermost)); // before its thread runs
    }
  }

  private boolean hold() {
    return holds.getAndUpdate(count -> count == OVER ? OVER : count + 1) != OVER;
  }

  private CompletionStage<?> holdWhile(Supplier<? extends CompletionStage<?>> started) {
    boolean held = hold();
    try {
      CompletionStage<?> stage = Objects.requireNonNull(started.get(), "the work has no stage");
      return held ? holdWhile(stage) : stage;
    } catch (Throwable failure) {
      if (held) {
        endHold();
      }
      throw failure;
    }
  }

  /**
   * Returns a stage that completes after the hold has ended. It isn't the one that {@code
   * whenComplete} returns: without memory for its result, that one never completes.
   */
  private CompletionStage<?> holdWhile(CompletionStage<?> stage) {
    CompletableFuture<Object> ended = new CompletableFuture<>();
    stage.whenComplete(
        (ignored, failure) -> {
          try {
            endHold();
          } finally {
            complete(ended, failure);
          }
        });
    return ended;
  }

  private static void complete(CompletableFuture<Object> stage, @Nullable Throwable failure) {
    try {
      if (failure != null) {
        stage.completeExceptionally(failure);
      }
    } finally {
      stage.complete(null); // does nothing after a failure, which needs memory
    }
  }
}
