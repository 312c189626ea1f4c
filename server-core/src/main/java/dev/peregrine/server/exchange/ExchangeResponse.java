package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.base.Range;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.exchange.bytes.GivenBuffer;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler's side of a response. Status and fields are kept until the first content is sent;
 * then the head is encoded, in a turn of the connection. The state changes once the loop has got
 * what it needs for it: a call that throws before, even for lack of stack or memory, can be
 * repeated.
 *
 * <pre>
 *   OPEN ──send──────────────────▶ ENDED      (whole: head and content at once)
 *     ├───stream──▶ STREAMING ──end──▶ ENDED  (piece by piece)
 *     │                 └──end──▶ CLOSING ──the handler has returned──▶ ENDED
 *     └───fail, from any of these before ENDED──▶ FAILED (an error response, or a reset)
 * </pre>
 */
final class ExchangeResponse implements Response {
  // Ints, not enums: see Exchange.
  private static final int OPEN = 0;
  private static final int STREAMING = 1;
  private static final int CLOSING = 2;
  private static final int ENDED = 3;
  private static final int FAILED = 4;

  private final Exchange exchange;
  private final ResponseHead head;
  private final ResponseSender sender;
  private int state = OPEN; // the handler's progress
  private volatile boolean later; // async was called, after any work that it was called with
  private @Nullable ContentStream stream;
  private @Nullable ContentOutputStream output;

  ExchangeResponse(Exchange exchange, ResponseHead head, ResponseSender sender) {
    this.exchange = exchange;
    this.head = head;
    this.sender = sender;
  }

  // ---- the loop's side ----

  void reset() {
    state = OPEN;
    head.reset();
    if (stream != null) {
      stream.close();
      stream = null;
    }
    output = null;
  }

  boolean isEnded() {
    return state == ENDED;
  }

  /** Returns true if the handler has sent the response whole, even if it isn't encoded yet. */
  boolean isSentWhole() {
    return state == ENDED && stream == null && output == null;
  }

  /** Keeps the fields that were set, for an error response while another thread uses the head. */
  void keepFields() {
    head.keepFields();
  }

  boolean isForgotten() {
    return state == OPEN && !later;
  }

  void onComplete() {
    state = ENDED;
  }

  // ---- the handler's side ----

  @Override
  public Response status(int code) {
    changeable().status(code);
    return this;
  }

  @Override
  public int status() {
    exchange.use.checkCallers();
    return sender.status();
  }

  @Override
  public Response header(String name, String value) {
    changeable().set(name, value);
    return this;
  }

  @Override
  public @Nullable String header(String name) {
    exchange.use.checkCallers();
    return head().value(Objects.requireNonNull(name, "name"));
  }

  @Override
  public List<String> headers(String name) {
    exchange.use.checkCallers();
    return head().values(Objects.requireNonNull(name, "name"));
  }

  @Override
  public Response addHeader(String name, String value) {
    changeable().add(name, value);
    return this;
  }

  @Override
  public Response addHeaders(PreparedFields prepared) {
    changeable().add(prepared);
    return this;
  }

  @Override
  public Response contentType(ContentType contentType) {
    changeable().type(contentType);
    return this;
  }

  @Override
  public Response contentTypeUnlessSet(ContentType otherwise) {
    changeable().typeUnlessSet(otherwise);
    return this;
  }

  @Override
  public Response contentLength(long bytes) {
    changeable().declaredLength(bytes);
    return this;
  }

  @Override
  public Response interim(int status, PreparedFields fields) {
    checkOpen();
    ResponseHead.checkInterim(status, fields);
    exchange.inTurn(() -> sender.interim(status, fields));
    return this;
  }

  @Override
  public void send(byte[] content) {
    Objects.requireNonNull(content, "content");
    checkOpen();
    int entered = exchange.enterTurn();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        exchange.torn = true;
        sender.sendWhole(content);
        exchange.torn = false;
      } else if (!exchange.firstStep.keep(content)) {
        exchange.execute(() -> sender.sendWhole(content));
      }
      state = ENDED;
    } finally {
      exchange.exitTurn(entered);
    }
  }

  @Override
  public void send(ByteBuffer content) {
    int ignored = GivenBuffer.check(content);
    checkOpen();
    exchange.sendInTurn(() -> sender.sendWhole(content));
    state = ENDED;
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    FileParts.check(file, position, count);
    checkOpen();
    FileParts.send(exchange, file, position, count);
    state = ENDED;
  }

  @Override
  public void send(Path file) {
    Objects.requireNonNull(file, "file");
    checkOpen();
    FileParts.send(exchange, file);
    state = ENDED;
  }

  @Override
  public JsonCodec jsonCodec() {
    return exchange.context.json();
  }

  @Override
  public void json(Object value) {
    checkOpen();
    JsonCodec codec = jsonCodec();
    head.typeUnlessSet(ContentType.APPLICATION_JSON);
    int entered = exchange.enterTurn();
    try {
      if (entered == LoopOwner.OUTSIDE) {
        send(codec.toBytes(value));
      } else {
        sendJson(codec, value);
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  private void sendJson(JsonCodec codec, Object value) {
    PooledOutput content = exchange.context.pooledOutput();
    if (!content.open()) {
      send(codec.toBytes(value));
      return;
    }
    try {
      codec.write(value, content);
      checkOpen(); // the codec may have sent another response
      exchange.torn = true;
      sender.sendPooled(content);
      exchange.torn = false;
      state = ENDED;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      content.end();
    }
  }

  @Override
  public ResponseStream stream() {
    checkOpen();
    ContentStream started = startStream();
    state = STREAMING;
    return started;
  }

  @Override
  public OutputStream outputStream() {
    checkOpen();
    output = new ContentOutputStream(exchange, this);
    state = STREAMING;
    return output;
  }

  /** Ends the output stream with short content, which is sent whole when the handler returns. */
  void closeGathered(byte[] content) {
    exchange.checkUsable();
    exchange.sendInTurn(() -> sender.close(content));
    endStream();
  }

  /** Starts to send content piece by piece: at once, or because gathered content became long. */
  ContentStream startStream() {
    ContentStream started = sender.startContent();
    stream = started;
    return started;
  }

  /** Records that the handler has closed its stream, and the loop is notified. */
  void endStream() {
    if (state != ENDED) {
      state = exchange.isInTurn() ? CLOSING : ENDED;
    }
  }

  /** Records that the stream has ended, without waiting for the handler. */
  void endStreamNow() {
    state = ENDED;
  }

  @Override
  public void upgrade(String protocol, RawListener listener) {
    checkOpen();
    RawTunnel user = Upgrades.raw(exchange, listener);
    handOver(Upgrades.agree(exchange, head.fields(), protocol), user);
  }

  @Override
  public void tunnel(RawListener listener) {
    checkOpen();
    RawTunnel user = Upgrades.raw(exchange, listener);
    handOver(Upgrades.agreeToTunnel(exchange), user);
  }

  @Override
  public void webSocket(WebSocketOptions options, WebSocketListener listener) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(listener, "listener");
    checkOpen();
    Upgrades.webSocket(this, exchange, head.fields(), options, listener);
  }

  /** Sends the last head of HTTP, then leaves the connection or stream to its user. */
  void handOver(int code, TunnelUser user) {
    exchange.sendInTurn(() -> sender.handOver(code, user));
    state = ENDED;
  }

  @Override
  public Response async() {
    later = true;
    if (exchange.use.async()) { // a blocking handler has no limit before
      exchange.inTurn(() -> exchange.beginWithin(Exchange.DEFAULT_LIMIT));
    }
    return this;
  }

  @Override
  public Response async(Duration beginsWithin) {
    Range.checkNotNegative("beginsWithin", beginsWithin);
    long nanos = beginsWithin.toNanos();
    later = true;
    boolean ignored = exchange.use.async();
    exchange.inTurn(() -> exchange.beginWithin(nanos));
    return this;
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    Objects.requireNonNull(work, "work");
    if (work instanceof BlockingWork handler && exchange.firstStep.defer(handler)) {
      return this;
    }
    start(work);
    return this;
  }

  void start(Supplier<? extends CompletionStage<?>> work) {
    later = false; // it ends with the work, unless that calls async too
    boolean ignored = exchange.use.async();
    ResponseWork.start(exchange, work);
  }

  @Override
  public void onLoop(Runnable work) {
    Objects.requireNonNull(work, "work");
    if (exchange.use.isCallers()) {
      exchange.execute(() -> exchange.call(work));
    }
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    exchange.use.checkCallers();
    TurnTimer timer = new TurnTimer(exchange.connection(), delay, work);
    exchange.inTurn(() -> exchange.ending.start(timer));
    return timer;
  }

  @Override
  public Response onAbort(Consumer<IOException> callback) {
    Objects.requireNonNull(callback, "callback");
    exchange.use.checkCallers();
    if (state == ENDED || exchange.isEnded()) {
      ResponseCallbacks.tellIfAborted(exchange, callback);
    } else {
      exchange.inTurn(() -> sender.callbacks().addOnAbort(callback));
    }
    return this;
  }

  @Override
  public Response onClientClosed(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    ResponseCallbacks.addInTurn(exchange, () -> sender.callbacks().addOnClientClosed(callback));
    return this;
  }

  @Override
  public Response onShutdown(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    ResponseCallbacks.addInTurn(exchange, () -> sender.callbacks().addOnShutdown(callback));
    return this;
  }

  @Override
  public Response beforeCommit(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    checkOpen();
    exchange.inTurn(() -> sender.callbacks().addBeforeCommit(callback));
    return this;
  }

  @Override
  public Response onComplete(Consumer<Outcome> callback) {
    exchange.use.checkCallers();
    exchange.inTurn(exchange.ending.adding(callback));
    return this;
  }

  @Override
  public void fail(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (!exchange.use.isCallers()) {
      return;
    }
    if (stream != null) {
      stream.endGathering();
    }
    exchange.sendInTurn(() -> sender.fail(cause, true));
    state = state == ENDED ? ENDED : FAILED;
  }

  @Override
  public void complete() {
    if (!exchange.use.isCallers() || state >= CLOSING || exchange.isEnded()) {
      return;
    }
    try {
      if (output != null) {
        output.close();
      } else if (stream != null) {
        stream.endUnlessContinued();
      } else {
        fail(new IllegalStateException("the handler returned without a response"));
      }
    } catch (IOException lost) {
      fail(lost);
    }
  }

  @Override
  public boolean isCommitted() {
    exchange.use.checkCallers();
    return sender.committing() == null && (state >= CLOSING || exchange.isHeadFixed());
  }

  private ResponseHead head() {
    ResponseHead committing = sender.committing();
    return committing == null ? head : committing;
  }

  private ResponseHead changeable() {
    exchange.checkUsable();
    ResponseHead committing = sender.committing();
    if (committing != null) {
      return committing;
    }
    requireOpen();
    return head;
  }

  private void checkOpen() {
    exchange.checkUsable();
    sender.requireNotCommitting();
    requireOpen();
  }

  private void requireOpen() {
    if (state != OPEN) {
      throw new IllegalStateException("the response has been sent already");
    }
  }
}
