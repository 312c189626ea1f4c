package dev.peregrine.netty;

import dev.peregrine.http.Response;
import dev.peregrine.http.ScheduledWork;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.FailedFuture;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.OrderedEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of an exchange as one of Netty's executors, so that callbacks of Netty's futures,
 * and of libraries that take an {@link java.util.concurrent.Executor}, run on the loop, where they
 * may use the request and the response. A callback is handed over to the loop once, in the order of
 * the calls. Thread-safe.
 *
 * <pre>{@code
 * LoopExecutor loop = LoopExecutor.of(response.async());
 * loop.relay(client.get(key)).addListener(done -> response.text(String.valueOf(done.getNow())));
 * }</pre>
 *
 * <p>Tasks run one at a time. An exception of a task fails the exchange. That of a listener of a
 * future doesn't, because Netty catches and logs it: a listener that may throw calls {@link
 * Response#fail} itself. Tasks that are left when the exchange ends still run, so that they can
 * release what they hold: on the loop, or on a thread that submits another one. A use of the
 * response throws there. The loop belongs to the server: this executor can't be shut down.
 *
 * <p>Tasks that are scheduled run on the loop as well, by its timers. What such a task throws fails
 * its future, not the exchange. Those that wait when the exchange ends are cancelled; later ones
 * are rejected.
 */
public final class LoopExecutor extends AbstractScheduledEventExecutor
    implements OrderedEventExecutor {
  private static final long TIMER_NANOS_MAX = Duration.ofDays(365).toNanos();

  private final Response response;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Runnable next = this::runNext;
  private final Runnable due = this::runDue;
  private final AtomicInteger turns = new AtomicInteger(); // one that runs tasks, and others since
  private volatile boolean ended; // with the exchange
  private volatile @Nullable Thread running;

  // The timer of the first scheduled task, and its time. The loop's.
  private @Nullable ScheduledWork timer;
  private long timerDeadline = Long.MAX_VALUE;

  private LoopExecutor(Response response) {
    this.response = response;
  }

  /**
   * Returns the executor of an exchange, on whose event loop it runs tasks.
   *
   * @param response must be async ({@link Response#async}) before other threads submit tasks
   */
  public static LoopExecutor of(Response response) {
    LoopExecutor made = new LoopExecutor(response);
    response.onComplete(outcome -> made.end());
    return made;
  }

  /**
   * Returns a future that completes as another one does, and calls its listeners on the event loop.
   * To cancel it doesn't cancel the other one.
   */
  public <T> Future<T> relay(Future<T> other) {
    Promise<T> relayed = new DefaultPromise<>(this);
    other.addListener(new PromiseNotifier<>(false, relayed));
    return relayed;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task); // throws for null
    if (ended) {
      runRest();
    } else {
      response.onLoop(next);
    }
  }

  private void runNext() {
    Runnable task = tasks.poll();
    if (task != null) {
      runOnLoop(task);
    }
  }

  private void runDue() {
    timer = null;
    timerDeadline = Long.MAX_VALUE;
    runOnLoop(this::runScheduled);
  }

  private void runScheduled() {
    long now = ticker().nanoTime(); // one time, so that a short period doesn't keep the loop
    for (Runnable task = pollScheduledTask(now); task != null; task = pollScheduledTask(now)) {
      task.run(); // catches what the application's task throws
    }
  }

  private void runOnLoop(Runnable task) {
    boolean outermost = turns.getAndIncrement() == 0;
    Thread before = running;
    running = Thread.currentThread();
    try {
      task.run();
    } finally {
      if (outermost) {
        endTurns();
      }
      if (ended) {
        cancelScheduledTasks(); // a task with a period has been added again
      }
      running = before;
      if (!ended) {
        startTimer(); // throws if the response isn't async
      }
    }
  }

  private void startTimer() {
    long deadline = nextScheduledTaskDeadlineNanos(); // -1 for none
    if (deadline < 0 || deadline >= timerDeadline) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    timerDeadline = deadline;
    long delay = Math.clamp(deadline - ticker().nanoTime(), 0, TIMER_NANOS_MAX);
    timer = response.onLoopAfter(Duration.ofNanos(delay), due);
  }

  private void end() {
    ended = true;
    runOnLoop(this::runRest);
  }

  /** Runs all tasks, here or on the thread that runs one already. */
  private void runRest() {
    if (turns.getAndIncrement() == 0) {
      runAll();
      endTurns();
    }
  }

  /** Ends the turn of this thread, after what was left to it meanwhile. */
  private void endTurns() {
    for (int begun = turns.addAndGet(-1); begun > 0; begun = turns.addAndGet(-begun)) {
      runAll();
    }
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      if (task instanceof ScheduledFuture<?> scheduled) {
        scheduled.cancel(false); // on its way to the loop when the exchange ended
      } else {
        safeExecute(task); // logs what it throws
      }
    }
  }

  /** Called before a task is scheduled by a thread outside the tasks of this executor. */
  @Override
  protected boolean beforeScheduledTaskSubmitted(long deadlineNanos) {
    if (ended) {
      throw new RejectedExecutionException("the exchange has ended");
    }
    return true; // hands it over to the loop now
  }

  /** Returns true in a task of this executor, on its event loop. */
  @Override
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  public boolean inEventLoop(Thread thread) {
    return running == thread;
  }

  @Override
  public boolean isShuttingDown() {
    return false;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  /** Not supported: the event loop belongs to the server. */
  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    return terminationFuture();
  }

  /** Not supported: the event loop belongs to the server. */
  @Override
  @Deprecated
  public void shutdown() {
    throw new UnsupportedOperationException("the event loop belongs to the server");
  }

  /** Returns a future that has failed, because the end of a server isn't reported here. */
  @Override
  public Future<?> terminationFuture() {
    return new FailedFuture<>(
        this, new UnsupportedOperationException("the event loop belongs to the server"));
  }

  /** Returns false at once: the event loop belongs to the server. */
  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
