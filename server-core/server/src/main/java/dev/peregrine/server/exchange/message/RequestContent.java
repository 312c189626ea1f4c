package dev.peregrine.server.exchange.message;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import dev.peregrine.http.Outcome;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.state.Errors;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.Block;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request, with its listener, its limit and its data rate: the loop's side.
 *
 * <pre>
 *   UNASKED ──listen──▶ LISTENING ──last byte, or broken off──▶ ENDED
 *      └───response complete──▶ DISMISSED ◀──┘                    ▲
 *                                   └───last byte, or broken off──┘
 * </pre>
 *
 * <p>The protocol passes content on while it {@link #isHungry}, and decides alone whether it reads
 * content that is DISMISSED, which is dropped.
 */
public final class RequestContent {
  // Ints, not enums: see ExchangeProgress.
  private static final int UNASKED = 0;
  private static final int LISTENING = 1;
  private static final int DISMISSED = 2;
  private static final int ENDED = 3;

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

  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final HttpStream stream;
  private final ExchangeContext context;
  private final ExchangeEnd ending;
  private final ResponseSender sender;
  private final Calls calls;
  private int state = ENDED;
  private BodyListener listener = NOBODY;
  private long length; // or HttpStream.UNKNOWN_LENGTH
  private volatile boolean paused; // by the application, on any thread
  private boolean endAwaited; // the listener waits for the end of empty content
  private boolean continueAwaited;
  private volatile boolean asked;
  private @Nullable IOException failure;
  private long bytesMax;
  private boolean openEnded; // the client may be silent
  private long dueNanos; // the client's time by DataRate
  private volatile @Nullable Map<String, String> trailers;
  private volatile @Nullable BlockingReader reader; // of an exchange that is never reused

  public RequestContent(
      ExchangeState exchange, ExchangeEnd ending, ResponseSender sender, Calls calls) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.stream = exchange.stream;
    this.context = exchange.context;
    this.ending = ending;
    this.sender = sender;
    this.calls = calls;
  }

  public void begin(long contentLength) {
    length = contentLength;
    openEnded = false;
    if (contentLength != 0) {
      state = UNASKED;
      bytesMax = context.limits.bodyBytesMax();
      paused = false;
      continueAwaited = exchange.head.head().expectsContinue();
      dueNanos = exchange.connection().nanos();
      restartRate();
    }
  }

  /** Clears the state that the next request must not see; little in the common case. */
  public void reset() {
    if (state != ENDED) {
      state = ENDED;
    }
    if (asked) {
      asked = false;
      listener = NOBODY;
      endAwaited = false;
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
    return state == LISTENING && !paused && (!exchange.afterHandler.isAwaited() || isStreamed());
  }

  /** Returns true if the content is taken by a stream, which any thread may read. */
  private boolean isStreamed() {
    return isReader(listener);
  }

  @SuppressWarnings("ReferenceEquality") // a listener is itself
  private boolean isReader(@Nullable BodyListener target) {
    return target == reader;
  }

  /** Returns true if the client waits for 100 (Continue) before it sends the content. */
  public boolean isContinueAwaited() {
    return continueAwaited;
  }

  /** Returns the number of bytes received so far. */
  public long receivedBytes() {
    return exchange.receivedBytes;
  }

  /** Takes content that has arrived, in a block that stays valid during the call. */
  public void receive(Block block, int from, int to) {
    exchange.receivedBytes += to - from;
    dueNanos = context.sendingRate.extend(dueNanos, to - from, exchange.connection().nanos());
    continueAwaited = false;
    if (state == DISMISSED) {
      return;
    }
    if (exchange.receivedBytes > bytesMax) {
      logTooLarge();
      breakOff(413, "content of more than " + bytesMax + " bytes");
      return;
    }
    ReceivedBytes received = new ReceivedBytes(context.retainer(), block, from, to);
    calls.begin();
    try {
      listener.onData(received);
      calls.end();
    } catch (Throwable thrown) {
      listener = NOBODY; // one failed call is enough
      calls.fail(thrown);
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
    if (state == DISMISSED) {
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
    boolean isTaken = state == LISTENING;
    state = ENDED;
    if (isTaken) {
      callEnd(listener);
    }
  }

  /** Ends the content, because it violates the grammar of its protocol. */
  public void reject(Rejection rejection) {
    context.log.rejected(exchange.connection(), rejection, exchange.receivedBytes);
    breakOff(rejection.status(), rejection.text());
  }

  /**
   * Ends content that can't be completed: notifies its listener and, unless the response is
   * complete, the client.
   */
  public void breakOff(int status, String text) {
    stream.stopReading();
    if (!progress.isOver()) {
      ending.note(Outcome.REJECTED);
    }
    fail(new ContentRejectedException(status, text));
    if (!progress.isAnswered()) {
      sender.refuse(status, text);
    }
  }

  /** Returns true if the client sends less than the required rate. */
  public boolean isTooSlow(long nowNanos) {
    return (!openEnded || state == DISMISSED) && context.sendingRate.isBelow(dueNanos, nowNanos);
  }

  /** Ends the content, because the client sends less than the required rate. */
  public void onTooSlow() {
    context.log.slowContent(exchange.connection(), exchange.receivedBytes);
    breakOff(408, "the content came too slowly");
  }

  /** Gives the client at least the grace from now, because it wasn't read before. */
  public void restartRate() {
    dueNanos = context.sendingRate.begin(dueNanos, exchange.connection().nanos());
  }

  /** Notifies the listener that no more content will arrive, because the response is complete. */
  public void dismiss() {
    if (state == UNASKED || openEnded) {
      restartRate();
    }
    if (state != ENDED) {
      state = DISMISSED;
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
  public boolean isContinueOwed() {
    return length == 0 && exchange.head.head().expectsContinue();
  }

  /** Returns true if the content has arrived completely, or never will. */
  public boolean isEnded() {
    return state == ENDED;
  }

  /**
   * Returns true if the application has begun to take the content, and will be notified of its end.
   */
  public boolean isAwaited() {
    return asked && (state != ENDED || endAwaited);
  }

  /** Lets a thread go on that reads, because the connection has ended. */
  public void wake(IOException cause) {
    if (isStreamed()) {
      fail(cause);
    }
  }

  /** Ends the content, because its connection has ended. */
  public void abandon(IOException cause) {
    fail(cause);
    releaseInput();
  }

  /** Notifies the listener that the content will never end. */
  void fail(IOException cause) {
    if (state == ENDED && !endAwaited) {
      return;
    }
    state = ENDED;
    endAwaited = false;
    failure = cause;
    progress.breakContentOff();
    BodyListener failed = listener;
    listener = NOBODY;
    tell(failed, cause);
  }

  /** Notifies a listener that the content will never end. The caller continues if it throws. */
  private void tell(BodyListener target, IOException cause) {
    try {
      target.onError(cause);
    } catch (Throwable thrown) {
      context.errors.log(exchange.head, "onError of a body listener", thrown);
    }
  }

  private void callEnd(BodyListener target) {
    calls.begin();
    try {
      target.onEnd();
      if (exchange.answer.isForgotten()) {
        exchange.requireAnswer();
      }
      calls.end();
    } catch (Throwable thrown) {
      calls.fail(thrown);
    }
  }

  private void logTooLarge() {
    context.log.contentTooLarge(exchange.connection(), bytesMax, exchange.receivedBytes);
  }

  /** Takes the loop's memory back from a stream, because the exchange has ended. */
  public void releaseInput() {
    BlockingReader given = reader;
    if (given != null) {
      given.releaseBlocks();
    }
  }

  // ---- for the handler's side ----

  /** Returns the length in bytes, or {@link HttpStream#UNKNOWN_LENGTH}; on any thread. */
  public long length() {
    return length;
  }

  /** Returns the limit of the length, which the handler may set before it takes the content. */
  public long bytesMax() {
    return bytesMax;
  }

  public void bytesMax(long bytes) {
    bytesMax = bytes;
  }

  /** Lets content have any length, and its client be silent until the response is complete. */
  public void openEnded() {
    bytesMax = Long.MAX_VALUE;
    openEnded = true;
  }

  /** Returns true for a conversation, whose client may also let the response wait. */
  public boolean isOpenEnded() {
    return openEnded;
  }

  /** Logs that a declared length is above the limit; in a turn. */
  public void logTooLarge(Connection connection, long limit) {
    context.log.contentTooLarge(connection, limit, exchange.receivedBytes);
  }

  /** Records that the handler has begun to take the content; on its thread. */
  public void ask() {
    asked = true;
  }

  /** Records that a thread will read the content by a stream; on that thread. */
  public void readBy(BlockingReader given) {
    reader = given;
  }

  /**
   * Begins to pass the content on, in a turn. Returns true if it is empty, and {@link #endEmpty}
   * must be called in a later turn, when the handler has returned.
   */
  public boolean listen(BodyListener target) {
    if (failure != null || progress.isEnded()) {
      IOException cause = failure != null ? failure : ended("the exchange has ended");
      afterHandler(target, () -> tell(target, cause));
    } else if (state == UNASKED) {
      state = LISTENING;
      listener = target;
      restartRate();
      stream.demand();
      if (continueAwaited && !progress.isCommitted()) {
        stream.interim(CONTINUE, FieldLines.NONE);
      }
    } else if (length == 0) {
      listener = target;
      endAwaited = true;
      return true;
    }
    return false;
  }

  /** Calls a listener now, unless it must wait for the return of a handler that was left. */
  private void afterHandler(BodyListener target, Runnable call) {
    if (isReader(target)) {
      call.run(); // it wakes the handler
    } else {
      exchange.afterHandler.run(call);
    }
  }

  /**
   * Calls back for empty content, even if the exchange has ended by then. If its connection ends
   * before, {@link #fail} calls back.
   */
  public void endEmpty(BodyListener target) {
    afterHandler(target, () -> endAwaited(target));
  }

  private void endAwaited(BodyListener target) {
    if (endAwaited) {
      endAwaited = false;
      listener = NOBODY;
      callEndOf(target);
    }
  }

  private void callEndOf(BodyListener target) {
    if (!progress.isEnded()) {
      callEnd(target);
      return;
    }
    try {
      target.onEnd();
    } catch (Throwable thrown) {
      if (sender.isClientsFault()) {
        Errors.logAfterEnd(thrown);
      } else {
        context.errors.log(exchange.head, "onEnd of a body listener", thrown);
      }
    }
  }

  /** Has the loop pass nothing on; on any thread. */
  public void pause() {
    paused = true;
  }

  /**
   * Ends a pause at once, so that pauses and resumptions stay in order; on any thread. Returns true
   * if {@link #onResumed} must follow, in a turn.
   */
  public boolean resume() {
    boolean wasPaused = paused;
    paused = false;
    return wasPaused;
  }

  public void onResumed() {
    if (!progress.isEnded()) {
      restartRate();
      stream.demand();
    }
  }

  /** Returns the trailer field with that name in lower case; null if there is none. */
  public @Nullable String trailer(String lowerCase) {
    Map<String, String> fields = trailers;
    return fields == null ? null : fields.get(lowerCase);
  }
}
