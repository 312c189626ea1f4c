package dev.peregrine.server.http2;

import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.ServerSettings;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 (RFC 9113), for the endpoints of a server: over TLS by ALPN, on plain text for clients
 * that begin with it.
 *
 * <pre>{@code
 * HttpServer.builder().with(Http2.create())
 * }</pre>
 */
@SuppressWarnings("exports") // what the server sees of it
public final class Http2 extends Feature {
  private final @Nullable UpkeepRules rules;

  private Http2(@Nullable UpkeepRules rules) {
    this.rules = rules;
  }

  /** Returns HTTP/2 for a server. */
  public static Http2 create() {
    return new Http2(null);
  }

  /**
   * Returns HTTP/2 that sends PINGs (RFC 9113 section 6.7), so that a client that has vanished is
   * noticed, and networks don't forget the connection. None are sent by default. Times are judged
   * about once a second. They don't run while the client doesn't take what is sent, for which it
   * has {@code ServerLimits.responseBytesPerSecondMin}.
   *
   * @param silence after the last frame of a client, until it gets a PING; positive
   * @param answer how long it may take for any frame, positive; then the connection is reset
   */
  public Http2 withPings(Duration silence, Duration answer) {
    return new Http2(rules().withPings(silence, answer));
  }

  /**
   * Returns HTTP/2 that limits the PINGs of clients as servers of gRPC do. Of those that are early,
   * two are permitted, and all are forgotten when the client sends a request or receives content.
   * The next one ends the connection with ENHANCE_YOUR_CALM and {@code too_many_pings}. Without
   * this, {@code Http2Limits.floodPointsMax} alone limits them, which always does.
   *
   * @param interval from one PING to the next that isn't early; positive
   * @param idle whether this also holds for a client without a request; else the interval is then 2
   *     hours, if it isn't longer
   */
  public Http2 withClientPings(Duration interval, boolean idle) {
    return new Http2(rules().withClientPings(interval, idle));
  }

  /**
   * Returns HTTP/2 whose connections end in order at an age: a GOAWAY, then the end when all
   * requests are answered. So clients look for other servers now and then. By default they may have
   * any age.
   *
   * @param age positive; for each connection up to a tenth shorter or longer, so that they don't
   *     all end at once
   * @param grace from then on, until requests are cut off; positive
   */
  public Http2 withAge(Duration age, Duration grace) {
    return new Http2(rules().withAge(age, grace));
  }

  private UpkeepRules rules() {
    return rules == null ? UpkeepRules.NONE : rules;
  }

  @Override
  protected boolean isHttp2() {
    return true;
  }

  @Override
  protected Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    return new OnLoop(context, options, rules);
  }

  // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.
  private record OnLoop(
      ExchangeContext context, ServerSettings options, @Nullable UpkeepRules rules)
      implements Supplier<Protocol> {
    @Override
    public Protocol get() {
      Http2HeadReader heads =
          new Http2HeadReader(options.limits.parser(), options.leniencies, true);
      boolean acceptsHttps = options.leniencies.contains(Leniency.HTTPS_TARGET);
      return new Http2Protocol(context, heads, options.serverName, acceptsHttps, rules);
    }
  }
}
