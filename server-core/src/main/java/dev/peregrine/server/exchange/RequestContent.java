package dev.peregrine.server.exchange;

import dev.peregrine.base.Range;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.RequestBody;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.Block;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request, with its listener, its limit and its data rate.
 *
 * <pre>
 *   UNASKED ──receive, readAll, inputStream──▶ LISTENING ──last byte, or broken off──▶ ENDED
 *      └────────────response complete──▶ DISMISSED ◀──┘                                  ▲
 *                                            └──────────────last byte, or broken off─────┘
 * </pre>
 *
 * <p>The protocol passes content on while it {@link #isHungry}, and decides alone whether it reads
 * content that is DISMISSED, which is dropped.
 */
public final class RequestContent implements RequestBody {
  private enum State {
    UNASKED,
    LISTENING,
    DISMISSED,
    ENDED
  }

  private static final int CONTINUE = 100;

  @SuppressWarnings("StaticAssignmentOfThrowable") // created in advance for a full heap
  private static final IOException WITHOUT_MEMORY = new IOException("the exchange has ended");

  private static final BodyListener NOBODY =
      new BodyListener() {
        @Override
        public void onData(Bytes data) {}

        @Override
        public void onEnd() {}
      };

  private final Exchange exchange;
  private final HttpStream stream;
  private final ExchangeContext context;
  private State state = State.ENDED;
  private BodyListener listener = NOBODY;
  private long length; // or HttpStream.UNKNOWN_LENGTH
  private volatile boolean paused; // by the application, on any thread
  private boolean endAwaited; // the listener waits for the end of empty content
  private boolean continueAwaited;
  private volatile boolean asked;
  private @Nullable IOException failure;
  private long receivedBytes;
  private long bytesMax;
  private long dueNanos; // the client's time by DataRate
  private volatile @Nullable Map<String, String> trailers;
  private volatile @Nullable ContentInputStream input; // of an exchange that is never reused

  RequestContent(Exchange exchange) {
    this.exchange = exchange;
    this.stream = exchange.stream;
    this.context = exchange.context;
  }

  void begin(long contentLength) {
    length = contentLength;
    if (contentLength != 0) {
      state = State.UNASKED;
      bytesMax = context.limits.bodyBytesMax();
      paused = false;
      receivedBytes = 0;
      continueAwaited = exchange.head.expectsContinue();
      dueNanos = exchange.connection().nanos();
      restartRate();
    }
  }

  /** Clears the state that the next request must not see; little in the common case. */
  void reset() {
    if (state != State.ENDED) {
      state = State.ENDED;
    }
    if (asked) {
      asked = false;
      listener = NOBODY;
    }
    failure = null;
    if (trailers != null) {
      trailers = null;
    }
  }

  // ---- the protocol's side: in a turn ----

  /** Returns true if the application has begun to take the content. */
  public boolean isAsked() {
    return asked;
  }

  /** Returns true if content is taken as soon as it arrives. */
  public boolean isHungry() {
    return state == State.LISTENING && !paused && (!exchange.use.isLeft() || isStreamed());
  }

  /** Returns true if the content is taken by a stream, which any thread may read. */
  private boolean isStreamed() {
    return listener == input;
  }

  /** Returns true if the client waits for 100 (Continue) before it sends the content. */
  public boolean isContinueAwaited() {
    return continueAwaited;
  }

  /** Returns the number of bytes received so far. */
  public long receivedBytes() {
    return length == 0 ? 0 : receivedBytes;
  }

  /** Takes content that has arrived, in a block that stays valid during the call. */
  public void receive(Block block, int from, int to) {
    receivedBytes += to - from;
    dueNanos = context.sendingRate.extend(dueNanos, to - from, exchange.connection().nanos());
    continueAwaited = false;
    if (state == State.DISMISSED) {
      return;
    }
    if (receivedBytes > bytesMax) {
      logTooLarge();
      breakOff(413, "content of more than " + bytesMax + " bytes");
      return;
    }
    ReceivedBytes received = new ReceivedBytes(block, from, to);
    exchange.beforeCall();
    try {
      listener.onData(received);
      exchange.afterCall();
    } catch (Throwable thrown) {
      listener = NOBODY; // one failed call is enough
      exchange.afterFailedCall(thrown);
    } finally {
      received.close();
    }
  }

  /**
   * Takes the trailer fields, before {@link #end}; drops them with dismissed content.
   *
   * @param namesAndValues a name, its value, the next name, and so on
   */
  public void receiveTrailers(List<String> namesAndValues) {
    if (state == State.DISMISSED) {
      return;
    }
    Map<String, String> fields = HashMap.newHashMap(namesAndValues.size() / 2);
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      String name = namesAndValues.get(i).toLowerCase(Locale.ROOT);
      fields.merge(name, namesAndValues.get(i + 1), (a, b) -> a + ", " + b);
    }
    trailers = fields;
  }

  /** Ends the content, because all of it has arrived. */
  public void end() {
    boolean isTaken = state == State.LISTENING;
    state = State.ENDED;
    if (isTaken) {
      callEnd(listener);
    }
  }

  /** Ends the content, because it violates the grammar of its protocol. */
  public void reject(Rejection rejection) {
    context.log.rejected(exchange.connection(), rejection, receivedBytes);
    breakOff(rejection.status(), rejection.text());
  }

  /**
   * Ends content that can't be completed: notifies its listener and, unless the response is
   * complete, the client.
   */
  public void breakOff(int status, String text) {
    stream.stopReading();
    if (!exchange.isOver()) {
      exchange.ending.note(Outcome.REJECTED);
    }
    fail(new ContentRejectedException(status, text));
    if (!exchange.isAnswered()) {
      context.errors.refuse(exchange, status, text);
    }
  }

  /** Returns true if the client sends less than the required rate. */
  public boolean isTooSlow(long nowNanos) {
    return context.sendingRate.isBelow(dueNanos, nowNanos);
  }

  /** Ends the content, because the client sends less than the required rate. */
  public void onTooSlow() {
    context.log.slowContent(exchange.connection(), receivedBytes);
    breakOff(408, "the content came too slowly");
  }

  /** Gives the client at least the grace from now, because it wasn't read before. */
  public void restartRate() {
    dueNanos = context.sendingRate.begin(dueNanos, exchange.connection().nanos());
  }

  /** Notifies the listener that no more content will arrive, because the response is complete. */
  public void dismiss() {
    if (state == State.UNASKED) {
      restartRate();
    }
    if (state != State.ENDED) {
      state = State.DISMISSED;
    }
    BodyListener dismissed = listener;
    if (!dismissed.equals(NOBODY) && !endAwaited) {
      listener = NOBODY;
      tell(dismissed, ended("the response is complete: the rest is discarded"));
    }
  }

  /** Returns an exception for a listener that waits, also if the heap is full. */
  private static IOException ended(String text) {
    try {
      return new IOException(text);
    } catch (Throwable full) {
      return WITHOUT_MEMORY;
    }
  }

  // ---- the loop's side ----

  /**
   * Returns true if the client expects 100 (Continue) and hasn't received it, because the content
   * is empty. It must precede 101 even then (RFC 9110 section 7.8).
   */
  boolean isContinueOwed() {
    return length == 0 && exchange.head.expectsContinue();
  }

  /** Returns true if the content has arrived completely, or never will. */
  boolean isEnded() {
    return state == State.ENDED;
  }

  /**
   * Returns true if the application has begun to take the content, and will be notified of its end.
   */
  boolean isAwaited() {
    return asked && (state != State.ENDED || endAwaited);
  }

  /** Returns true if the content was broken off, so that its reader can only fail. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Lets a thread go on that reads, because the connection has ended. */
  void wake(IOException cause) {
    if (isStreamed()) {
      fail(cause);
    }
  }

  /** Ends the content, because its connection has ended. */
  void abandon(IOException cause) {
    fail(cause);
    releaseInput();
  }

  /** Notifies the listener that the content will never end. */
  void fail(IOException cause) {
    if (state == State.ENDED && !endAwaited) {
      return;
    }
    state = State.ENDED;
    endAwaited = false;
    failure = cause;
    BodyListener failed = listener;
    listener = NOBODY;
    tell(failed, cause);
  }

  /** Notifies a listener that the content will never end. The caller continues if it throws. */
  private void tell(BodyListener target, IOException cause) {
    try {
      target.onError(cause);
    } catch (Throwable thrown) {
      context.errors.log(exchange, "onError of a body listener", thrown);
    }
  }

  private void callEnd(BodyListener target) {
    exchange.beforeCall();
    try {
      target.onEnd();
      if (exchange.response.isForgotten()) {
        exchange.use.requireAnswer();
      }
      exchange.afterCall();
    } catch (Throwable thrown) {
      exchange.afterFailedCall(thrown);
    }
  }

  private void logTooLarge() {
    Connection connection = exchange.connection();
    long limit = bytesMax;
    exchange.inTurn(() -> context.log.contentTooLarge(connection, limit, receivedBytes));
  }

  /** Takes the loop's memory back from a stream, because the exchange has ended. */
  void releaseInput() {
    ContentInputStream given = input;
    if (given != null) {
      given.releaseBlocks();
    }
  }

  // ---- the handler's side ----

  @Override
  public long length() {
    exchange.checkUsable();
    return length;
  }

  @Override
  public RequestBody maxBytes(long bytes) {
    checkNotAsked();
    Range.checkAtLeast("maxBytes", bytes, 0);
    bytesMax = bytes;
    return this;
  }

  private void checkNotAsked() {
    exchange.checkUsable();
    if (asked) {
      throw new IllegalStateException("the body was read before");
    }
  }

  @Override
  public InputStream inputStream() {
    exchange.checkUsable();
    if (context.loop.isCurrent()) {
      throw new IllegalStateException("an event loop must not block: use Handlers.blocking");
    }
    checkNotAsked();
    ContentInputStream created = new ContentInputStream(this, context.loop.bufferPool());
    input = created;
    exchange.use.markHeld();
    receive(created);
    return created;
  }

  @Override
  public void receive(BodyListener target) {
    Objects.requireNonNull(target, "listener");
    checkNotAsked();
    if (length > bytesMax) {
      logTooLarge();
      throw new HttpException(413, "content of " + length + " bytes is more than " + bytesMax);
    }
    asked = true;
    int entered = exchange.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      exchange.execute(() -> listen(target));
      return;
    }
    try {
      listen(target);
    } finally {
      exchange.exitTurn(entered);
    }
  }

  private void listen(BodyListener target) {
    if (failure != null || exchange.isEnded()) {
      IOException cause = failure != null ? failure : ended("the exchange has ended");
      afterHandler(target, () -> tell(target, cause));
    } else if (state == State.UNASKED) {
      state = State.LISTENING;
      listener = target;
      restartRate();
      stream.demand();
      if (continueAwaited && !exchange.isCommitted()) {
        stream.interim(CONTINUE, FieldLines.NONE);
      }
    } else if (length == 0) {
      endEmpty(target);
    }
  }

  /** Calls a listener now, unless it must wait for the return of a handler that was left. */
  private void afterHandler(BodyListener target, Runnable call) {
    if (target == input) {
      call.run(); // it wakes the handler
    } else {
      exchange.use.afterHandler(call);
    }
  }

  /**
   * Calls back for empty content: in a turn, after the handler has returned, even if the exchange
   * has ended by then. If its connection ends before, {@link #fail} calls back.
   */
  private void endEmpty(BodyListener target) {
    listener = target;
    endAwaited = true;
    exchange.execute(() -> afterHandler(target, () -> endAwaited(target)));
  }

  private void endAwaited(BodyListener target) {
    if (endAwaited) {
      endAwaited = false;
      listener = NOBODY;
      callEndOf(target);
    }
  }

  private void callEndOf(BodyListener target) {
    if (!exchange.isEnded()) {
      callEnd(target);
      return;
    }
    try {
      target.onEnd();
    } catch (Throwable thrown) {
      if (Errors.isClientsFault(exchange)) {
        Errors.logAfterEnd(thrown);
      } else {
        context.errors.log(exchange, "onEnd of a body listener", thrown);
      }
    }
  }

  @Override
  public void pause() {
    exchange.checkUsable();
    paused = true;
  }

  @Override
  public void resume() {
    if (exchange.isEnded() || !exchange.use.isCallers()) {
      return;
    }
    if (paused) {
      paused = false; // at once, so that pauses and resumptions stay in order
      exchange.inTurn(this::onResumed);
    }
  }

  /** Runs a step of a stream in a turn, unless the exchange has ended. */
  void inTurn(Runnable step) {
    if (!exchange.isEnded()) {
      exchange.inTurn(step);
    }
  }

  private void onResumed() {
    if (!exchange.isEnded()) {
      restartRate();
      stream.demand();
    }
  }

  @Override
  public @Nullable String trailer(String name) {
    Objects.requireNonNull(name, "name");
    exchange.checkUsable();
    Map<String, String> fields = trailers;
    return fields == null ? null : fields.get(name.toLowerCase(Locale.ROOT));
  }
}
