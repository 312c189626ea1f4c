package dev.peregrine.server.exchange.state;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.pace.DataRate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler, the limits and the helpers that all exchanges of one event loop share, for every
 * protocol. Belongs to the loop's thread, except for the final fields.
 */
public final class ExchangeContext {
  public final EventLoop loop;
  public final Handler handler;
  public final ServerLimits limits;
  public final @Nullable JsonCodec json;
  public final DataRate sendingRate;
  public final RefusalLog log;
  public final Errors errors;
  final long responseBeginNanos; // 0 for no limit
  public final ExchangeReuse reuse;
  private final String handlerName;
  public @Nullable ExchangeObservers observers; // null without listeners
  public @Nullable TrustedProxies trusted; // null if no proxy's fields are believed
  private List<ExchangeListener> listeners = List.of(); // without a recorder
  private @Nullable Supplier<WebSocketOpener> webSocketOpeners; // null without WebSockets
  private volatile @Nullable WebSocketOpener webSockets; // created for the first WebSocket
  private @Nullable Retainer retainer; // created for the first content
  private @Nullable GatherBuffers gatherBuffers; // created for the first output stream
  private int ownRemaining; // how many requests still get views of their own
  private boolean ending;
  private boolean draining;
  private @Nullable PooledOutput pooledOutput; // created for the first response that needs it

  /** Creates the context of a loop that doesn't run yet. */
  public ExchangeContext(
      EventLoop loop,
      Handler handler,
      ServerLimits limits,
      @Nullable JsonCodec json,
      ErrorRenderer errors,
      ExchangeReuse reuse) {
    this.loop = loop;
    this.handler = handler;
    this.limits = limits;
    this.json = json;
    this.sendingRate = DataRate.ofSending(limits);
    this.log = new RefusalLog(new BoundedLog(loop), limits);
    this.errors = new Errors(errors, loop);
    this.responseBeginNanos = limits.responseBeginTime().toNanos();
    this.reuse = reuse;
    this.ownRemaining = reuse.ownFirst();
    this.handlerName = loop.name() + "-handler";
  }

  /** Sets the proxies whose fields are believed, before the loop runs; null for none. */
  public void trust(@Nullable TrustedProxies proxies) {
    trusted = proxies;
  }

  /** Sets the listeners for exchanges, before the loop runs. */
  public void observeBy(List<ExchangeListener> observing) {
    listeners = observing;
    recordBy(null);
  }

  /**
   * Sets a listener that is notified after the others, of the exchanges that begin from now on;
   * null for none. On the loop's thread.
   */
  public void recordBy(@Nullable ExchangeListener recorder) {
    List<ExchangeListener> all = new ArrayList<>(listeners);
    if (recorder != null) {
      all.add(recorder);
    }
    observers = all.isEmpty() ? null : new ExchangeObservers(loop, all);
  }

  /**
   * Notifies the listeners that the protocol answers with an error to bytes that are not a request.
   */
  public void reportRejected(Connection connection, KnownError error, int contentBytes) {
    if (observers != null) {
      observers.onRejected(connection, error, contentBytes);
    }
  }

  public EventLoop loop() {
    return loop;
  }

  /** Returns true if a request that begins needs views of its own; once for each. */
  public boolean needsOwnViews() {
    if (ownRemaining > 0) {
      ownRemaining--;
      return true;
    }
    return reuse.isOver();
  }

  /** Returns the name of the threads of blocking handlers. */
  public String handlerName() {
    return handlerName;
  }

  public ServerLimits limits() {
    return limits;
  }

  public RefusalLog log() {
    return log;
  }

  public Errors errors() {
    return errors;
  }

  /** The server is going to end, and still accepts connections. */
  public void beginLameDuck() {
    ending = true;
  }

  /** Returns true once responses declare that their connection ends. */
  public boolean isEnding() {
    return ending;
  }

  /** The server accepts no more connections. */
  public void drain() {
    ending = true;
    draining = true;
  }

  /** Returns true once the server accepts no more connections. */
  public boolean isDraining() {
    return draining;
  }

  /** Sets how WebSockets are opened, before the loop runs. */
  public void openWebSocketsBy(Supplier<WebSocketOpener> openers) {
    webSocketOpeners = openers;
  }

  /** Returns what opens WebSockets; callable from any thread. */
  public WebSocketOpener webSockets() {
    WebSocketOpener present = webSockets;
    return present == null ? createWebSockets() : present;
  }

  private synchronized WebSocketOpener createWebSockets() {
    WebSocketOpener present = webSockets;
    if (present == null) {
      Supplier<WebSocketOpener> openers = webSocketOpeners;
      if (openers == null) {
        throw new UnsupportedOperationException(
            "this server is built without WebSockets: with(WebSocketProtocol.create())");
      }
      present = openers.get();
      webSockets = present;
    }
    return present;
  }

  /** Returns what retains received bytes; callable from any thread. */
  public Retainer retainer() {
    Retainer present = retainer; // has final fields only
    return present == null ? createRetainer() : present;
  }

  private synchronized Retainer createRetainer() {
    Retainer present = retainer;
    if (present == null) {
      present = new Retainer(loop, limits.retainedBytesMax());
      retainer = present;
    }
    return present;
  }

  /** Returns the buffers of output streams; callable from any thread. */
  public GatherBuffers gatherBuffers() {
    GatherBuffers present = gatherBuffers; // has final fields only
    return present == null ? createGatherBuffers() : present;
  }

  private synchronized GatherBuffers createGatherBuffers() {
    GatherBuffers present = gatherBuffers;
    if (present == null) {
      present = new GatherBuffers();
      gatherBuffers = present;
    }
    return present;
  }

  /** Returns the server's codec. */
  public JsonCodec json() {
    JsonCodec codec = json;
    if (codec == null) {
      throw new IllegalStateException(
          "no JsonCodec configured: pass one to HttpServerBuilder.json");
    }
    return codec;
  }

  /** Returns an empty output for content whose length isn't known before it is complete. */
  public PooledOutput pooledOutput() {
    if (pooledOutput == null) {
      pooledOutput = new PooledOutput(loop.bufferPool());
    }
    return pooledOutput;
  }
}
