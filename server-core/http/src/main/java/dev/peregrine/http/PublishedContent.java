package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the buffers of a publisher to a response, one at a time: the next one is requested when
 * the client is not behind. A signal, which may arrive on any thread, is only noted. Everything
 * else happens in a separate step on the event loop, so that signals of several threads stay in
 * order, calls of the subscription never overlap, and a publisher that emits within {@code request}
 * doesn't recurse.
 */
@SuppressWarnings("ReferenceEquality") // NOTHING stands for itself
final class PublishedContent implements Flow.Subscriber<ByteBuffer> {
  private static final Duration LOOK = Duration.ofSeconds(5); // arbitrary

  private final Response response;
  private final @Nullable Consumer<? super ByteBuffer> whenSent; // null: not given back
  private final Runnable step = this::step;
  private final AtomicBoolean scheduled = new AtomicBoolean(); // a step, on its way to the loop
  private final AtomicReference<Flow.@Nullable Subscription> subscription =
      new AtomicReference<>(); // null before onSubscribe, and NOTHING after the end
  private final AtomicReference<@Nullable ByteBuffer> emitted = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean completed;
  private volatile boolean requested; // a buffer that was not taken yet; the loop sets it
  private volatile boolean done; // the response is complete, has failed, or was abandoned
  private @Nullable ResponseStream stream; // null if the response has refused it
  private boolean unflushed; // the loop's: a buffer that was written since the last flush

  private PublishedContent(Response response, @Nullable Consumer<? super ByteBuffer> whenSent) {
    this.response = response;
    this.whenSent = whenSent;
  }

  /**
   * Sends the buffers of a publisher. If the response can't be sent any more, cancels and throws.
   */
  static void send(
      Response response,
      Flow.Publisher<? extends ByteBuffer> publisher,
      @Nullable Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(publisher, "publisher");
    PublishedContent content = new PublishedContent(response, whenSent);
    try {
      content.start();
    } catch (Throwable refused) {
      content.refuse(publisher, refused);
      throw refused;
    }
    try {
      publisher.subscribe(content);
    } catch (Throwable thrown) {
      content.fail(thrown);
    }
  }

  private void start() {
    response.async();
    ResponseStream begun = response.stream();
    try {
      stream = begun;
      response.onAbort(cause -> cancel());
      begun.onWritable(step); // the response isn't over when a handler returns
      lookLater();
    } catch (Throwable failure) {
      response.fail(failure); // or the return of a handler that catches it would complete it
      throw failure;
    }
  }

  /** Cancels a publisher that can't be used, so that it releases its resources. */
  private void refuse(Flow.Publisher<? extends ByteBuffer> publisher, Throwable refused) {
    cancel();
    try {
      publisher.subscribe(this);
    } catch (Throwable thrown) {
      refused.addSuppressed(thrown);
    }
  }

  // ---- the publisher's side ----

  @Override
  public void onSubscribe(Flow.Subscription given) {
    requireSignal(given, "the publisher has no subscription");
    if (subscription.compareAndSet(null, given)) {
      schedule();
    } else {
      given.cancel(); // a second one, or the response is over
    }
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    requireSignal(buffer, "the publisher emitted null");
    Flow.Subscription current = subscription.get();
    boolean kept = false;
    if (current == null) {
      fail(new IllegalStateException("the publisher emitted before it called onSubscribe"));
    } else if (current != BodyPublisher.NOTHING) {
      kept = requested && emitted.compareAndSet(null, own(buffer));
      if (kept) {
        schedule();
      } else {
        fail(new IllegalStateException("the publisher emitted more than was requested"));
      }
    }
    if (!kept) {
      giveBack(buffer);
    } else if (done) {
      drop();
    }
  }

  /** Returns a separate view if the publisher may change position and limit. */
  private ByteBuffer own(ByteBuffer buffer) {
    return whenSent == null ? buffer.duplicate() : buffer;
  }

  private void giveBack(ByteBuffer buffer) {
    if (whenSent != null) {
      whenSent.accept(buffer);
    }
  }

  /** Gives back a buffer that won't be written. */
  private void drop() {
    ByteBuffer dropped = emitted.getAndSet(null);
    if (dropped != null) {
      giveBack(dropped);
    }
  }

  @Override
  public void onError(Throwable cause) {
    requireSignal(cause, "the publisher failed without a cause");
    if (subscription.getAndSet(BodyPublisher.NOTHING) != BodyPublisher.NOTHING) {
      fail(cause);
    }
  }

  @Override
  public void onComplete() {
    Flow.Subscription before = subscription.getAndSet(BodyPublisher.NOTHING);
    if (before == null) {
      fail(new IllegalStateException("the publisher completed before it called onSubscribe"));
    } else if (before != BodyPublisher.NOTHING) {
      completed = true;
      schedule();
    }
  }

  /** Fails the exchange and throws if the signal is null (Reactive Streams 1.0.4, rule 2.13). */
  private void requireSignal(@Nullable Object signal, String otherwise) {
    if (signal == null) {
      NullPointerException broken = new NullPointerException(otherwise);
      fail(broken);
      throw broken;
    }
  }

  private void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      schedule();
    }
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        response.onLoop(step);
      } catch (Throwable noMemory) {
        scheduled.set(false); // the next look finds the signal
      }
    }
  }

  // ---- the event loop's side ----

  /** Cancels the subscription, because the response can't be completed. */
  private void cancel() {
    done = true;
    try {
      drop();
    } finally {
      Flow.Subscription current = subscription.getAndSet(BodyPublisher.NOTHING);
      if (current != null) {
        current.cancel();
      }
    }
  }

  private void lookLater() {
    ScheduledWork _ = response.onLoopAfter(LOOK, this::look);
  }

  /** Looks for a signal that nobody could schedule a step for, because the heap was full. */
  private void look() {
    step();
    if (!done) {
      lookLater();
    }
  }

  private void step() {
    scheduled.set(false); // first: a later signal schedules another step
    if (done) {
      return;
    }
    try {
      Throwable cause = failure.get();
      if (cause == null) {
        advance();
      } else {
        abort(cause);
      }
    } catch (Throwable thrown) {
      abort(thrown);
    }
  }

  /** Fails the exchange, which cancels. */
  private void abort(Throwable cause) {
    done = true;
    response.fail(cause);
  }

  private void advance() {
    ResponseStream target = Objects.requireNonNull(stream);
    boolean last = completed; // first, so that an earlier buffer is written before the end
    boolean taken = take(target);
    if (last) {
      done = true;
      target.complete();
    } else if (taken && !target.hasContent()) {
      cancel(); // only the status and the fields are sent
      target.complete();
    } else if (!requested) {
      request(target);
    }
  }

  /** Writes the emitted buffer, if any. */
  private boolean take(ResponseStream target) {
    ByteBuffer buffer = emitted.get();
    if (buffer == null) {
      return false;
    }
    requested = false; // first: nothing may take the place that becomes free
    emitted.set(null); // only the loop takes it, unless the response is over
    boolean isEmpty = !buffer.hasRemaining();
    if (whenSent != null) {
      target.write(buffer, whenSent);
    } else if (!isEmpty) {
      target.write(buffer);
    }
    unflushed |= !isEmpty;
    return true;
  }

  private void request(ResponseStream target) {
    Flow.Subscription current = subscription.get();
    if (current == null) {
      return; // the publisher has yet to call onSubscribe
    }
    if (!target.isWritable()) {
      target.onWritable(step);
      return;
    }
    requested = true;
    current.request(1);
    if (unflushed && !scheduled.get() && !done) {
      unflushed = false;
      target.flush(); // the publisher has nothing ready: a coding must not hold back the rest
    }
  }
}
