package dev.peregrine.server.exchange.view;

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
import dev.peregrine.server.exchange.message.ResponseCallbacks;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.message.TurnTimer;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.run.HandlerRun;
import dev.peregrine.server.exchange.run.LeasedCall;
import dev.peregrine.server.exchange.state.Answer;
import dev.peregrine.server.exchange.state.BeginLimit;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.PooledOutput;
import dev.peregrine.server.exchange.state.ResponseHead;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.lease.Leases;
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
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler's side of a response. Status and fields are kept until the first content is sent;
 * then the head is encoded, in a turn of the connection. {@link Answer} has the states.
 */
public final class ExchangeResponse implements Response, LeasedCall {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final Answer answer;
  private final ResponseHead head;
  private final HandlerRun run;
  private final ExchangeTurns turns;
  private final ResponseSender sender;
  private final ExchangeRequest request;
  private @Nullable ContentStream stream;
  private @Nullable ContentOutputStream output;

  public ExchangeResponse(
      ExchangeState exchange,
      HandlerRun run,
      ExchangeTurns turns,
      ResponseSender sender,
      ExchangeRequest request) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.answer = exchange.answer;
    this.head = exchange.responseHead;
    this.run = run;
    this.turns = turns;
    this.sender = sender;
    this.request = request;
  }

  /** The exchange has ended, and may serve another request. */
  public void reset() {
    if (stream != null) {
      stream.close();
      stream = null;
    }
    output = null;
  }

  // ---- the handler's side ----

  @Override
  public Response status(int code) {
    changeable().status(code);
    return this;
  }

  @Override
  public int status() {
    turns.checkCaller();
    return sender.status();
  }

  @Override
  public Response header(String name, String value) {
    changeable().set(name, value);
    return this;
  }

  @Override
  public @Nullable String header(String name) {
    turns.checkCaller();
    return head().value(Objects.requireNonNull(name, "name"));
  }

  @Override
  public List<String> headers(String name) {
    turns.checkCaller();
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
    changeable().typeUnlessSet(Objects.requireNonNull(otherwise, "type"));
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
    turns.inTurn(() -> sender.interim(status, fields));
    return this;
  }

  @Override
  public void send(byte[] content) {
    Objects.requireNonNull(content, "content");
    checkOpen();
    int entered = turns.enter();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        progress.beginSending();
        sender.sendWhole(content);
        progress.endSending();
      } else if (!turns.keep(content)) {
        turns.execute(() -> sender.sendWhole(content));
      }
      answer.end();
    } finally {
      turns.exit(entered);
    }
  }

  @Override
  public void send(ByteBuffer content) {
    GivenBuffer.check(content);
    checkOpen();
    turns.sendInTurn(() -> sender.sendWhole(content));
    answer.end();
  }

  @Override
  public void send(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    Leases leases = exchange.context.loop.bufferPool().leases();
    LeasedCall.make(this, turns, leases, content, whenSent);
    answer.end();
  }

  @Override
  public void pass(
      ByteBuffer content, int bytes, int entered, @Nullable Consumer<? super ByteBuffer> whenSent) {
    checkOpen();
    if (entered == LoopOwner.OUTSIDE) {
      Leases leases = exchange.context.loop.bufferPool().leases();
      Runnable sending = () -> sender.sendWhole(content); // now: the task offers the lease first
      turns.execute(() -> leases.pass(content, whenSent, sending));
    } else {
      progress.beginSending();
      sender.sendWhole(content);
      progress.endSending();
    }
  }

  @Override
  public void send(FileChannel file, long position, long count) {
    FileParts.check(file, position, count);
    checkOpen();
    turns.sendInTurn(() -> sender.sendFile(file, position, count));
    answer.end();
  }

  @Override
  public void send(Path file) {
    Objects.requireNonNull(file, "file");
    checkOpen();
    FileParts.send(exchange, turns, sender, this, file);
    answer.end();
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
    int entered = turns.enter();
    try {
      if (entered == LoopOwner.OUTSIDE) {
        send(codec.toBytes(value));
      } else {
        sendJson(codec, value);
      }
    } finally {
      turns.exit(entered);
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
      progress.beginSending();
      sender.sendPooled(content);
      progress.endSending();
      answer.end();
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
    answer.beginStream();
    return started;
  }

  @Override
  public OutputStream outputStream() {
    checkOpen();
    turns.holdElsewhere();
    ContentOutputStream started =
        new ContentOutputStream(progress, this, exchange.context.gatherBuffers());
    output = started;
    answer.giveStream();
    answer.beginStream();
    return started;
  }

  /** Ends the output stream with short content, which is sent whole when the handler returns. */
  void closeGathered(byte[] content) {
    turns.checkUsable();
    turns.sendInTurn(() -> sender.close(content));
    endStream();
  }

  /** Starts to send content piece by piece: at once, or because gathered content became long. */
  ContentStream startStream() {
    turns.checkCaller();
    turns.holdElsewhere();
    ContentStream started = new ContentStream(exchange, run, sender, sender.startContent(), this);
    stream = started;
    answer.giveStream();
    return started;
  }

  /** Records that the handler has closed its stream, and the loop is notified. */
  void endStream() {
    if (turns.isInTurn()) {
      answer.close();
    } else {
      answer.end();
    }
  }

  /** Records that the stream has ended, without waiting for the handler. */
  void endStreamNow() {
    answer.end();
  }

  @Override
  public void upgrade(String protocol, RawListener listener) {
    checkOpen();
    RawTunnel user = Upgrades.raw(exchange, listener);
    handOver(Upgrades.agree(request, head.fields(), protocol), user);
  }

  @Override
  public void tunnel(RawListener listener) {
    checkOpen();
    RawTunnel user = Upgrades.raw(exchange, listener);
    handOver(Upgrades.agreeToTunnel(request), user);
  }

  @Override
  public void webSocket(WebSocketOptions options, WebSocketListener listener) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(listener, "listener");
    checkOpen();
    TunnelUser user = Upgrades.webSocket(this, exchange, request, options, listener);
    handOver(Upgrades.status(request, head.fields(), WebSocketOpener.PROTOCOL), user);
  }

  /** Sends the last head of HTTP, then leaves the connection or stream to its user. */
  private void handOver(int code, TunnelUser user) {
    turns.sendInTurn(() -> sender.handOver(code, run.content.isContinueOwed(), user));
    answer.end();
  }

  @Override
  public Response async() {
    turns.checkUsable();
    answer.comesLater(true);
    boolean wasAsync = exchange.use.isAsync();
    turns.async();
    if (wasAsync) { // a blocking handler has no limit before
      turns.inTurn(() -> exchange.limit.within(BeginLimit.DEFAULT));
    }
    return this;
  }

  @Override
  public Response async(Duration beginsWithin) {
    Range.checkNotNegative("beginsWithin", beginsWithin);
    long nanos = beginsWithin.toNanos();
    turns.checkUsable();
    answer.comesLater(true);
    turns.async();
    turns.inTurn(() -> exchange.limit.within(nanos));
    return this;
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    Objects.requireNonNull(work, "work");
    if (!(work instanceof BlockingWork handler) || !turns.defer(handler)) {
      run.start(turns, work);
    }
    return this;
  }

  @Override
  public void onLoop(Runnable work) {
    Objects.requireNonNull(work, "work");
    if (turns.claim()) {
      turns.execute(() -> run.calls.call(work));
    }
  }

  @Override
  public ScheduledWork onLoopAfter(Duration delay, Runnable work) {
    turns.checkCaller();
    TurnTimer timer = new TurnTimer(exchange.connection(), delay, work);
    turns.inTurn(() -> run.ending.start(timer, run.calls::call));
    return timer;
  }

  @Override
  public Response onAbort(Consumer<IOException> callback) {
    Objects.requireNonNull(callback, "callback");
    turns.checkCaller();
    if (answer.isEnded() || progress.isEnded()) {
      ResponseCallbacks.tellIfAborted(exchange, callback);
    } else {
      turns.inTurn(() -> sender.callbacks().addOnAbort(callback));
    }
    return this;
  }

  @Override
  public Response onClientClosed(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    addInTurn(callback, ResponseCallbacks::addOnClientClosed);
    return this;
  }

  @Override
  public Response onShutdown(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    addInTurn(callback, ResponseCallbacks::addOnShutdown);
    return this;
  }

  /** Adds a callback in a turn, or calls it if it is due now, unless the response has ended. */
  private void addInTurn(Runnable callback, BiPredicate<ResponseCallbacks, Runnable> addition) {
    turns.checkCaller();
    if (!answer.isEnded() && !progress.isEnded()) {
      turns.inTurn(
          () -> {
            if (!progress.isOver() && !addition.test(sender.callbacks(), callback)) {
              run.calls.call(callback);
            }
          });
    }
  }

  @Override
  public Response beforeCommit(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    checkOpen();
    turns.inTurn(() -> sender.callbacks().addBeforeCommit(callback));
    return this;
  }

  @Override
  public Response onComplete(Consumer<Outcome> callback) {
    turns.checkCaller();
    turns.inTurn(run.ending.adding(callback));
    return this;
  }

  @Override
  public void fail(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (!turns.claim()) {
      return;
    }
    if (stream != null) {
      stream.endGathering();
    }
    turns.sendInTurn(() -> sender.fail(cause, true));
    answer.fail();
  }

  @Override
  public void complete() {
    if (!turns.claim() || answer.isClosed() || progress.isEnded()) {
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
    turns.checkCaller();
    return sender.committing() == null && (answer.isClosed() || progress.isHeadFixed());
  }

  private ResponseHead head() {
    ResponseHead committing = sender.committing();
    return committing == null ? head : committing;
  }

  private ResponseHead changeable() {
    turns.checkUsable();
    ResponseHead committing = sender.committing();
    if (committing != null) {
      return committing;
    }
    requireOpen();
    return head;
  }

  private void checkOpen() {
    turns.checkUsable();
    sender.requireNotCommitting();
    requireOpen();
  }

  private void requireOpen() {
    if (!answer.isOpen()) {
      throw new IllegalStateException("the response has been sent already");
    }
  }
}
