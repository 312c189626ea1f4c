package dev.peregrine.server.exchange.message;

import dev.peregrine.base.AddressText;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.BlockingRun;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.connection.facts.ConnectionRecord;
import dev.peregrine.server.exchange.state.ExchangeObservers;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.RunMode;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an exchange for the listeners. It is created for the first exchange that has any,
 * and reused with its exchange. On the loop's thread, in calls of the listeners.
 */
final class ExchangeRecord implements ExchangeInfo {
  private final ExchangeState exchange;
  private @Nullable ExchangeObservers observers; // those of its begin; null between exchanges
  private @Nullable ConnectionRecord connection;
  private long beginNanos;
  private long headNanos;
  private long headTurnNanos; // when the turn that sent the head began
  private long endNanos;
  private int status;
  private long wholeBytes; // bytes of content that was sent with the head
  private boolean streams; // content follows the head
  private @Nullable Outcome outcome;
  private @Nullable CloseReason closeReason;
  private boolean calling; // the listeners

  ExchangeRecord(ExchangeState exchange) {
    this.exchange = exchange;
  }

  /** The exchange has begun; the given listeners are notified of its end too. */
  void begin(ExchangeObservers notified) {
    observers = notified;
    ConnectionRecord on = exchange.connection().record();
    connection = on;
    on.countRequest();
    beginNanos = exchange.context.loop.nanos();
    headNanos = beginNanos;
    endNanos = beginNanos;
    status = 0;
    wholeBytes = 0;
    streams = false;
    outcome = null;
    closeReason = null;
    calling = true;
    try {
      notified.onBegin(this);
    } finally {
      calling = false;
    }
  }

  /**
   * The head of the response has been passed to the connection.
   *
   * @param bytes of content, if all of it goes with the head
   */
  void onHead(int sentStatus, long bytes, boolean follows) {
    if (observers == null) {
      return; // begun without listeners
    }
    status = sentStatus;
    wholeBytes = bytes;
    streams = follows;
    headTurnNanos = exchange.context.loop.nanos();
    headNanos = exchange.context.loop.readClock();
  }

  /** The exchange has ended. */
  void end(Outcome ended, @Nullable CloseReason closed) {
    ExchangeObservers notified = observers;
    if (notified == null) {
      return;
    }
    outcome = ended;
    closeReason = closed;
    boolean atOnce = status != 0 && !streams && headTurnNanos == exchange.context.loop.nanos();
    endNanos = atOnce ? headNanos : exchange.context.loop.readClock();
    calling = true;
    try {
      notified.onEnd(this);
    } finally {
      calling = false;
    }
    observers = null;
    connection = null;
  }

  // ---- for listeners ----

  /** Throws unless a listener is being called, because the record may serve another exchange. */
  private void check() {
    if (!calling || !exchange.context.loop.isCurrent()) {
      throw new IllegalStateException("used after the call of the listener");
    }
  }

  /** Returns the present view of the request, which may be that of another client later. */
  private Request request() {
    check();
    return exchange.request();
  }

  @Override
  public ConnectionInfo connection() {
    check();
    return Objects.requireNonNull(connection);
  }

  @Override
  public SocketAddress remoteAddress() {
    return request().remoteAddress();
  }

  @Override
  public int copyRemoteAddress(byte[] into, int at) {
    return exchange.context.trusted == null
        ? connection().copyRemoteAddress(into, at)
        : AddressText.copy(AddressText.of(remoteAddress()), into, at);
  }

  @Override
  public HttpMethod method() {
    return request().method();
  }

  @Override
  public String methodName() {
    return request().methodName();
  }

  @Override
  public int copyMethod(byte[] into, int at) {
    check();
    return exchange.head.copyMethod(into, at);
  }

  @Override
  public HttpVersion version() {
    return request().version();
  }

  @Override
  public String scheme() {
    return request().scheme();
  }

  @Override
  public String target() {
    return request().target();
  }

  @Override
  public int copyTarget(byte[] into, int at) {
    check();
    return exchange.head.copyTarget(into, at);
  }

  @Override
  public @Nullable String host() {
    return request().host();
  }

  @Override
  public int copyHost(byte[] into, int at) {
    check();
    return exchange.head.copyHost(into, at);
  }

  @Override
  public @Nullable String requestHeader(String name) {
    return request().header(name);
  }

  @Override
  public int copyRequestHeader(KnownHeader name, byte[] into, int at) {
    check();
    return exchange.head.copyHeader(name, into, at);
  }

  @Override
  public @Nullable String routeTemplate() {
    return request().routeTemplate();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return request().attribute(key);
  }

  @Override
  public <T> void attribute(AttributeKey<T> key, @Nullable T value) {
    request().attribute(key, value);
  }

  @Override
  public int requestHeadBytes() {
    check();
    return exchange.head.head().length();
  }

  @Override
  public long requestContentBytes() {
    check();
    return exchange.receivedBytes;
  }

  @Override
  public int status() {
    check();
    return status;
  }

  @Override
  public long responseContentBytes() {
    check();
    return streams ? exchange.streamedBytes : wholeBytes;
  }

  @Override
  public long beginNanos() {
    check();
    return beginNanos;
  }

  @Override
  public long handlerNanos() {
    BlockingRun run = request().attribute(Handlers.BLOCKING);
    return run != null && run.isStarted() ? run.startedNanos() : beginNanos;
  }

  @Override
  public long firstByteNanos() {
    check();
    return headNanos;
  }

  @Override
  public long endNanos() {
    check();
    return endNanos;
  }

  @Override
  public RunMode runMode() {
    if (request().attribute(Handlers.BLOCKING) != null) {
      return RunMode.BLOCKING;
    }
    return exchange.use.isAsync() ? RunMode.ASYNC : RunMode.LOOP;
  }

  @Override
  public @Nullable Outcome outcome() {
    check();
    return outcome;
  }

  @Override
  public @Nullable CloseReason closeReason() {
    check();
    return closeReason;
  }
}
