package dev.peregrine.server.http2;

import dev.peregrine.http.ContentType;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.HttpStream;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.flow.OutboundContent;
import dev.peregrine.server.http2.flow.ReceiveWindow;
import dev.peregrine.server.http2.flow.StreamState;
import dev.peregrine.server.http2.flow.Windowed;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.head.ConnectionFields;
import dev.peregrine.server.http2.head.HeadEncoder;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on an HTTP/2 connection: see {@link StreamState}. Content of the
 * response that a window holds back waits in the stream; so does content of the request that isn't
 * taken yet.
 */
final class Http2Stream extends HttpStream implements Windowed {
  private final Http2 http2;
  final Exchange exchange;
  final RequestHead head;

  private @Nullable Http2Connection on;
  private int id;
  private final StreamState state = new StreamState();
  private boolean orphaned; // abandoned, and its handler still runs
  private boolean roomAwaited; // the exchange waits for onWritable
  private @Nullable StreamTunnel tunnel;
  final InboundContent inbound;
  final OutboundContent outbound;
  private long dueNanos; // when the response must have begun, or Exchange.NOT_DUE

  Http2Stream(Http2 http2) {
    super(http2.context);
    this.http2 = http2;
    this.exchange = exchange();
    this.head = exchange.head();
    this.outbound = new OutboundContent(state, http2.sending);
    this.inbound = new InboundContent(exchange.content(), state, outbound, http2.sending.pool());
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public StreamState state() {
    return state;
  }

  @Override
  public ReceiveWindow receiveWindow() {
    return inbound.window;
  }

  @Override
  public OutboundContent outbound() {
    return outbound;
  }

  // ---- the connection's side ----

  /** Begins with the head that was read. */
  void begin(Http2Connection connection, int streamId, MemorySegment bytes, boolean end) {
    on = connection;
    id = streamId;
    state.open(end);
    outbound.begin(streamId, connection.initialWindow(), connection.connection().nanos());
    roomAwaited = false;
    dueNanos = Exchange.NOT_DUE;
    long declared = head.contentLength();
    long length = end ? 0 : declared >= 0 ? declared : UNKNOWN_LENGTH;
    inbound.begin(length, end, http2.settings.streamWindow());
    if (head.method() == HttpMethod.CONNECT) {
      inbound.awaitTunnel();
      length = 0;
    }
    exchange.begin(connection.connection(), bytes, 0, length);
  }

  /** Returns true if the response and the request are over, so that the stream can be released. */
  boolean isOver() {
    return isAnswered() && (tunnel == null ? !state.isReceiving() : inbound.isEnded());
  }

  /** Returns true if the response is sent. */
  boolean isAnswered() {
    return !state.isSending() && (tunnel != null || exchange.isComplete());
  }

  boolean isClosed() {
    return !state.isLive();
  }

  boolean isTunnel() {
    return tunnel != null;
  }

  /** Ends the exchange. Returns true if the stream can serve another request. */
  boolean end() {
    state.release();
    dropQueues();
    StreamTunnel ended = tunnel;
    if (ended != null) {
      ended.onClose(CloseReason.APPLICATION_CLOSED);
      return false;
    }
    on = null;
    return exchange.end();
  }

  /** Ends the exchange because the stream was reset, or its connection was lost. */
  void abandon(CloseReason reason) {
    state.reset();
    dropQueues();
    if (tunnel == null || !tunnel.abandon(reason)) {
      exchange.abandon(reason);
    }
  }

  private void dropQueues() {
    outbound.clear();
    inbound.clear();
  }

  // ---- the request's content ----

  @Override
  protected void demand() {
    connection().serveLater();
  }

  @Override
  protected void stopReading() {
    inbound.stop();
    connection().serveLater();
  }

  // ---- the response ----

  @Override
  protected boolean takeField(String name, String value) {
    if (takeConnectionField(name, value)) {
      return true;
    }
    boolean isDropped = ConnectionFields.isOne(name);
    if (isDropped) {
      FieldLines.check(name, value);
    }
    return isDropped;
  }

  @Override
  protected void interim(int status, FieldLines fields) {
    if (!isClosed()) {
      http2.encoder.interim(connection(), id, status, fields);
    }
  }

  @Override
  protected void head(
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      byte @Nullable [] given,
      Rest rest) {
    if (isClosed()) {
      return;
    }
    int bytes = given == null ? 0 : (int) length;
    boolean ends = rest == Rest.NOTHING && bytes == 0;
    boolean withHead =
        bytes > 0
            && bytes <= COPIED_CONTENT_BYTES_MAX
            && connection().output().take(outbound, bytes, nanos());
    byte[] content = withHead ? given : ends ? null : HeadEncoder.FOLLOWS;
    http2.encoder.head(
        connection(),
        id,
        status,
        type,
        fields,
        length >= 0 ? length : HeadEncoder.UNDECLARED,
        content);
    if (ends || withHead) {
      state.sendEnd();
      connection().serveLater();
    } else if (given != null) {
      if (bytes <= COPIED_CONTENT_BYTES_MAX) {
        addCopy(MemorySegment.ofArray(given), 0, bytes);
      } else {
        outbound.queue().add(given, 0, bytes);
      }
      end(FieldLines.NONE);
    }
  }

  private void addCopy(MemorySegment source, long from, int length) {
    try {
      outbound.queue().addCopy(source, from, length);
    } catch (Throwable noMemory) {
      breakOff(CloseReason.OVERLOADED); // even if the caller catches it
      throw noMemory;
    }
  }

  @Override
  protected void write(byte[] source, int from, int length) {
    if (!isClosed() && length > 0) {
      outbound.queue().add(source, from, length);
      connection().output().request();
    }
  }

  @Override
  protected void write(ByteBuffer source) {
    if (!isClosed() && source.hasRemaining()) {
      outbound.queue().add(source);
      connection().output().request();
    }
  }

  @Override
  protected void write(ReceivedBytes source, int length) {
    writeCopy(source.block().segment(), source.from(), length);
  }

  /** Sends a copy of bytes, at once if that is possible. */
  void writeCopy(MemorySegment bytes, long from, int length) {
    if (!isClosed() && length > 0 && !sendNow(bytes, from, length)) {
      addCopy(bytes, from, length);
      connection().output().request();
    }
  }

  private boolean sendNow(MemorySegment bytes, long from, int length) {
    return isBelowHighWater()
        && connection().output().sendNow(outbound, bytes, from, length, nanos());
  }

  private boolean isBelowHighWater() {
    return connection().connection().output().unsentBytes() < http2.sending.highWater();
  }

  private long nanos() {
    return connection().connection().nanos();
  }

  @Override
  protected void write(Block source, int length) {
    if (isClosed()) {
      http2.context.loop().bufferPool().release(source);
    } else {
      outbound.queue().add(source, length);
      connection().output().request();
    }
  }

  @Override
  protected void write(OpenFile source, long position, long length) {
    if (isClosed()) {
      source.release();
    } else {
      outbound.queue().add(source, position, length);
      connection().output().request();
    }
  }

  @Override
  protected void end(FieldLines lines) {
    if (isClosed()) {
      return;
    }
    outbound.end(lines);
    if (isBelowHighWater()) {
      connection().output().sendFirst(outbound, nanos());
      serveIfOver();
    } else {
      connection().output().request();
    }
  }

  /** Calls the exchange back if it waits for room and has it; returns true if so. */
  boolean notifyRoom() {
    if (isClosed() || outbound.bytes() >= http2.context.limits().outboundLowWater()) {
      return false;
    }
    if (inbound.isWaiting()) {
      connection().serveLater();
    }
    if (!roomAwaited) {
      return false;
    }
    roomAwaited = false;
    if (tunnel != null) {
      tunnel.onWritable();
    } else {
      exchange.onWritable();
    }
    return true;
  }

  @Override
  protected void flush() {
    // the frames of all streams leave together at the end of the turn
  }

  @Override
  protected boolean requestRoom() {
    boolean room = outbound.hasRoom() && connection().connection().output().requestRoom();
    roomAwaited |= !room;
    return room;
  }

  @Override
  protected boolean makeRoom() throws IOException {
    boolean room = outbound.hasRoom() && connection().connection().makeRoom();
    roomAwaited |= !room;
    return room;
  }

  @Override
  protected void breakOff(CloseReason reason) {
    connection().reset(this, ErrorCode.INTERNAL_ERROR, reason);
  }

  @Override
  protected void handOver(
      int status, @Nullable ContentType type, FieldLines fields, TunnelUser user) {
    if (isClosed()) {
      user.onDropped();
      return;
    }
    http2.encoder.head(
        connection(), id, status, type, fields, HeadEncoder.UNDECLARED, HeadEncoder.FOLLOWS);
    long ignored = exchange.keep(); // listeners read its head at its end, perhaps after the next
    StreamTunnel agreed = new StreamTunnel(this, user);
    tunnel = agreed;
    inbound.divertTo(agreed);
    connection().serveLater();
  }

  /** Ends the exchange of a tunnel that was agreed on, and calls its listener. */
  void openTunnel() {
    StreamTunnel agreed = tunnel;
    if (agreed != null && !agreed.isBegun() && !isClosed() && exchange.isComplete()) {
      boolean ignored = exchange.end();
      agreed.begin(http2.context.isDraining());
    }
  }

  /** Ends the server's side of a tunnel. */
  void endTunnel() {
    outbound.end(FieldLines.NONE);
    connection().output().request();
  }

  // ---- the client and the connection ----

  @Override
  protected boolean isClientEnded() {
    return isClosed() || connection().connection().input().isEnded();
  }

  @Override
  protected void watchClientEnd() {
    // the end of the connection is noticed in any case, because it is always read
  }

  @Override
  protected void shedLoad() {
    connection().drain().begin(CloseReason.LAST_RESPONSE);
  }

  /** Returns true if the handler of an abandoned exchange still runs. */
  boolean becomeOrphan() {
    orphaned = exchange.isWorking();
    return orphaned;
  }

  @Override
  protected void onCall() {
    http2.note(this);
  }

  @Override
  protected void onWorkEnded() {
    if (orphaned) {
      orphaned = false;
      connection().onOrphanEnded();
    }
  }

  void onShutdown() {
    if (tunnel != null) {
      tunnel.onShutdown();
    } else {
      exchange.onShutdown();
    }
  }

  /** The client has reset the stream: for the application, it has ended its side. */
  void onCancelled() {
    state.reset(); // nothing is sent any more
    if (tunnel == null) {
      exchange.onClientEnd();
    }
  }

  /** The client has ended its side of the connection. */
  void onInputEnd() {
    if (tunnel == null) {
      exchange.onClientEnd();
    } else if (state.isReceiving()) {
      inbound.receiveEnd(List.of());
    }
  }

  // ---- lateness ----

  /** Notes when the response must have begun, and copies what must outlive the turn. */
  void keep() {
    if (tunnel == null) {
      dueNanos = exchange.keep();
    } else if (!state.isSending()) {
      tunnel.onEndSent();
    }
  }

  /** Judges client and application about once a second. Returns true if one of them is late. */
  boolean judge(long nowNanos) {
    boolean takesTooSlowly = outbound.judge(nowNanos);
    return takesTooSlowly
        || isResponseLate(nowNanos)
        || isTunnelLate(nowNanos)
        || inbound.isTooSlow(nowNanos);
  }

  private boolean isResponseLate(long nowNanos) {
    boolean isDue = dueNanos != Exchange.NOT_DUE && nowNanos - dueNanos >= 0;
    return isDue && tunnel == null && !exchange.isCommitted();
  }

  private boolean isTunnelLate(long nowNanos) {
    return tunnel != null && tunnel.isLate(nowNanos);
  }

  /** Returns true if the stream's own window or that of the connection holds content back. */
  boolean isStalled() {
    return outbound.isHeldBack() || (outbound.bytes() > 0 && connection().output().isStalled());
  }

  /** Has the stream served if its end was sent, or can't be. */
  void serveIfOver() {
    if (outbound.isOver()) {
      connection().serveLater();
    }
  }

  void onLate(long nowNanos) {
    if (isResponseLate(nowNanos)) {
      exchange.onResponseLate();
    } else if (tunnel != null && tunnel.isLate(nowNanos)) {
      tunnel.onLate();
    } else if (outbound.judge(nowNanos)) {
      onTakingTooSlowly();
    } else {
      inbound.onTooSlow();
    }
  }

  /** Ends the stream, because the client keeps a window closed. */
  void onTakingTooSlowly() {
    http2.context.log().slowTaking(connection().connection());
    connection().reset(this, ErrorCode.CANCEL, CloseReason.CLIENT_TOO_SLOW);
  }

  /** Returns what would be cut short if the connection ended now. */
  Unfinished unfinished() {
    if (tunnel != null) {
      return Unfinished.UPGRADED;
    }
    if (exchange.isCommitted()) {
      return Unfinished.RESPONSE;
    }
    return inbound.isHungry() ? Unfinished.REQUEST : Unfinished.ANSWER;
  }

  Http2Connection connection() {
    return Objects.requireNonNull(on);
  }

  @SuppressWarnings("ReferenceEquality") // connections are compared by identity
  boolean isOn(Http2Connection connection) {
    return on == connection;
  }
}
