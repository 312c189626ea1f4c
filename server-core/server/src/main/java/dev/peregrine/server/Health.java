package dev.peregrine.server;

import dev.peregrine.base.Log;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.server.start.RunningServer;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of a server, for balancers and supervisors: handlers that answer 200 or 503.
 *
 * <pre>{@code
 * Health health = new Health().check("database", pool::isUp);
 * HttpServer server =
 *     HttpServer.builder()
 *         .health(health)
 *         .handler(
 *             Routes.builder()
 *                 .get("/livez", health.liveness())
 *                 .get("/readyz", health.readiness())
 *                 .get("/*", site)
 *                 .build())
 *         .start();
 * }</pre>
 *
 * <p>The handlers work in any server, so a second one on a port for operators can report the health
 * of the first. They block nothing, allocate nothing, and forbid caches to store the response. An
 * object of this class belongs to the server that was last started with it. Thread-safe.
 */
public final class Health {
  private static final PreparedFields NOT_STORED = PreparedFields.of("Cache-Control", "no-store");
  private static final byte[] OK = line("ok");
  private static final byte[] NOT_LIVE = line("not live");
  private static final byte[] NOT_SERVING = line("not serving");
  private static final byte[] NOT_READY = line("not ready");

  private volatile boolean ready = true;
  private volatile Check[] checks = {};
  private volatile @Nullable RunningServer server; // null before the start

  /** A condition of the application, with the response's content while it doesn't hold. */
  private static final class Check {
    private final BooleanSupplier condition;
    private final byte[] failed;
    private final String thrown; // for the log
    private volatile boolean throwsNow; // so that a failure is logged once, until it is over

    Check(String name, BooleanSupplier condition) {
      this.condition = condition;
      this.failed = line("not ready: " + name);
      this.thrown = "the check " + name + " has thrown";
    }

    boolean holds() {
      try {
        boolean holds = condition.getAsBoolean();
        throwsNow = false;
        return holds;
      } catch (Throwable failure) {
        if (!throwsNow) {
          throwsNow = true;
          Log.add(Level.ERROR, thrown, failure);
        }
        return false;
      }
    }
  }

  /** Creates the health of a server that is started later. The application is ready. */
  public Health() {}

  /**
   * Sets whether the application is ready for requests: false while it warms up, or before it
   * leaves for a reason that the server doesn't know.
   */
  public Health ready(boolean value) {
    ready = value;
    return this;
  }

  /**
   * Adds a condition for readiness.
   *
   * @param name a token of up to 64 characters (RFC 9110 section 5.6.2), which the response
   *     contains while the condition does not hold
   * @param condition called for each request for readiness, on the event loop, so it must only read
   *     a state that the application keeps; not ready if it throws, which is logged
   * @throws IllegalArgumentException for any other name
   */
  public synchronized Health check(String name, BooleanSupplier condition) {
    if (name.length() > 64 || !FieldSyntax.isToken(name)) {
      throw new IllegalArgumentException("name of a check is not a token: " + name);
    }
    Check[] more = Arrays.copyOf(checks, checks.length + 1);
    more[checks.length] = new Check(name, Objects.requireNonNull(condition));
    checks = more;
    return this;
  }

  /**
   * Returns a handler that answers 200 as long as the server's event loops can work: 503 before the
   * start, after the end, and once {@link HttpServerBuilder#onFatal} has been called. A supervisor
   * restarts the program at 503. Draining is live.
   */
  public Handler liveness() {
    return new Probe(this, false);
  }

  /**
   * Returns a handler that answers 200 while requests should be sent to the server: 503 before the
   * start, from the first moment of {@link HttpServer#drain} on, when the server isn't live, and
   * while the application is not {@linkplain #ready ready} or a check fails. A balancer sends no
   * requests to the server at 503.
   */
  public Handler readiness() {
    return new Probe(this, true);
  }

  /** Answers a probe. */
  private record Probe(Health health, boolean readiness) implements Handler {
    @Override
    public void handle(Request request, Response response) {
      byte[] obstacle = readiness ? health.obstacle() : health.fault();
      response
          .status(obstacle == null ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
          .addHeaders(NOT_STORED)
          .contentType(ContentType.TEXT_PLAIN)
          .send(obstacle == null ? OK : obstacle);
    }
  }

  /** Returns true if {@link #liveness} answers 200. */
  public boolean isLive() {
    RunningServer known = server;
    return known != null && known.isLive();
  }

  /** Returns true if {@link #readiness} answers 200. Calls the checks. */
  public boolean isReady() {
    return obstacle() == null;
  }

  /** Returns the content of the response if the server is not live; null if it is live. */
  private byte @Nullable [] fault() {
    return isLive() ? null : NOT_LIVE;
  }

  /** Returns why the server is not ready, as content of the response; null if it is ready. */
  private byte @Nullable [] obstacle() {
    RunningServer known = server;
    if (known == null || known.isEnding() || !known.isLive()) {
      return NOT_SERVING;
    }
    if (!ready) {
      return NOT_READY;
    }
    for (Check check : checks) {
      if (!check.holds()) {
        return check.failed;
      }
    }
    return null;
  }

  /** The server that this belongs to has started. */
  void attach(RunningServer started) {
    server = started;
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }
}
