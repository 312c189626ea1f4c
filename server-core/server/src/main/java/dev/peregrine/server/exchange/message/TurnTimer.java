package dev.peregrine.server.exchange.message;

import dev.peregrine.base.TimeText;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.LoopTimer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work of the application that runs in a turn of a connection after a delay, unless it is cancelled
 * or its owner ends first.
 */
public final class TurnTimer implements ScheduledWork {
  private static final Duration DELAY_MAX = Duration.ofDays(365 * 50);

  private final Connection connection;
  private final Runnable work;
  private final long dueNanos;
  private volatile boolean cancelled;
  private @Nullable LoopTimer timer; // this and all below: used by the loop only
  private @Nullable TurnTimers owner;

  /**
   * Creates a timer whose delay begins now; on any thread.
   *
   * @throws IllegalArgumentException if the delay is negative
   */
  public TurnTimer(Connection connection, Duration delay, Runnable work) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "delay is " + TimeText.of(delay) + ", but must not be negative");
    }
    boolean capped = delay.compareTo(DELAY_MAX) > 0;
    this.connection = connection;
    this.work = Objects.requireNonNull(work, "work");
    this.dueNanos = connection.loop().readClock() + (capped ? DELAY_MAX : delay).toNanos();
  }

  /** Starts the timer for an owner, which has added it; on the loop's thread. */
  void start(TurnTimers startedBy) {
    owner = startedBy;
    LoopTimer started = connection.loop().timer(() -> connection.execute(this::run));
    timer = started;
    started.start(Math.max(0, dueNanos - connection.loop().readClock()));
  }

  private void run() {
    TurnTimers target = owner;
    if (target != null && !cancelled) {
      cancelled = true;
      target.remove(this);
      target.run(work);
    }
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Ends the timer without its work; on the loop's thread. */
  void end() {
    cancelled = true;
    LoopTimer started = timer;
    if (started != null) {
      timer = null;
      started.cancel();
    }
  }

  @Override
  public void cancel() {
    if (cancelled) {
      return;
    }
    cancelled = true;
    LoopOwner loopOwner = connection.loop().owner();
    int entered = loopOwner.enter();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        endWithOwner();
      } else {
        connection.loop().execute(this::endWithOwner);
      }
    } finally {
      loopOwner.exit(entered);
    }
  }

  private void endWithOwner() {
    end();
    if (owner != null) {
      owner.remove(this);
    }
  }
}
