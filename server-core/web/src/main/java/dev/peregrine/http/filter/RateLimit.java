package dev.peregrine.http.filter;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests a client may send in a time. Further requests get 429 with Retry-After
 * and the fields RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11). Of
 * several limits, one inside the other, each reports its own policy: give them {@linkplain
 * Builder#name names}.
 *
 * <pre>{@code
 * Handler api =
 *     RateLimit.builder(routes)
 *         .requests(100, Duration.ofMinutes(1))
 *         .burst(20)
 *         .by(request -> request.attribute(USER))
 *         .build();
 * }</pre>
 *
 * <p>Each client has a bucket of tokens, full at first, which fills evenly. A request takes a
 * token, and is rejected if there is none; a rejected request takes nothing.
 *
 * <p>A client is an address ({@link Request#remoteAddress}, so one that a trusted proxy reports,
 * and no other): the whole one of IPv4, the first 64 bits of IPv6, because a subscriber has at
 * least these. All peers of Unix domain sockets are one client. Or {@link Builder#by} names the
 * client, by the user that an outer filter has authenticated or by a field. A client that can
 * choose the name can also evade the limit.
 *
 * <p>Put it inside of {@link Cors}: preflight requests then take no tokens, and pages of other
 * origins can read a 429.
 *
 * <p>The memory is fixed when the filter is built. A bucket that is full again makes room for
 * others. If none is, a new client takes over the fullest of a few as it is, without the tokens
 * that are missing there. So no client ever gets more than the limit, whatever a flood of new ones
 * does. But if the clients whose buckets aren't full are more than {@link Builder#clientsMax}, some
 * share one and get less; and if clients that can have any number of addresses or names use all
 * buckets up, new ones get 429 until a token is there.
 *
 * <p>Thread-safe. Takes no lock, and allocates nothing for a request that passes from one of the
 * latest 16,384 addresses, unless {@link Builder#reported}. Two requests of a client at the very
 * same time may cost it a token more, or one less if its bucket is taken over meanwhile.
 */
public final class RateLimit implements Handler {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FILLED_NANOS_MAX = TimeUnit.DAYS.toNanos(365);

  private final Handler handler;
  private final ClientKeys keys;
  private final TokenBuckets buckets;
  private final LongSupplier clock;
  private final String name;
  private final PreparedFields policy;
  private final boolean reported;
  private final LongAdder rejected = new LongAdder();

  private RateLimit(Builder options) {
    handler = options.handler;
    keys = new ClientKeys(options.name, options.ipv6PrefixBits);
    clock = options.clock;
    long tokenNanos = Math.max(1, options.window.toNanos() / options.quota);
    int burst = options.burst == 0 ? options.quota : options.burst;
    if (tokenNanos > FILLED_NANOS_MAX / burst) {
      throw new IllegalArgumentException(
          "burst is " + burst + ", but would take more than a year to fill");
    }
    buckets = new TokenBuckets(tokenNanos, burst, options.clientsMax, clock.getAsLong());
    name = '"' + options.policyName + '"';
    String window = ";w=" + seconds(options.window.toNanos());
    policy = PreparedFields.of("RateLimit-Policy", name + ";q=" + options.quota + window);
    reported = options.reported;
  }

  /** Creates a builder with default options. */
  public static Builder builder(Handler handler) {
    return new Builder(handler);
  }

  /** Returns the number of requests that were rejected so far. */
  public long rejected() {
    return rejected.sum();
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    long now = clock.getAsLong();
    long taken = buckets.take(keys.of(request), now);
    if (taken < 0) {
      reject(-taken, response);
      return;
    }
    if (reported) {
      report(response, buckets.left(taken), buckets.untilNext(taken));
    }
    handler.handle(request, response);
  }

  private void reject(long waitNanos, Response response) {
    rejected.increment();
    report(response, 0, waitNanos);
    HttpException failure =
        new HttpException(HttpStatus.TOO_MANY_REQUESTS.code(), "too many requests");
    response.fail(failure.header(HeaderName.RETRY_AFTER, Long.toString(seconds(waitNanos))));
  }

  /** Adds the fields: other limits may have added theirs. */
  private void report(Response response, long left, long nanos) {
    response
        .addHeaders(policy)
        .addHeader("RateLimit", name + ";r=" + left + ";t=" + seconds(nanos));
  }

  /** Returns whole seconds, at least 1, rounded up: never more than is allowed in them. */
  private static long seconds(long nanos) {
    return Math.max(1, (nanos + SECOND_NANOS - 1) / SECOND_NANOS);
  }

  /** Options for a limit. A value out of its range throws {@link IllegalArgumentException}. */
  public static final class Builder {
    private static final int COUNT_MAX = 1_000_000;
    private static final int CLIENTS_LIMIT = 50_000_000;
    private static final int IPV6_BITS_MIN = 32;
    private static final int IPV6_BITS_MAX = 64;
    private static final Duration WINDOW_MAX = Duration.ofDays(1);

    private final Handler handler;
    private int quota = 100;
    private Duration window = Duration.ofMinutes(1);
    private int burst; // 0 for the quota
    private @Nullable Function<? super Request, ? extends @Nullable String> name;
    private int ipv6PrefixBits = IPV6_BITS_MAX;
    private int clientsMax = 100_000;
    private String policyName = "default";
    private boolean reported;
    private LongSupplier clock = System::nanoTime;

    private Builder(Handler handler) {
      this.handler = Objects.requireNonNull(handler);
    }

    /**
     * Sets how many requests a client may send in a time; 100 in a minute by default.
     *
     * @param count 1 to 1,000,000
     * @param time more than zero, at most a day
     */
    public Builder requests(int count, Duration time) {
      Range.check("count", count, 1, COUNT_MAX);
      Range.checkPositive("time", time);
      if (time.compareTo(WINDOW_MAX) > 0) {
        throw new IllegalArgumentException("time is " + time + ", but must be at most a day");
      }
      quota = count;
      window = time;
      return this;
    }

    /**
     * Sets how many requests a client may send at once after a pause, 1 to 1,000,000; by default as
     * many as in the whole time.
     */
    public Builder burst(int count) {
      burst = Range.check("burst", count, 1, COUNT_MAX);
      return this;
    }

    /**
     * Sets what names the client, in place of its address.
     *
     * @param clientName called for each request; returns null for a client without a name, which
     *     its address names then, so that it can't evade the limit by leaving the name out
     */
    public Builder by(Function<? super Request, ? extends @Nullable String> clientName) {
      name = Objects.requireNonNull(clientName);
      return this;
    }

    /** Sets how many bits of an IPv6 address name the client, 32 to 64; 64 by default. */
    public Builder ipv6PrefixBits(int bits) {
      ipv6PrefixBits = Range.check("ipv6PrefixBits", bits, IPV6_BITS_MIN, IPV6_BITS_MAX);
      return this;
    }

    /**
     * Sets how many clients whose buckets aren't full have one of their own, 1 to 50,000,000;
     * 100,000 by default. At that number, one in a thousand shares. Each takes 32 to 64 bytes.
     */
    public Builder clientsMax(int count) {
      clientsMax = Range.check("clientsMax", count, 1, CLIENTS_LIMIT);
      return this;
    }

    /**
     * Sets the name of the policy in the fields; {@code default} by default.
     *
     * @param policy visible ASCII characters and spaces, without quotes and backslashes
     */
    public Builder name(String policy) {
      if (policy.isEmpty() || !policy.matches("[ -~&&[^\"\\\\]]+")) {
        throw new IllegalArgumentException(
            "name must be visible ASCII characters and spaces, without quotes and backslashes");
      }
      policyName = policy;
      return this;
    }

    /**
     * Sets whether each response has the fields, with the tokens that are left ({@code r}) and the
     * seconds until there is one more ({@code t}), in which the client can use no others; by
     * default only those with 429 have them.
     */
    public Builder reported(boolean always) {
      reported = always;
      return this;
    }

    /** For tests: sets what returns the time in nanoseconds. */
    Builder clock(LongSupplier nanos) {
      clock = nanos;
      return this;
    }

    /**
     * Returns the handler.
     *
     * @throws IllegalArgumentException if an empty bucket would take more than a year to fill
     */
    public RateLimit build() {
      return new RateLimit(this);
    }
  }
}
