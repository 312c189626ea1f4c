package dev.peregrine.server.exchange.message;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The timers of one exchange, or of one connection that has left HTTP. Belongs to the loop. */
public final class TurnTimers {
  private final Consumer<Runnable> runner;
  private final Set<TurnTimer> timers = new HashSet<>();
  private boolean ended;

  /**
   * Creates an owner without timers.
   *
   * @param runner runs the work of a timer, in a turn, and handles its exceptions
   */
  public TurnTimers(Consumer<Runnable> runner) {
    this.runner = runner;
  }

  /** Starts a timer; does nothing once this has ended. */
  public void start(TurnTimer timer) {
    if (ended) {
      timer.end();
    } else if (!timer.isCancelled()) {
      timers.add(timer);
      timer.start(this);
    }
  }

  void remove(TurnTimer timer) {
    timers.remove(timer);
  }

  void run(Runnable work) {
    runner.accept(work);
  }

  /** Cancels all timers, also any that are started later. */
  public void end() {
    ended = true;
    timers.forEach(TurnTimer::end);
    timers.clear();
  }
}
