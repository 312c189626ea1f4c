package dev.peregrine.spring;

import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Writes buffers as the client takes them. They arrive on any thread and are queued; steps on the
 * event loop write them, and demand as many again while less than the high-water mark is unsent.
 */
final class ContentWriter implements CoreSubscriber<DataBuffer>, Subscription {
  /** Buffers that may wait for the event loop: each of its steps writes several. */
  private static final int DEMAND = 16;

  private final AdaptedResponse adapted;
  private final Response response;
  private final CoreSubscriber<? super Void> actual;
  private final boolean flushes;
  private final Runnable step = this::step;
  private final Queue<DataBuffer> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean(); // a step, on its way to the loop
  private final AtomicBoolean done = new AtomicBoolean(); // the last signal was given
  private final AtomicReference<@Nullable Subscription> source = new AtomicReference<>();
  private volatile @Nullable Throwable failure;
  private volatile boolean completed;
  private volatile @Nullable ResponseStream stream;
  private int written; // the loop's: buffers since the last demand

  ContentWriter(AdaptedResponse adapted, CoreSubscriber<? super Void> actual, boolean flushes) {
    this.adapted = adapted;
    this.response = adapted.server();
    this.actual = actual;
    this.flushes = flushes;
  }

  /** Begins the response, unless it can't be sent any more. */
  void start() {
    try {
      stream = adapted.openStream();
      response.onComplete(outcome -> cancel()); // no step runs after the end of the exchange
    } catch (Throwable refused) {
      failWith(refused);
    }
  }

  // ---- the publisher's side ----

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription given) {
    if (!source.compareAndSet(null, given) || done.get()) {
      given.cancel();
    } else {
      given.request(DEMAND);
    }
  }

  @Override
  public void onNext(DataBuffer buffer) {
    waiting.add(buffer);
    if (done.get()) {
      discard();
    } else {
      schedule();
    }
  }

  @Override
  public void onError(Throwable cause) {
    failure = cause;
    completed = true;
    schedule();
  }

  @Override
  public void onComplete() {
    completed = true;
    schedule();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      response.onLoop(step);
    }
  }

  // ---- the subscription of the one who waits for the end ----

  @Override
  public void request(long n) {
    Operators.validate(n);
  }

  @Override
  public void cancel() {
    if (done.compareAndSet(false, true)) {
      stop();
    }
  }

  private void failWith(Throwable cause) {
    if (done.compareAndSet(false, true)) {
      stop();
      actual.onError(cause);
    }
  }

  private void stop() {
    Subscription current = source.getAndSet(Operators.cancelledSubscription());
    if (current != null) {
      current.cancel();
    }
    discard();
  }

  private void discard() {
    for (DataBuffer left = waiting.poll(); left != null; left = waiting.poll()) {
      DataBufferUtils.release(left);
    }
  }

  // ---- the event loop's side ----

  private void step() {
    scheduled.set(false); // first: a later signal schedules another step
    ResponseStream out = stream;
    if (out == null || done.get()) {
      return;
    }
    try {
      boolean last = completed; // first, so that earlier buffers are written before the end
      writeAll(out);
      if (last) {
        finish();
      } else {
        demand(out);
      }
    } catch (Throwable thrown) {
      failWith(thrown);
    }
  }

  private void writeAll(ResponseStream out) {
    int before = written;
    for (DataBuffer next = waiting.poll(); next != null; next = waiting.poll()) {
      write(out, next);
      written++;
    }
    if (flushes && written > before) {
      out.flush();
    }
  }

  private static void write(ResponseStream out, DataBuffer buffer) {
    if (buffer instanceof DefaultDataBuffer unpooled) {
      out.write(unpooled.getNativeBuffer());
      return;
    }
    SentBuffer sent = new SentBuffer(buffer);
    try {
      while (sent.hasNext()) {
        out.write(sent.next(), sent);
      }
    } finally {
      sent.release();
    }
  }

  private void finish() {
    if (done.compareAndSet(false, true)) {
      Throwable cause = failure;
      if (cause == null) {
        actual.onComplete();
      } else {
        actual.onError(cause);
      }
    }
  }

  private void demand(ResponseStream out) {
    Subscription current = source.get();
    if (written == 0 || current == null) {
      return;
    }
    if (!out.hasContent()) {
      stop(); // only the status and the fields are sent
      finish();
    } else if (out.isWritable()) {
      int more = written;
      written = 0;
      current.request(more);
    } else {
      out.onWritable(step);
    }
  }
}
