package dev.peregrine.server.http1;

import dev.peregrine.http.ContentType;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.body.ChunkedDecoder;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on an HTTP/1.x connection. Frames the content of both (RFC 9112
 * sections 6 and 7), and decides whether the connection persists.
 *
 * <pre>
 *   HEAD ──without content───────────────────────────────▶ RECEIVED
 *    └─with content─▶ CONTENT ──last byte────────────────────▶┤
 *                        ├─response complete─▶ DISCARDING ──▶─┘
 *                        └──fault─▶ BROKEN_OFF ◀──fault──┘
 *
 *   then:  RECEIVED ──response complete──▶ HEAD of the next request, a ConnectionTunnel, or closed
 *          BROKEN_OFF, or CONTENT too long to discard ──response complete──▶ closed
 * </pre>
 */
final class Http1Stream extends HttpStream {
  // States are ints, as in ExchangeProgress. From RECEIVED on no bytes are read for this request.
  private static final int HEAD = 0;
  private static final int CONTENT = 1;
  private static final int DISCARDING = 2;
  private static final int RECEIVED = 3;
  private static final int BROKEN_OFF = 4;

  private static final int MULTIPLE_CHOICES = 300;

  private final Http1 http1;
  private final ResponseEncoder encoder;
  final Exchange exchange;
  final RequestHead head;
  private final RequestContent content;
  private final ContentFraming framing;

  private int state = HEAD;
  private long discardedBytes;
  private boolean persistent; // as decided so far
  private boolean declared; // the response's head declares it
  private boolean closeWanted; // the application or the server ends the connection
  private boolean chunksContent; // the response is chunked
  private @Nullable ConnectionTunnel tunnel;

  Http1Stream(Http1 http1) {
    this.http1 = http1;
    this.encoder = http1.encoder;
    this.exchange = new Exchange(http1.context, this);
    this.head = exchange.head();
    this.content = exchange.content();
    this.framing = new ContentFraming(http1.context.limits().parser());
  }

  // ---- the connection's side ----

  /** Returns true once the head of a request is complete. */
  boolean isBegun() {
    return state != HEAD;
  }

  /** Begins with the complete head that was parsed from those bytes. */
  void begin(Connection connection, MemorySegment bytes, int from) {
    long contentLength = framing.begin(head);
    state = contentLength == 0 ? RECEIVED : CONTENT;
    persistent = true;
    connection.countUse();
    exchange.begin(connection, bytes, from, contentLength);
  }

  /** Ends the exchange. Returns true if the stream can serve another request. */
  boolean end() {
    state = HEAD;
    declared = false;
    closeWanted = false;
    chunksContent = false;
    if (tunnel != null) {
      tunnel = null;
    }
    return exchange.end();
  }

  /** Continues with the content as far as the bytes reach. Returns true if the exchange is over. */
  boolean advance(InboundBuffer in) throws IOException {
    if (state < RECEIVED
        && !receive(in)
        && exchange.isComplete()
        && !connection().input().isYielded()) {
      discardRest(in);
    }
    return exchange.isComplete() && (state >= RECEIVED || !persistent);
  }

  /**
   * Discards the rest of the content after a complete response if little is left, so that the
   * connection can persist.
   */
  private void discardRest(InboundBuffer in) throws IOException {
    content.dismiss();
    decidePersistence(0, false);
    if (persistent) {
      if (state == CONTENT) {
        state = DISCARDING;
        discardedBytes = 0;
      }
      receive(in);
    }
  }

  /**
   * Decides whether the connection persists after this exchange (RFC 9112 section 9.3). The head of
   * the response declares it. Afterwards only content that can't be read to its end changes it.
   *
   * @param status of the response whose head declares it; not used afterwards
   * @param awaitsContent whether a handler that takes the content may still do so
   */
  private void decidePersistence(int status, boolean awaitsContent) {
    boolean possible = state == RECEIVED || (state == CONTENT && awaitsContent) || canReadRest();
    if (!declared) {
      declared = true;
      int usesMax = http1.context.limits().requestsPerConnectionMax();
      possible &=
          head.isKeepAlive()
              && (usesMax == 0 || connection().uses() < usesMax)
              && !closeWanted
              && !http1.context.isEnding()
              && !isTunnelAnswer(status);
    }
    persistent &= possible; // a decision against it is final
  }

  /**
   * Returns true if the rest of the content may be read only to keep the connection. False if it is
   * broken off, if it is long, or if the client waits for 100 before it sends it.
   */
  private boolean canReadRest() {
    return state != BROKEN_OFF
        && !content.isContinueAwaited()
        && framing.remaining() <= http1.context.limits().drainBytesMax();
  }

  /** Returns true for a success that turns the connection into a tunnel for the client. */
  private boolean isTunnelAnswer(int status) {
    return status < MULTIPLE_CHOICES && head.method() == HttpMethod.CONNECT;
  }

  /** Returns true if the connection persists, once the exchange is over. */
  boolean isPersistent() {
    return persistent;
  }

  /** The protocol that the connection is handed over to after this exchange, if any. */
  @Nullable ConnectionTunnel tunnel() {
    return tunnel;
  }

  /** Sets the deadline of the connection, because the exchange continues after this turn. */
  void keep(InboundBuffer in) {
    Connection connection = connection();
    long dueNanos = exchange.keep();
    if (dueNanos == Exchange.NOT_DUE) {
      connection.clearDeadline();
    } else {
      connection.setDeadline(Deadline.RESPONSE, dueNanos);
    }
    int pipelinedMax = http1.context.limits().pipelinedBytesMax();
    if (state >= RECEIVED) {
      connection.input().limit(pipelinedMax);
    } else if (!isHungry() && !in.isEmpty()) {
      connection.input().limit(exchange.awaitsClientEnd() ? pipelinedMax : 0);
    } else {
      connection.input().unlimit();
    }
  }

  /** Sends 503, because the application has not begun its response in time. */
  void onResponseLate() {
    closeWanted = true;
    exchange.onResponseLate();
  }

  // ---- the request's content ----

  /** Returns true if content is consumed as soon as it arrives. */
  boolean isHungry() {
    return state == DISCARDING || (state == CONTENT && content.isHungry());
  }

  /**
   * Returns how many bytes will be passed on or dropped as soon as they arrive, as far as that is
   * known. 0 for content that another thread reads, because it would have to be kept.
   */
  long expectedBytes() {
    return isHungry() && !exchange.isAsync() ? framing.remaining() : 0;
  }

  /** Returns true if the client sends less than the required rate. */
  boolean isTooSlow(long nowNanos) {
    return isHungry() && content.isTooSlow(nowNanos);
  }

  /** Breaks the content off, because the client has ended its stream within it. */
  void onInputEnd() {
    content.breakOff(400, "the stream ended within the content");
  }

  /** Passes on the content in the buffer. Returns true if the content has ended. */
  private boolean receive(InboundBuffer in) throws IOException {
    boolean progress = true;
    while (progress && isHungry() && connection().isOpen()) {
      switch (framing.next(in)) {
        case ChunkedDecoder.DATA -> {
          content.receive(in.block(), framing.from(), framing.to());
          boundDiscarded(framing.to() - framing.from());
          if (framing.isExhausted()) {
            endContent(List.of());
          }
        }
        case ChunkedDecoder.END -> endContent(framing.trailers(in.segment()));
        case ChunkedDecoder.REJECTED -> content.reject(framing.rejection());
        default -> progress = false;
      }
      progress = progress && mayContinue(in);
    }
    return state >= RECEIVED;
  }

  /** Returns false if the next chunk must wait for another turn. */
  private boolean mayContinue(InboundBuffer in) {
    if (!framing.isChunked() || state >= RECEIVED || in.isEmpty() || http1.slice.step()) {
      return true;
    }
    connection().yieldTurn();
    return false;
  }

  /** Ends content that is discarded to keep the connection, once it exceeds the limit. */
  private void boundDiscarded(int bytes) {
    if (state == DISCARDING) {
      discardedBytes += bytes;
      long bytesMax = http1.context.limits().drainBytesMax();
      if (discardedBytes > bytesMax) {
        http1.context.log().contentTooLarge(connection(), bytesMax, discardedBytes);
        content.breakOff(413, "content of more than " + bytesMax + " bytes");
      }
    }
  }

  private void endContent(List<String> trailers) {
    if (state < RECEIVED) {
      if (!trailers.isEmpty()) {
        content.receiveTrailers(trailers);
      }
      state = RECEIVED;
      content.end();
    }
  }

  @Override
  public void demand() {
    connection().input().unlimit();
  }

  @Override
  public void stopReading() {
    state = BROKEN_OFF;
    decidePersistence(0, false);
  }

  // ---- the response ----

  @Override
  public boolean takeField(String name, String value) {
    boolean closes = takeConnectionField(name, value);
    closeWanted |= closes;
    return closes;
  }

  @Override
  public void interim(int status, FieldLines fields) {
    if (head.version() != HttpVersion.HTTP_1_0) {
      encoder.interim(out(), status, fields);
    }
  }

  @Override
  public void head(
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      byte @Nullable [] given,
      Rest rest) {
    boolean oldVersion = head.version() == HttpVersion.HTTP_1_0;
    long framed = length >= 0 ? length : framed(length, oldVersion);
    if (fields.length() > 0) {
      offerUpgrade(fields);
    }
    decidePersistence(status, rest == Rest.LATER && content.isAsked());
    chunksContent = framed == ResponseEncoder.CHUNKED && rest != Rest.NOTHING;
    encoder.head(out(), status, type, fields, framed, given, !persistent, oldVersion && persistent);
  }

  /** Returns the framing of a response without a length. */
  private long framed(long length, boolean oldVersion) {
    if (length == NO_CONTENT) {
      return ResponseEncoder.NO_CONTENT;
    }
    if (!oldVersion) {
      return ResponseEncoder.CHUNKED;
    }
    closeWanted = true; // the end of the connection marks the end of the content
    connection().endMarksContent();
    return ResponseEncoder.TO_CLOSE;
  }

  /** Adds the connection option that an Upgrade field needs (RFC 9110 section 7.8). */
  private static void offerUpgrade(FieldLines fields) {
    if (fields.has(HeaderName.UPGRADE)) {
      fields.add(HeaderName.CONNECTION, HeaderName.UPGRADE);
    }
  }

  @Override
  public void write(byte[] source, int from, int length) {
    OutboundQueue out = beginPiece(length);
    out.append(source, from, length);
    endPiece(out);
  }

  @Override
  public void write(ByteBuffer source) {
    OutboundQueue out = beginPiece(source.remaining());
    out.append(source);
    endPiece(out);
  }

  @Override
  public void write(ReceivedBytes source, int length) {
    OutboundQueue out = beginPiece(length);
    if (length > OutboundQueue.COPIED_BYTES_MAX && http1.lend()) {
      out.appendLoan(source.block(), source.from(), source.from() + length);
    } else {
      out.append(source.block().segment(), source.from(), length);
    }
    endPiece(out);
  }

  @Override
  public void write(Block source, int length) {
    OutboundQueue out = beginPiece(length);
    if (length <= OutboundQueue.COPIED_BYTES_MAX) {
      out.append(source.segment(), 0, length);
      http1.context.loop().bufferPool().release(source);
    } else {
      out.appendOwned(source, 0, length);
    }
    endPiece(out);
  }

  @Override
  public void write(OpenFile source, long position, long length) throws IOException {
    OutboundQueue out;
    try {
      out = beginPiece(length);
    } catch (Throwable noMemory) {
      source.release();
      throw noMemory;
    }
    out.append(source, position, length);
    endPiece(out);
  }

  private OutboundQueue beginPiece(long length) {
    OutboundQueue out = out();
    if (chunksContent) {
      encoder.chunkHead(out, length);
    }
    return out;
  }

  private void endPiece(OutboundQueue out) {
    if (chunksContent) {
      encoder.chunkEnd(out);
    }
  }

  @Override
  public void end(FieldLines trailers) {
    if (chunksContent) {
      encoder.lastChunk(out(), trailers);
    }
  }

  @Override
  public void flush() {
    try {
      connection().flush();
    } catch (IOException lost) {
      connection().lose(lost);
    }
  }

  @Override
  public boolean requestRoom() {
    return connection().output().requestRoom();
  }

  @Override
  public boolean makeRoom() throws IOException {
    return connection().makeRoom();
  }

  @Override
  public void breakOff(CloseReason reason) {
    connection().breakOff(reason);
  }

  @Override
  public void handOver(int status, @Nullable ContentType type, FieldLines fields, TunnelUser user) {
    offerUpgrade(fields);
    declared = true; // a connection that leaves HTTP declares no connection option
    encoder.head(out(), status, type, fields, ResponseEncoder.NO_CONTENT, null, false, false);
    tunnel = new ConnectionTunnel(connection(), user);
  }

  // ---- the connection ----

  @Override
  public boolean isClientEnded() {
    return connection().input().isEnded();
  }

  @Override
  public void watchClientEnd() {
    connection().input().watchEnd(true);
  }

  @Override
  public void shedLoad() {
    closeWanted = true;
  }

  private Connection connection() {
    return exchange.connection();
  }

  private OutboundQueue out() {
    return connection().out();
  }

  /** Creates streams; not a lambda, to start sooner. */
  record Source(Http1 http1) implements Supplier<Http1Stream> {
    @Override
    public Http1Stream get() {
      return new Http1Stream(http1);
    }
  }
}
