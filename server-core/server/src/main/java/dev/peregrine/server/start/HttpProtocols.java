package dev.peregrine.server.start;

import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** HTTP on the event loops of one server: a protocol for each loop, with the same parser. */
public final class HttpProtocols implements Function<EventLoop, Protocol> {
  /** HTTP/1 of one event loop. */
  private record OnLoop(ExchangeContext context, Http1 http1) {}

  private final ServerSettings options;
  private final RequestParser parser; // replaced by parseWith
  private final ExchangeReuse reuse;
  private volatile ScannerKind scanner;
  private final List<OnLoop> created = new ArrayList<>();

  /** Creates the protocols of a server whose loops do not exist yet. */
  public HttpProtocols(ServerSettings options, RequestParser parser) {
    this.options = options;
    this.parser = parser;
    this.scanner = parser.scanner();
    this.reuse = new ExchangeReuse(options.ownExchanges);
  }

  /** Creates the protocol of a loop that doesn't run yet. */
  @Override
  public Protocol apply(EventLoop loop) {
    ExchangeContext context =
        new ExchangeContext(
            loop, options.handler, options.limits, options.json, options.errors, reuse);
    context.trust(options.trustedProxies);
    boolean acceptsHttps = options.leniencies.contains(Leniency.HTTPS_TARGET);
    Http1 http1 = new Http1(context, parser, options.serverName, acceptsHttps);
    Supplier<Protocol> http2 = options.features.http2(context, options);
    if (http2 != null) {
      http1.offer(http2);
    }
    Supplier<WebSocketOpener> webSockets = options.features.webSockets(context, options);
    if (webSockets != null) {
      context.openWebSocketsBy(webSockets);
    }
    created.add(new OnLoop(context, http1));
    return http1;
  }

  /** Returns what the exchanges of each loop share, in the order of {@link #apply}. */
  public List<ExchangeContext> contexts() {
    List<ExchangeContext> contexts = new ArrayList<>();
    for (OnLoop one : created) {
      contexts.add(one.context);
    }
    return contexts;
  }

  /** Returns how request heads are scanned at present; callable from any thread. */
  ScannerKind scanner() {
    return scanner;
  }

  /**
   * Has all loops compare another parser with the present one by the heads that come; the first
   * that is done decides for all. Callable from any thread, after the last {@link #apply}.
   */
  void tryOut(RequestParser other) {
    ScannerChoice choice = new ScannerChoice(this, parser, other);
    for (OnLoop one : created) {
      one.context.loop().execute(() -> one.http1.tryOut(other, choice));
    }
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

  /** Not a lambda, to start sooner: see docs/ARCHITECTURE.md. */
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
}
