package dev.peregrine.server.http2;

import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.ServerSettings;
import java.util.function.Supplier;

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
  private Http2() {}

  /** Returns HTTP/2 for a server. */
  public static Http2 create() {
    return new Http2();
  }

  @Override
  protected boolean isHttp2() {
    return true;
  }

  @Override
  protected Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    return new OnLoop(context, options);
  }

  // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.
  private record OnLoop(ExchangeContext context, ServerSettings options)
      implements Supplier<Protocol> {
    @Override
    public Protocol get() {
      Http2HeadReader heads =
          new Http2HeadReader(options.limits.parser(), options.leniencies, true);
      boolean acceptsHttps = options.leniencies.contains(Leniency.HTTPS_TARGET);
      return new Http2Protocol(context, heads, options.serverName, acceptsHttps);
    }
  }
}
