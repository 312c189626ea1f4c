package dev.peregrine.server.http1;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.RequestBody;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.body.ChunkedDecoder;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.InboundBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request: its framing (RFC 9112 section 6), and who takes it.
 *
 * <pre>
 *   UNASKED ──forEach, readAll, inputStream──▶ LISTENING ──last byte──▶ ENDED
 *      └──response complete──▶ DISCARDING ──────────────────last byte──▶
 * </pre>
 */
final class Content implements RequestBody {
  private enum State {
    UNASKED,
    LISTENING,
    DISCARDING,
    ENDED
  }

  private static final BodyListener NOBODY =
      new BodyListener() {
        @Override
        public void onData(Bytes data) {}

        @Override
        public void onEnd() {}
      };

  /** Why the content can't be completed; without a stack, since the client could ask for many. */
  private static final class BrokenOff extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenOff(String text) {
      super(text);
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  private final Exchange exchange;
  private @Nullable ChunkedDecoder decoder; // made when the first chunked content comes
  private State state = State.ENDED;
  private BodyListener listener = NOBODY;
  private boolean chunked;
  private boolean empty;
  private boolean paused;
  private boolean continueAwaited;
  private volatile boolean asked;
  private @Nullable IOException failure;
  private long remaining; // of content with a length
  private long receivedBytes;
  private long bytesMax;
  private long dueNanos; // when the client is too slow, see DataRate
  private volatile @Nullable Map<String, String> trailers;

  Content(Exchange exchange) {
    this.exchange = exchange;
  }

  // ---- the loop's side ----

  void begin() {
    chunked = exchange.head.isChunked();
    remaining = Math.max(exchange.head.contentLength(), 0);
    empty = !chunked && remaining == 0;
    if (!empty) {
      state = State.UNASKED;
      bytesMax = exchange.http1.limits.bodyBytesMax();
      paused = false;
      receivedBytes = 0;
      continueAwaited = exchange.head.expectsContinue();
      dueNanos = exchange.connection().nanos();
      restartRate();
      if (chunked) {
        decoder().reset();
      }
    }
  }

  /** Forgets what the next request must not see; that is little as a rule. */
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

  boolean isEnded() {
    return state == State.ENDED;
  }

  /** Whether somebody has asked for the content in a way that calls back. */
  boolean isAsked() {
    return asked;
  }

  /** Whether more bytes are wanted, so that the connection should read on. */
  boolean isHungry() {
    return state == State.DISCARDING || (state == State.LISTENING && !paused);
  }

  /**
   * How many bytes will be passed on or dropped as soon as they come, as far as that is known. None
   * of what another thread takes: it would have to be kept for it.
   */
  long expectedBytes() {
    return isHungry() && !exchange.isAsync() ? remaining : 0;
  }

  /**
   * Whether this content can be read to its end to keep the connection: not if the client was never
   * told to send it, or if it is long.
   */
  boolean isCheapToDiscard() {
    return state == State.ENDED
        || (!continueAwaited && remaining <= exchange.http1.limits.drainBytesMax());
  }

  /**
   * Whether the client expects 100 (Continue) and hasn't got it, since it has no content; it gets
   * it before 101 all the same (RFC 9110 section 7.8).
   */
  boolean isContinueOwed() {
    return empty && exchange.head.expectsContinue();
  }

  /** The response is complete: whoever still takes the content is told that no more will come. */
  void dismissListener() {
    if (listener.equals(NOBODY)) {
      return;
    }
    BodyListener dismissed = listener;
    listener = NOBODY;
    tell(dismissed, new IOException("the response is complete: the rest is discarded"));
  }

  /** Tells a listener that the content will never end. Whatever it throws, the caller goes on. */
  private void tell(BodyListener target, IOException cause) {
    try {
      target.onError(cause);
    } catch (Throwable thrown) {
      exchange.logCallback("onError of a body listener", thrown);
    }
  }

  /**
   * The response is complete: drops what nobody wants any more. Returns false if that is too much.
   */
  boolean discard() {
    if (state == State.LISTENING || state == State.UNASKED) {
      if (!isCheapToDiscard()) {
        return false;
      }
      if (state == State.UNASKED) {
        restartRate();
      }
      state = State.DISCARDING;
      receivedBytes = 0;
    }
    return true;
  }

  /** Passes on what the buffer has of the content. Returns whether the content has ended. */
  boolean receive(InboundBuffer in) throws IOException {
    while (isHungry() && exchange.connection().isOpen()) {
      boolean progress = chunked ? receiveChunk(in) : receivePart(in);
      if (!progress || (chunked && !mayContinue(in))) {
        break;
      }
    }
    return state == State.ENDED;
  }

  /** Returns false if the next chunk has to wait for another turn. */
  private boolean mayContinue(InboundBuffer in) {
    if (state == State.ENDED || in.isEmpty() || exchange.http1.slice.step()) {
      return true;
    }
    exchange.connection().yieldTurn();
    return false;
  }

  private boolean receivePart(InboundBuffer in) {
    int part = (int) Math.min(remaining, in.to() - in.from());
    if (part == 0) {
      return false;
    }
    int from = in.from();
    in.consumeTo(from + part);
    remaining -= part;
    pass(in, from, from + part);
    if (remaining == 0) {
      end();
    }
    return true;
  }

  private boolean receiveChunk(InboundBuffer in) {
    ChunkedDecoder chunks = decoder();
    int result = chunks.next(in.segment(), in.from(), in.to());
    in.consumeTo(chunks.position());
    switch (result) {
      case ChunkedDecoder.DATA -> pass(in, chunks.dataStart(), chunks.dataEnd());
      case ChunkedDecoder.END -> {
        keepTrailers(chunks, in.segment());
        end();
      }
      case ChunkedDecoder.REJECTED -> reject(Objects.requireNonNull(chunks.rejection()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void pass(InboundBuffer in, int from, int to) {
    receivedBytes += to - from;
    dueNanos =
        exchange.http1.sendingRate.extend(dueNanos, to - from, exchange.connection().nanos());
    continueAwaited = false;
    if (receivedBytes > limit()) {
      logTooLarge(limit());
      breakOff(413, "content of more than " + limit() + " bytes");
      return;
    }
    if (state == State.DISCARDING) {
      return;
    }
    ReceivedBytes received = new ReceivedBytes(in.block(), from, to);
    exchange.beforeCall();
    try {
      listener.onData(received);
      exchange.afterCall();
    } catch (Throwable thrown) {
      listener = NOBODY; // once is enough
      exchange.afterFailedCall(thrown);
    } finally {
      received.close();
    }
  }

  private void logTooLarge(long limit) {
    Connection connection = exchange.connection();
    if (exchange.isInTurn()) {
      exchange.http1.log.contentTooLarge(connection, limit, receivedBytes);
    } else {
      exchange.execute(() -> exchange.http1.log.contentTooLarge(connection, limit, receivedBytes));
    }
  }

  private long limit() {
    return state == State.DISCARDING ? exchange.http1.limits.drainBytesMax() : bytesMax;
  }

  private void end() {
    if (state == State.ENDED) {
      return;
    }
    state = State.ENDED;
    callEnd(listener);
  }

  private void callEnd(BodyListener target) {
    exchange.beforeCall();
    try {
      target.onEnd();
      if (exchange.response.isUntouched()) {
        exchange.requireAnswer();
      }
      exchange.afterCall();
    } catch (Throwable thrown) {
      exchange.afterFailedCall(thrown);
    }
  }

  private void reject(Rejection rejection) {
    exchange.http1.log.rejected(exchange.connection(), rejection, receivedBytes);
    breakOff(rejection.status(), rejection.text());
  }

  /**
   * The content can't be completed: says so to the listener and, if it isn't too late, the client.
   */
  private void breakOff(int status, String text) {
    exchange.closeAfter();
    fail(new BrokenOff(text));
    if (!exchange.sender.isComplete()) {
      exchange.refuse(status, text);
    }
  }

  /** The client ended its stream within the content. */
  void onInputEnd() {
    breakOff(400, "the stream ended within the content");
  }

  /** Whether the client broke the content off, so that whoever takes it can only fail. */
  boolean hasFailed() {
    return failure != null;
  }

  /** The content will never end. */
  void fail(IOException cause) {
    if (state == State.ENDED) {
      return;
    }
    state = State.ENDED;
    failure = cause;
    BodyListener told = listener;
    listener = NOBODY;
    tell(told, cause);
  }

  /** Whether the client sends less than it has to. */
  boolean isTooSlow(long nowNanos) {
    return isHungry() && exchange.http1.sendingRate.isBelow(dueNanos, nowNanos);
  }

  void onTooSlow() {
    exchange.http1.log.slowContent(exchange.connection(), receivedBytes);
    breakOff(408, "the content came too slowly");
  }

  /** The client has at least the grace from now: until now it wasn't read. */
  void restartRate() {
    dueNanos = exchange.http1.sendingRate.begin(dueNanos, exchange.connection().nanos());
  }

  private ChunkedDecoder decoder() {
    if (decoder == null) {
      ParserLimits limits = exchange.http1.limits.parser();
      decoder = new ChunkedDecoder(limits);
    }
    return decoder;
  }

  private void keepTrailers(ChunkedDecoder chunks, MemorySegment bytes) {
    int count = chunks.trailerCount();
    if (count == 0 || state == State.DISCARDING) {
      return;
    }
    Map<String, String> fields = HashMap.newHashMap(count);
    for (int i = 0; i < count; i++) {
      String name = Latin1.string(bytes, chunks.nameStart(i), chunks.nameEnd(i));
      String value = Latin1.string(bytes, chunks.valueStart(i), chunks.valueEnd(i));
      fields.merge(name.toLowerCase(Locale.ROOT), value, (a, b) -> a + ", " + b);
    }
    trailers = fields;
  }

  // ---- the handler's side ----

  @Override
  public long length() {
    exchange.checkUsable();
    return exchange.head.isChunked() ? -1 : Math.max(exchange.head.contentLength(), 0);
  }

  @Override
  public RequestBody limit(long bytes) {
    checkNotAsked();
    if (bytes < 0) {
      throw new IllegalArgumentException("limit is " + bytes + ", but must be at least 0");
    }
    bytesMax = bytes;
    return this;
  }

  private void checkNotAsked() {
    exchange.checkUsable();
    if (asked) {
      throw new IllegalStateException("the body was asked for before");
    }
  }

  @Override
  public InputStream inputStream() {
    exchange.checkUsable();
    if (exchange.http1.loop.isCurrent()) {
      throw new IllegalStateException("an event loop must not block: use Handlers.blocking");
    }
    ContentInputStream stream = new ContentInputStream(this);
    forEach(stream);
    return stream;
  }

  @Override
  public void forEach(BodyListener target) {
    checkNotAsked();
    long declared = exchange.head.contentLength();
    if (declared > bytesMax) {
      logTooLarge(bytesMax);
      throw new HttpException(413, "content of " + declared + " bytes is more than " + bytesMax);
    }
    asked = true;
    if (exchange.isInTurn()) {
      listen(target);
    } else {
      exchange.execute(() -> listen(target));
    }
  }

  private void listen(BodyListener target) {
    if (state == State.UNASKED) {
      state = State.LISTENING;
      listener = target;
      restartRate();
      exchange.connection().unlimitInput();
      if (continueAwaited && !exchange.sender.isCommitted()) {
        exchange.http1.encoder.continueInterim(exchange.connection().out());
      }
    } else if (failure != null || exchange.isEnded()) {
      tell(target, failure != null ? failure : new IOException("the exchange has ended"));
    } else if (empty) {
      endEmpty(target);
    }
  }

  /** Calls back for content that there is none of: in a turn, after the handler has returned. */
  private void endEmpty(BodyListener target) {
    exchange.execute(
        () -> {
          if (!exchange.isEnded()) {
            callEnd(target);
          }
        });
  }

  @Override
  public void pause() {
    exchange.checkUsable();
    if (exchange.isInTurn()) {
      paused = true;
    } else {
      exchange.execute(() -> paused = true);
    }
  }

  @Override
  public void resume() {
    if (exchange.isEnded() || !exchange.isCallers()) {
      return;
    }
    if (exchange.isInTurn()) {
      doResume();
    } else {
      exchange.execute(this::doResume);
    }
  }

  private void doResume() {
    if (paused && !exchange.isEnded()) {
      paused = false;
      restartRate();
      exchange.connection().unlimitInput();
    }
  }

  @Override
  public @Nullable String trailer(String name) {
    exchange.checkUsable();
    Map<String, String> fields = trailers;
    return fields == null ? null : fields.get(name.toLowerCase(Locale.ROOT));
  }
}
