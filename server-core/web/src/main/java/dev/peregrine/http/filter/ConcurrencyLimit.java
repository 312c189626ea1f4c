package dev.peregrine.http.filter;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests a handler serves at a time. Further requests wait in a bounded queue, in
 * the order of their arrival. A request that finds the queue full, or has waited too long, gets 503
 * with Retry-After.
 *
 * <pre>{@code
 * Handler search =
 *     ConcurrencyLimit.builder(Handlers.blocking(this::search))
 *         .concurrentMax(20) // connections to the database
 *         .queueMax(100)
 *         .queueTime(Duration.ofSeconds(2))
 *         .build();
 * }</pre>
 *
 * <p>A request counts until its exchange has ended and the stages given to {@link
 * Response#async(java.util.function.Supplier)} are complete. So a handler that {@link
 * Handlers#blocking} runs counts until it returns, even if its client has vanished. Other work that
 * goes on after the exchange doesn't count. An upgrade counts until the connection is handed over.
 *
 * <p>The limit is fixed, or follows the latency of the handler ({@link Builder#latencyMax}), for
 * handlers whose capacity isn't known or changes.
 *
 * <p>A request whose client ends its side leaves the queue; it gets 503 in case it still reads. The
 * content of a waiting request isn't read.
 *
 * <p>The filter must be called on the event loop: put it around {@code Handlers.blocking}, not
 * inside. Thread-safe; it takes no lock.
 */
public final class ConcurrencyLimit implements Handler {
  private final Handler handler;
  private final int concurrentMax;
  private final int queueMax;
  private final @Nullable AdaptiveMax adaptive; // null: the limit is fixed
  private final Duration queueTime;
  private final PreparedFields retryAfter;
  private final AtomicInteger free;
  private final AtomicInteger places = new AtomicInteger(); // of the queue that are taken
  private final Queue<LimitedExchange> queue = new ConcurrentLinkedQueue<>();

  private ConcurrencyLimit(Builder options) {
    handler = options.handler;
    concurrentMax = options.concurrentMax;
    queueMax = options.queueMax;
    queueTime = options.queueTime;
    retryAfter =
        PreparedFields.of(
            HeaderName.RETRY_AFTER, Long.toString(Math.max(1, options.retryAfter.toSeconds())));
    adaptive = options.adaptive();
    free = new AtomicInteger(concurrentMax());
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  /** Returns the number of requests that count for the limit now. */
  public int inUse() {
    return concurrentMax() - free.get();
  }

  /** Returns how many requests are served at a time now, at most. */
  public int concurrentMax() {
    return adaptive == null ? concurrentMax : adaptive.get();
  }

  /** Returns the number of requests that wait now. */
  public int queued() {
    return places.get();
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.attribute(Handlers.BLOCKING) != null) {
      throw new IllegalStateException(
          "a ConcurrencyLimit must be around Handlers.blocking, not inside it");
    }
    if (places.get() == 0 && takePermit()) {
      handler.handle(request, admit(response));
    } else if (takePlace()) {
      await(request, response);
    } else {
      shed(response);
    }
  }

  private boolean takePermit() {
    return free.getAndUpdate(count -> count > 0 ? count - 1 : count) > 0;
  }

  private boolean takePlace() {
    return places.getAndUpdate(count -> count < queueMax ? count + 1 : count) < queueMax;
  }

  /** Returns the response of a request that has a permit. */
  private LimitedExchange admit(Response response) {
    try {
      LimitedExchange admitted = new LimitedExchange(this, response, LimitedExchange.ADMITTED);
      if (adaptive != null) {
        admitted.measure(); // fails if the exchange has ended
      }
      response.onComplete(admitted); // last: from here on, it returns the permit
      return admitted;
    } catch (Throwable failure) {
      release(0, 0);
      throw failure;
    }
  }

  /** Puts a request that has a place into the queue. */
  private void await(Request request, Response response) {
    LimitedExchange waiting;
    try {
      waiting = new LimitedExchange(this, response.async(), LimitedExchange.WAITING);
      waiting.await(queueTime, () -> serve(request, waiting));
      queue.add(waiting);
    } catch (Throwable failure) {
      places.decrementAndGet();
      throw failure;
    }
    response.onComplete(waiting).onClientClosed(waiting::giveUp);
    admitWaiting();
  }

  /**
   * Serves a request that has waited. What the handler throws fails the exchange as without the
   * wait, and not by {@link Response#fail}: another thread may be using the response.
   */
  private void serve(Request request, LimitedExchange admitted) {
    try {
      if (adaptive != null) {
        admitted.measure();
      }
      admitted.serve(handler, request);
    } catch (Exception failure) {
      ConcurrencyLimit.<RuntimeException>raise(failure);
    }
  }

  @SuppressWarnings("unchecked") // the server's boundary catches any exception
  private static <T extends Exception> void raise(Exception failure) throws T {
    throw (T) failure;
  }

  /** Answers a request that is not served. */
  void shed(Response response) {
    response
        .status(HttpStatus.SERVICE_UNAVAILABLE)
        .addHeaders(retryAfter)
        .text("the server is busy\n");
  }

  /** Removes a request that has stopped waiting. */
  void withdraw(LimitedExchange waiting) {
    if (queue.remove(waiting)) {
      places.decrementAndGet();
    }
  }

  /** Returns the time at which a request is admitted, for {@link #release}. */
  long now() {
    return adaptive == null ? 0 : adaptive.now();
  }

  /** Takes the permit of a request back that was admitted, and answered, at those times. */
  void release(long admittedNanos, long answeredNanos) {
    int change = adaptive == null ? 0 : adaptive.ended(answeredNanos - admittedNanos, inUse());
    free.addAndGet(1 + change); // below zero until enough have ended, if the limit has fallen
    admitWaiting();
  }

  /**
   * Gives free permits to those that wait. Who adds a permit or a request to the queue calls this
   * afterwards, so no request waits while a permit is free.
   */
  private void admitWaiting() {
    while (!queue.isEmpty() && takePermit()) {
      LimitedExchange next = queue.poll();
      if (next != null) {
        places.decrementAndGet();
      }
      if (next == null || !next.admit()) {
        free.incrementAndGet();
      }
    }
  }

  /** Options for a limit. A value out of its range throws {@link IllegalArgumentException}. */
  public static final class Builder {
    private static final int QUEUE_MAX = 1_000_000;

    private final Handler handler;
    private int concurrentMax = 100;
    private int queueMax = 100;
    private @Nullable Duration latencyMax; // null: the limit is fixed
    private int concurrentMin = 10;
    private LongSupplier clock = System::nanoTime;
    private Duration queueTime = Duration.ofSeconds(5);
    private Duration retryAfter = Duration.ofSeconds(1);

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Sets how many requests are served at a time, at least 1; 100 by default. It is the most if
     * the limit follows the {@linkplain #latencyMax latency}.
     */
    public Builder concurrentMax(int count) {
      concurrentMax = Range.check("concurrentMax", count, 1, Integer.MAX_VALUE);
      return this;
    }

    /**
     * Has the limit follow the latency, between {@link #concurrentMin} and {@code concurrentMax}.
     * Every tenth of a second it falls by a tenth if the responses of the requests that have ended
     * began later than this on average, and rises by a twentieth, at least 1, if they weren't and
     * as many were served as it permits. Neither the time in the queue counts, nor that in which a
     * slow client takes the response. For handlers whose latency grows with their load, such as
     * those of a database: choose two or three times the latency of a request that is alone. A
     * handler that waits for the content of its request isn't one of them, because slow clients
     * could lower the limit for all. Without this setting, the limit is fixed.
     */
    public Builder latencyMax(Duration time) {
      Range.checkPositive("latencyMax", time);
      latencyMax = time;
      return this;
    }

    /**
     * Sets where a limit that follows the latency begins, and how far it falls: at least 1, 10 by
     * default. With a {@code concurrentMax} below it, the limit stays at that.
     */
    public Builder concurrentMin(int count) {
      concurrentMin = Range.check("concurrentMin", count, 1, Integer.MAX_VALUE);
      return this;
    }

    /** For tests: sets what returns the time in nanoseconds. */
    Builder clock(LongSupplier nanos) {
      clock = nanos;
      return this;
    }

    private @Nullable AdaptiveMax adaptive() {
      return latencyMax == null
          ? null
          : new AdaptiveMax(
              Math.min(concurrentMin, concurrentMax), concurrentMax, latencyMax.toNanos(), clock);
    }

    /** Sets how many further requests wait, 0 to 1,000,000; 100 by default. */
    public Builder queueMax(int count) {
      queueMax = Range.check("queueMax", count, 0, QUEUE_MAX);
      return this;
    }

    /** Sets how long a request waits at most; 5 seconds by default. */
    public Builder queueTime(Duration time) {
      Range.checkPositive("queueTime", time);
      queueTime = time;
      return this;
    }

    /**
     * Sets after which time a client that got 503 shall try again (Retry-After, in whole seconds,
     * at least 1); 1 second by default.
     */
    public Builder retryAfter(Duration time) {
      Range.checkPositive("retryAfter", time);
      retryAfter = time;
      return this;
    }

    /** Returns the handler. */
    public ConcurrencyLimit build() {
      return new ConcurrencyLimit(this);
    }
  }
}
