package dev.peregrine.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Passes the content on as the subscriber demands it. The connection isn't read while a buffer
 * waits without demand. The event loop and the demanding thread meet in {@link #drain}: the first
 * to arrive emits for both, so that signals never overlap.
 */
final class BodySubscription implements Flow.Subscription, BodyListener {
  private final RequestBody body;
  private final Queue<ByteBuffer> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong demand = new AtomicLong();
  private final AtomicInteger turns = new AtomicInteger(); // drains that were requested
  private final AtomicBoolean paused = new AtomicBoolean();
  private volatile boolean demanded; // the subscriber has requested at least one buffer
  private volatile boolean ended;
  private volatile boolean done; // cancelled, or the last signal was given
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Throwable broken; // an exception of the subscriber on another thread
  private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber; // emit's, until the last signal

  BodySubscription(RequestBody body, Flow.Subscriber<? super ByteBuffer> subscriber) {
    this.body = body;
    this.subscriber = subscriber;
  }

  /** Starts receiving the content, paused until the first demand. */
  void start() {
    if (done) {
      return;
    }
    try {
      pause();
      body.receive(this);
    } catch (RuntimeException refused) {
      failure = refused;
    }
    drain();
  }

  // ---- the subscriber's side ----

  @Override
  public void request(long n) {
    if (n <= 0) {
      failure = new IllegalArgumentException("demand is " + n + ", but must be at least 1");
    } else {
      demanded = true;
      demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }
    try {
      drain();
    } catch (Throwable thrown) {
      resume(); // the next call on the loop fails the exchange
      throw thrown;
    }
  }

  @Override
  public void cancel() {
    done = true;
    drain();
  }

  // ---- the event loop's side ----

  @Override
  public void onData(Bytes data) {
    checkNotBroken();
    if (!done) {
      waiting.add(ByteBuffer.wrap(data.toArray()));
      drain();
    }
    if (done || !waiting.isEmpty()) {
      pause();
      drain(); // demand may have arrived since
    }
  }

  @Override
  public void onEnd() {
    checkNotBroken();
    ended = true;
    drain();
  }

  @Override
  public void onError(IOException cause) {
    failure = cause;
    drain();
  }

  // ---- both ----

  private void drain() {
    if (turns.getAndIncrement() != 0) {
      return;
    }
    int asked = 1;
    do {
      emit();
      asked = turns.addAndGet(-asked);
    } while (asked != 0);
  }

  private void emit() {
    Flow.Subscriber<? super ByteBuffer> target = subscriber;
    if (target == null) {
      waiting.clear();
      return;
    }
    try {
      emitTo(target);
    } catch (Throwable thrown) {
      end();
      broken = thrown;
      throw thrown;
    }
  }

  private void emitTo(Flow.Subscriber<? super ByteBuffer> target) {
    Throwable cause = failure;
    if (!done && cause != null) {
      done = true;
      target.onError(cause);
    }
    while (!done && demand.get() > 0 && !waiting.isEmpty()) {
      demand.decrementAndGet();
      target.onNext(waiting.remove());
    }
    if (!done && waiting.isEmpty() && ended) {
      done = true;
      target.onComplete();
    }
    if (done) {
      end();
    } else if (waiting.isEmpty() && demanded) {
      resume();
    }
  }

  /** Pauses, before a demand can resume. */
  private void pause() {
    body.pause();
    paused.set(true);
  }

  private void resume() {
    if (paused.getAndSet(false)) {
      body.resume();
    }
  }

  /**
   * A subscriber that throws within {@code request} throws at the caller: the exchange fails too.
   */
  private void checkNotBroken() {
    Throwable thrown = broken;
    if (thrown != null) {
      broken = null;
      throw new IllegalStateException("the subscriber of the content failed", thrown);
    }
  }

  private void end() {
    done = true;
    waiting.clear();
    subscriber = null;
  }
}
