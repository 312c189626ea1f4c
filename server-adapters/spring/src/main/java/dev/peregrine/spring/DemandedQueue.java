package dev.peregrine.spring;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Items that an event loop receives, for one subscriber, who takes them on any thread. While an
 * item waits for demand, the source is paused. The loop and the demanding thread meet in {@link
 * #drain}: the first to arrive emits for both, so that signals never overlap.
 */
abstract class DemandedQueue<T> implements Publisher<T>, Subscription {
  private final Queue<T> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong demand = new AtomicLong();
  private final AtomicInteger turns = new AtomicInteger(); // drains that were requested
  private final AtomicBoolean subscribed = new AtomicBoolean();
  private final AtomicBoolean paused = new AtomicBoolean();
  private volatile boolean ended;
  private volatile boolean done; // cancelled, or the last signal was given
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Subscriber<? super T> subscriber; // null before and after

  // ---- the source ----

  /** Called once, after the subscriber has its subscription. */
  abstract void begin();

  /** Stops the source from passing items on. */
  abstract void pauseSource();

  /** Lets the source continue. */
  abstract void resumeSource();

  /** Releases an item that no subscriber gets. */
  abstract void discard(T item);

  /**
   * Returns true if the source continues when the subscriber has cancelled, so that its end is
   * noticed; its items are then discarded.
   */
  abstract boolean readsOn();

  /** Passes an item on. Called by the source, on its event loop. */
  final void offer(T item) {
    waiting.add(item);
    drain();
    if (!waiting.isEmpty() || (done && !readsOn())) {
      pause();
      drain(); // demand may have arrived since
    }
  }

  /** Ends the items. Called once by the source, or else {@link #fail}. */
  final void end() {
    ended = true;
    drain();
  }

  /** Ends the items at once: those that wait are discarded. */
  final void fail(Throwable cause) {
    failure = cause;
    drain();
  }

  /** Pauses the source, before a demand can resume it. */
  final void pause() {
    pauseSource();
    paused.set(true);
  }

  // ---- the subscriber ----

  @Override
  public final void subscribe(Subscriber<? super T> target) {
    if (!subscribed.compareAndSet(false, true)) {
      target.onSubscribe(new Nothing());
      target.onError(new IllegalStateException("the content can have one subscriber only"));
      return;
    }
    target.onSubscribe(this);
    try {
      if (!done) {
        begin();
      }
    } catch (RuntimeException rejected) {
      failure = rejected;
    }
    subscriber = target; // not before: nothing is emitted until onSubscribe has returned
    drain();
  }

  @Override
  public final void request(long n) {
    if (n <= 0) {
      failure = new IllegalArgumentException("demand is " + n + ", but must be at least 1");
    } else {
      demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }
    drain();
  }

  @Override
  public final void cancel() {
    done = true;
    drain();
  }

  // ---- both ----

  private void drain() {
    if (turns.getAndIncrement() != 0) {
      return;
    }
    int left = 1;
    do {
      emit();
      left = turns.addAndGet(-left);
    } while (left != 0);
  }

  private void emit() {
    Subscriber<? super T> target = subscriber;
    if (!done && target != null) {
      emitTo(target);
    }
    if (done) {
      subscriber = null;
      discardAll();
      if (readsOn()) {
        resume();
      }
    } else if (target != null && waiting.isEmpty() && demand.get() > 0) {
      resume();
    }
  }

  private void emitTo(Subscriber<? super T> target) {
    Throwable cause = failure;
    if (cause != null) {
      done = true;
      target.onError(cause);
    }
    boolean last = ended; // first, so that earlier items are emitted before the end
    while (!done && demand.get() > 0 && !waiting.isEmpty()) {
      if (demand.get() != Long.MAX_VALUE) {
        demand.decrementAndGet();
      }
      target.onNext(waiting.remove());
    }
    if (!done && last && waiting.isEmpty()) {
      done = true;
      target.onComplete();
    }
  }

  private void resume() {
    if (paused.getAndSet(false)) {
      resumeSource();
    }
  }

  private void discardAll() {
    for (T item = waiting.poll(); item != null; item = waiting.poll()) {
      discard(item);
    }
  }

  /** The subscription of a second subscriber. */
  private static final class Nothing implements Subscription {
    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  }
}
