package dev.peregrine.server.exchange.message;

import dev.peregrine.http.Outcome;
import dev.peregrine.server.exchange.state.ExchangeObservers;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.observe.CloseReason;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The end of an exchange: its outcome, and the callbacks. Belongs to the event loop. */
public final class ExchangeEnd {
  private final ExchangeState exchange;
  private @Nullable Outcome cause; // null as long as no fault is known
  private @Nullable Addition first; // of the callbacks, in a list
  private @Nullable Addition last;
  private @Nullable TurnTimers timers;
  private @Nullable ExchangeRecord record; // created for the first listeners
  private boolean watched; // callbacks or listeners must be notified
  private boolean notifying;

  public ExchangeEnd(ExchangeState exchange) {
    this.exchange = exchange;
  }

  public void reset() {
    watched = false;
    cause = null;
    first = null;
    last = null;
    timers = null;
  }

  /** Begins the record of an exchange for the listeners. */
  public void begin(ExchangeObservers observers) {
    ExchangeRecord known = record;
    if (known == null) {
      known = new ExchangeRecord(exchange);
      record = known;
    }
    watched = true;
    known.begin(observers);
  }

  /** Returns true if callbacks or listeners must be notified of the end. */
  public boolean isWatched() {
    return watched;
  }

  /** Records that the head of the response was passed on, with all content or before it. */
  void onHead(int status, long bytes, boolean follows) {
    if (record != null) {
      record.onHead(status, bytes, follows);
    }
  }

  /** Records why the exchange does not end as its handler intended; the first reason counts. */
  public void note(Outcome reason) {
    if (cause == null) {
      cause = reason;
      watched = true;
    }
  }

  /** Returns how the exchange has ended, or would end now. */
  Outcome outcome() {
    return cause == null ? Outcome.COMPLETED : cause;
  }

  /**
   * Returns the step that adds a callback, for a turn of the connection. The step needs no memory,
   * because its caller, who has returned by then, relies on the call.
   */
  public Runnable adding(Consumer<Outcome> added) {
    return new Addition(this, Objects.requireNonNull(added, "callback"));
  }

  /** Adds a callback; calls it at once if the exchange has ended. */
  private void add(Addition added) {
    if (notifying || exchange.progress.isEnded()) {
      callAfterHandler(added);
      return;
    }
    Addition before = last;
    if (before == null) {
      first = added;
    } else {
      before.next = added;
    }
    last = added;
    watched = true;
  }

  private void callAfterHandler(Addition added) {
    added.late = true;
    try {
      exchange.afterHandler.run(added);
    } catch (Throwable noMemory) {
      added.run();
    }
  }

  /** A callback, and the steps that add it and call it late. */
  private static final class Addition implements Runnable {
    private final ExchangeEnd end;
    private final Consumer<Outcome> callback;
    private @Nullable Addition next; // in the list
    private boolean late;

    Addition(ExchangeEnd end, Consumer<Outcome> callback) {
      this.end = end;
      this.callback = callback;
    }

    @Override
    public void run() {
      if (late) {
        end.callLate(callback);
      } else {
        end.add(this);
      }
    }
  }

  /**
   * Starts a timer that ends with the exchange, unless that has ended already.
   *
   * @param runner runs its work, in a turn, and handles its exceptions
   */
  public void start(TurnTimer timer, Consumer<Runnable> runner) {
    if (notifying || exchange.progress.isEnded()) {
      timer.end();
      return;
    }
    if (timers == null) {
      timers = new TurnTimers(runner);
      watched = true;
    }
    timers.start(timer);
  }

  /** Returns true while callbacks run, which may read the exchange's data. */
  public boolean isNotifying() {
    return notifying;
  }

  /**
   * The exchange has ended. Never throws.
   *
   * @param closed why the connection was closed, if that ended the exchange
   */
  public void run(@Nullable CloseReason closed) {
    notifying = true;
    try {
      endTimers();
      Addition called = first;
      first = null;
      last = null;
      while (called != null) {
        call(called.callback, outcome());
        called = called.next;
      }
      if (record != null) {
        record.end(outcome(), closed);
      }
    } finally {
      notifying = false;
    }
  }

  private void endTimers() {
    try {
      if (timers != null) {
        timers.end();
      }
    } catch (Throwable thrown) {
      log("timers", thrown);
    }
  }

  /** Calls a callback that was added after the end, which may read the data like the others. */
  private void callLate(Consumer<Outcome> added) {
    boolean outer = notifying;
    notifying = true;
    try {
      call(added, outcome());
    } finally {
      notifying = outer;
    }
  }

  private void call(Consumer<Outcome> target, Outcome outcome) {
    try {
      target.accept(outcome);
    } catch (Throwable thrown) {
      log("onComplete", thrown);
    }
  }

  private void log(String source, Throwable thrown) {
    try {
      exchange.context.errors.log(exchange.head, source, thrown);
    } catch (Throwable unlogged) {
      // the next callback waits for its call
    }
  }
}
