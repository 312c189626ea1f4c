package dev.peregrine.server;

import dev.peregrine.http.Handler;
import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.exchange.ExchangeReuse;
import dev.peregrine.server.exchange.WebSocketOpener;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.websocket.WebSocketContext;
import dev.peregrine.server.websocket.deflate.CompressionBudget;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** HTTP on the event loops of one server: a protocol for each loop, with the same parser. */
final class HttpProtocols implements Function<EventLoop, Protocol> {
  /** HTTP/1 of one event loop. */
  private record OnLoop(ExchangeContext context, Http1 http1) {}

  private static final int COMPRESSION_LEVEL = 6; // zlib's default

  private final HttpServerBuilder options;
  private final Handler handler;
  private final RequestParser parser; // replaced by parseWith
  private final ExchangeReuse reuse;
  private volatile ScannerKind scanner;
  private final List<OnLoop> created = new ArrayList<>();
  private @Nullable CompressionPool compression; // created for the first compressed WebSocket

  HttpProtocols(HttpServerBuilder options, Handler handler, RequestParser parser) {
    this.options = options;
    this.handler = handler;
    this.parser = parser;
    this.scanner = parser.scanner();
    this.reuse = new ExchangeReuse(options.ownExchanges());
  }

  /** Creates the protocol of a loop that doesn't run yet. */
  @Override
  public Protocol apply(EventLoop loop) {
    ExchangeContext context =
        new ExchangeContext(
            loop, handler, options.limits(), options.json(), options.errors(), reuse);
    context.trust(options.trustedProxies());
    Http1 http1 =
        new Http1(context, parser, options.serverName(), options.accepts(Leniency.HTTPS_TARGET));
    http1.offer(new Http2Source(this, context));
    context.openWebSocketsBy(new SocketSource(this, context));
    created.add(new OnLoop(context, http1));
    return http1;
  }

  /** Returns what the exchanges of each loop share, in the order of {@link #apply}. */
  List<ExchangeContext> contexts() {
    List<ExchangeContext> contexts = new ArrayList<>();
    for (OnLoop one : created) {
      contexts.add(one.context);
    }
    return contexts;
  }

  /** Returns the memory for compressed WebSockets of all loops; callable from any thread. */
  private synchronized CompressionPool compression() {
    if (compression == null) {
      long bytesMax = options.limits().webSocket().compressionBytesMax();
      compression = new CompressionPool(COMPRESSION_LEVEL, new CompressionBudget(bytesMax));
    }
    return compression;
  }

  /** Gives back what all loops share; what they still use is given back when they end that. */
  synchronized void close() {
    if (compression != null) {
      compression.close();
    }
  }

  /** Creates HTTP/2 for a loop, once a client speaks it. */
  private Protocol http2(ExchangeContext context) {
    Http2HeadReader heads =
        new Http2HeadReader(options.limits().parser(), options.leniencies(), true);
    return new Http2(context, heads, options.serverName(), options.accepts(Leniency.HTTPS_TARGET));
  }

  /** Returns how request heads are scanned at present; callable from any thread. */
  ScannerKind scanner() {
    return scanner;
  }

  /** Has all loops use another parser; callable from any thread, after the last {@link #apply}. */
  void parseWith(RequestParser next) {
    scanner = next.scanner();
    for (OnLoop one : created) {
      one.context.loop().execute(() -> one.http1.parseWith(next));
    }
  }

  /**
   * Runs an action on each loop that has parsed that many more heads; callable from any thread,
   * after the last {@link #apply}.
   */
  void afterHeads(long count, Runnable action) {
    for (OnLoop one : created) {
      one.context.loop().execute(new AfterHeads(one.http1, count, action));
    }
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  private static final class AfterHeads extends LoopTask {
    private final Http1 http1;
    private final long count;
    private final Runnable action;

    AfterHeads(Http1 http1, long count, Runnable action) {
      this.http1 = http1;
      this.count = count;
      this.action = action;
    }

    @Override
    protected void run() {
      http1.afterHeads(count, action);
    }
  }

  private record Http2Source(HttpProtocols protocols, ExchangeContext context)
      implements Supplier<Protocol> {
    @Override
    public Protocol get() {
      return protocols.http2(context);
    }
  }

  private record SocketSource(HttpProtocols protocols, ExchangeContext context)
      implements Supplier<WebSocketOpener> {
    @Override
    public WebSocketOpener get() {
      return new WebSocketContext(context, protocols::compression);
    }
  }
}
