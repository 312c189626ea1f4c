package dev.peregrine.server.http2.stream;

import dev.peregrine.http.ContentType;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.state.HttpStream;
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
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on an HTTP/2 connection. {@link StreamState} has its states. Content
 * of the response that a window holds back waits in the stream; so does content of the request that
 * isn't taken yet.
 */
public final class Http2Stream extends HttpStream implements Windowed {
  private final LoopParts loop;
  private final Exchange exchange;
  private final RequestHead head;
  private final StreamState state = new StreamState();
  private final StreamOutput output;
  private final OutboundContent outbound;
  private final InboundContent inbound;
  private @Nullable StreamTunnel tunnel;
  private boolean orphaned; // dropped, and its handler still runs
  private long dueNanos; // when the response must have begun, or Exchange.NOT_DUE

  public Http2Stream(LoopParts loop) {
    this.loop = loop;
    this.exchange = new Exchange(loop.context, this);
    this.head = exchange.head();
    this.output = new StreamOutput(loop, state);
    this.outbound = output.content();
    this.inbound = new InboundContent(exchange.content(), state, outbound, loop.sending.pool());
  }

  @Override
  public int id() {
    return output.id();
  }

  @Override
  public StreamState state() {
    return state;
  }

  @Override
  public ReceiveWindow receiveWindow() {
    return inbound.window();
  }

  @Override
  public OutboundContent outbound() {
    return outbound;
  }

  public InboundContent inbound() {
    return inbound;
  }

  /** Returns the head of the request, which is filled before {@link #begin}. */
  public RequestHead head() {
    return head;
  }

  /** Returns the bytes of buffers that wait, both ways. */
  public long heldBytes() {
    return inbound.heldBytes() + outbound.heldBytes();
  }

  private Trunk trunk() {
    return output.trunk();
  }

  // ---- its life ----

  /**
   * Begins with the head that was read.
   *
   * @param window the bytes of content that the client takes
   * @param bytes the memory that the head was read from
   * @param end whether the client has ended its side
   */
  public void begin(Trunk trunk, int id, int window, MemorySegment bytes, boolean end) {
    state.open(end);
    output.begin(trunk, id, window);
    dueNanos = Exchange.NOT_DUE;
    long declared = head.contentLength();
    long length = end ? 0 : declared >= 0 ? declared : UNKNOWN_LENGTH;
    inbound.begin(length, end, loop.settings.streamWindow());
    if (head.method() == HttpMethod.CONNECT) {
      inbound.awaitTunnel();
      length = 0;
    }
    exchange.begin(trunk.connection(), bytes, 0, length);
  }

  /** Returns true until the stream is released or reset. */
  public boolean isLive() {
    return state.isLive();
  }

  /** Returns true if the response and the request are over, so that the stream can be released. */
  public boolean isOver() {
    return isAnswered() && (tunnel == null ? !state.isReceiving() : inbound.isEnded());
  }

  /** Returns true if the response is sent. */
  public boolean isAnswered() {
    return !state.isSending() && (tunnel != null || exchange.isComplete());
  }

  public boolean isTunnel() {
    return tunnel != null;
  }

  public Exchange exchange() {
    return exchange;
  }

  /** Ends the exchange. Returns true if the stream can serve another request. */
  public boolean end() {
    state.release();
    dropQueues();
    StreamTunnel ended = tunnel;
    if (ended != null) {
      ended.onClose(CloseReason.APPLICATION_CLOSED);
      return false;
    }
    output.end();
    return exchange.end();
  }

  /** Resets the stream and ends its exchange. */
  public void reset(int code, CloseReason reason) {
    if (state.isLive()) {
      try {
        output.reset(code);
      } finally { // even if the heap is full
        abandon(reason);
      }
    }
  }

  /** The client has reset the stream: for the application, it has ended its side. */
  public void cancel() {
    state.reset(); // nothing is sent any more
    try {
      if (tunnel == null) {
        exchange.onClientEnd();
      }
    } finally {
      abandon(CloseReason.CLIENT_RESET);
    }
  }

  /** Ends the exchange, because the client's connection has ended. */
  public void lose(CloseReason reason) {
    if (state.isLive()) {
      state.reset();
      abandon(reason);
    }
  }

  private void abandon(CloseReason reason) {
    dropQueues();
    if (tunnel == null || !tunnel.abandon(reason)) {
      exchange.abandon(reason);
    }
  }

  /** Releases what the stream has kept, because no frame finds it any more. */
  public void drop() {
    dropQueues();
    if (exchange.isWorking()) {
      orphaned = true;
      trunk().addOrphan();
    }
  }

  private void dropQueues() {
    outbound.clear();
    inbound.clear();
  }

  // ---- the request's content ----

  @Override
  public void demand() {
    trunk().serveLater();
  }

  @Override
  public void stopReading() {
    inbound.stop();
    trunk().serveLater();
  }

  // ---- the response ----

  @Override
  public boolean takeField(String name, String value) {
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
  public void interim(int status, FieldLines fields) {
    if (state.isLive()) {
      loop.encoder.interim(trunk(), id(), status, fields);
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
    if (!state.isLive()) {
      return;
    }
    int bytes = given == null ? 0 : (int) length;
    boolean ends = rest == Rest.NOTHING && bytes == 0;
    boolean withHead = bytes > 0 && bytes <= COPIED_CONTENT_BYTES_MAX && output.take(bytes);
    byte[] content = withHead ? given : ends ? null : HeadEncoder.FOLLOWS;
    long declared = length >= 0 ? length : HeadEncoder.UNDECLARED;
    loop.encoder.head(trunk(), id(), status, type, fields, declared, content);
    if (ends || withHead) {
      state.sendEnd();
      trunk().serveLater();
    } else if (given != null) {
      if (bytes <= COPIED_CONTENT_BYTES_MAX) {
        addCopy(MemorySegment.ofArray(given), bytes);
      } else {
        output.write(given, 0, bytes);
      }
      output.end(FieldLines.NONE);
    }
  }

  private void addCopy(MemorySegment source, int length) {
    try {
      output.addCopy(source, 0, length);
    } catch (Throwable noMemory) {
      breakOff(CloseReason.OVERLOADED); // even if the caller catches it
      throw noMemory;
    }
  }

  @Override
  public void write(byte[] source, int from, int length) {
    output.write(source, from, length);
  }

  @Override
  public void write(ByteBuffer source) {
    output.write(source);
  }

  @Override
  public void write(ReceivedBytes source, int length) {
    try {
      output.writeCopy(source.block().segment(), source.from(), length);
    } catch (Throwable noMemory) {
      breakOff(CloseReason.OVERLOADED);
      throw noMemory;
    }
  }

  @Override
  public void write(Block source, int length) {
    output.write(source, length);
  }

  @Override
  public void write(OpenFile source, long position, long length) {
    output.write(source, position, length);
  }

  @Override
  public void end(FieldLines lines) {
    output.end(lines);
  }

  @Override
  public void flush() {
    // the frames of all streams leave together at the end of the turn
  }

  @Override
  public boolean requestRoom() {
    return output.requestRoom();
  }

  @Override
  public boolean makeRoom() throws IOException {
    return output.makeRoom();
  }

  @Override
  public void breakOff(CloseReason reason) {
    boolean isClients = reason == CloseReason.CLIENT_TOO_SLOW;
    reset(isClients ? ErrorCode.ENHANCE_YOUR_CALM : ErrorCode.INTERNAL_ERROR, reason);
  }

  /** Calls the exchange back if it waits for room and has it; returns true if so. */
  public boolean notifyRoom() {
    if (!output.isLow()) {
      return false;
    }
    if (inbound.isWaiting()) {
      trunk().serveLater();
    }
    if (!output.takeRoom()) {
      return false;
    }
    if (tunnel != null) {
      tunnel.onWritable();
    } else {
      exchange.onWritable();
    }
    return true;
  }

  // ---- tunnels ----

  @Override
  public void handOver(int status, @Nullable ContentType type, FieldLines fields, TunnelUser user) {
    if (!state.isLive()) {
      user.onDropped();
      return;
    }
    loop.encoder.head(
        trunk(), id(), status, type, fields, HeadEncoder.UNDECLARED, HeadEncoder.FOLLOWS);
    long ignored = exchange.keep(); // listeners read its head at its end, perhaps after the next
    StreamTunnel agreed = new StreamTunnel(output, state, user);
    tunnel = agreed;
    inbound.divertTo(agreed);
    trunk().serveLater();
  }

  /** Ends the exchange of a tunnel that was agreed on, and calls its listener. */
  public void openTunnel() {
    StreamTunnel agreed = tunnel;
    if (agreed != null && !agreed.isBegun() && state.isLive() && exchange.isComplete()) {
      boolean ignored = exchange.end();
      agreed.begin(loop.context.isDraining());
    }
  }

  // ---- the client and the connection ----

  @Override
  public boolean isClientEnded() {
    return !state.isLive() || output.connection().input().isEnded();
  }

  @Override
  public void watchClientEnd() {
    // the end of the connection is noticed in any case, because it is always read
  }

  @Override
  public void shedLoad() {
    trunk().shedLater();
  }

  @Override
  public void onCall() {
    loop.note(exchange);
  }

  @Override
  public void onWorkEnded() {
    if (orphaned) {
      orphaned = false;
      trunk().removeOrphan();
    }
  }

  public void onShutdown() {
    if (tunnel != null) {
      tunnel.onShutdown();
    } else {
      exchange.onShutdown();
    }
  }

  /** The client has ended its side of the connection. */
  public void onInputEnd() {
    if (tunnel == null) {
      exchange.onClientEnd();
    } else if (state.isReceiving()) {
      inbound.receiveEnd(List.of());
    }
  }

  // ---- lateness ----

  /** Notes times that begin with the end of a turn, and copies what must outlive the turn. */
  public void keep() {
    if (tunnel == null) {
      dueNanos = exchange.keep();
    } else if (!state.isSending()) {
      tunnel.onEndSent(loop.lingerNanos);
    }
  }

  /** Judges client and application about once a second. Returns true if one of them is late. */
  public boolean judge(long nowNanos) {
    return takesTooSlowly(nowNanos)
        || isResponseLate(nowNanos)
        || isTunnelLate(nowNanos)
        || inbound.isTooSlow(nowNanos);
  }

  private boolean takesTooSlowly(long nowNanos) {
    return !isUnhurried() && outbound.judge(nowNanos);
  }

  private boolean isResponseLate(long nowNanos) {
    boolean isDue = dueNanos != Exchange.NOT_DUE && nowNanos - dueNanos >= 0;
    return isDue && tunnel == null && !exchange.isCommitted();
  }

  private boolean isTunnelLate(long nowNanos) {
    return tunnel != null && tunnel.isLate(nowNanos);
  }

  @Override
  public boolean isUnhurried() {
    return exchange.content().isOpenEnded();
  }

  /** Returns true if the stream's own window or that of the connection holds content back. */
  public boolean isStalled() {
    return output.isStalled();
  }

  public void onLate(long nowNanos) {
    if (isResponseLate(nowNanos)) {
      exchange.onResponseLate();
    } else if (tunnel != null && tunnel.isLate(nowNanos)) {
      tunnel.onLate();
    } else if (takesTooSlowly(nowNanos)) {
      onTakingTooSlowly();
    } else {
      inbound.onTooSlow();
    }
  }

  /** Ends the stream, because the client keeps a window closed. */
  public void onTakingTooSlowly() {
    loop.context.log().slowTaking(output.connection());
    reset(ErrorCode.CANCEL, CloseReason.CLIENT_TOO_SLOW);
  }

  /** Returns what would be cut short if the connection ended now. */
  public Unfinished unfinished() {
    if (tunnel != null) {
      return Unfinished.UPGRADED;
    }
    if (exchange.isCommitted()) {
      return Unfinished.RESPONSE;
    }
    return inbound.isHungry() ? Unfinished.REQUEST : Unfinished.ANSWER;
  }
}
