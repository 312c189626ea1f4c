package dev.peregrine.server.http2;

import dev.peregrine.http.RawListener;
import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.RawTunnel;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import java.nio.ByteBuffer;

/**
 * A stream after CONNECT (RFC 9113 section 8.5, RFC 8441): passes the bytes of DATA frames between
 * it and the application's listener.
 */
final class StreamTunnel extends RawTunnel {
  private final Http2Stream stream;
  private final Http2Connection owner;
  private boolean begun; // the listener was notified
  private boolean ended; // the server's side: what still arrives is dropped
  private boolean closed;
  private long endDueNanos = Exchange.NOT_DUE; // once the end was sent

  StreamTunnel(Http2Stream stream, RawListener listener, long highWaterBytes) {
    super(stream.connection().connection(), listener, highWaterBytes);
    this.stream = stream;
    this.owner = stream.connection();
  }

  // ---- the stream's side ----

  /** Calls the listener for the first time. */
  void begin(boolean draining) {
    begun = true;
    notifyOpen();
    if (draining) {
      onShutdown();
    }
  }

  /** The end of the server's side was sent. The client must end its own within a time. */
  void onEndSent() {
    endDueNanos = owner.connection().nanos() + owner.http2().lingerNanos;
  }

  /** Returns true if the client should have ended its side. */
  boolean isLate(long nowNanos) {
    return endDueNanos != Exchange.NOT_DUE && nowNanos - endDueNanos >= 0;
  }

  boolean isBegun() {
    return begun;
  }

  /** Returns true if content that arrives is passed on at once. */
  boolean isTaking() {
    return begun && !closed && (ended || !isPaused());
  }

  void receive(Block block, int from, int to) {
    if (!ended) {
      notifyData(block, from, to);
    }
  }

  void receiveEnd() {
    if (!ended) {
      notifyEnd();
    }
  }

  void onWritable() {
    notifyWritable();
  }

  void onShutdown() {
    if (isOpen()) {
      notifyShutdown();
    }
  }

  void onClose(CloseReason reason) {
    if (!closed) {
      closed = true;
      notifyClosed(reason);
    }
  }

  // ---- the tunnel's side ----

  @Override
  protected boolean isOpen() {
    return !closed && !ended;
  }

  @Override
  protected boolean requestRoom() {
    return !closed && stream.requestRoom();
  }

  @Override
  protected boolean makeRoom() {
    return stream.requestRoom();
  }

  @Override
  protected void send(ByteBuffer source) {
    stream.write(source);
  }

  @Override
  protected void resumeInput() {
    owner.serveLater();
  }

  @Override
  protected void endOutput() {
    ended = true;
    stream.endTunnel();
  }

  @Override
  protected void reset() {
    owner.reset(stream, ErrorCode.CANCEL, CloseReason.APPLICATION_CLOSED);
  }

  @Override
  protected void breakOff() {
    owner.reset(stream, ErrorCode.INTERNAL_ERROR, CloseReason.APPLICATION_FAILED);
  }
}
