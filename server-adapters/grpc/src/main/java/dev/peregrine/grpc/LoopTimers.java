package dev.peregrine.grpc;

import dev.peregrine.http.Response;
import dev.peregrine.http.ScheduledWork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an event loop as the service that a {@code Context} wants for its deadline. A timer
 * ends with its exchange.
 */
final class LoopTimers extends AbstractExecutorService implements ScheduledExecutorService {
  private static final long DELAY_NANOS_MAX = TimeUnit.DAYS.toNanos(36_500 / 2);

  private final Response response;

  LoopTimers(Response response) {
    this.response = response;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    long nanos = Math.clamp(unit.toNanos(delay), 0, DELAY_NANOS_MAX);
    return new Timer(response.onLoopAfter(Duration.ofNanos(nanos), command));
  }

  @Override
  public void execute(Runnable command) {
    response.onLoop(command);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Runnable> shutdownNow() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  /** A timer, which a context only cancels. */
  private record Timer(ScheduledWork work) implements ScheduledFuture<Object> {
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      work.cancel();
      return true;
    }

    @Override
    public boolean isCancelled() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isDone() {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Object get() {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Object get(long timeout, TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }
}
