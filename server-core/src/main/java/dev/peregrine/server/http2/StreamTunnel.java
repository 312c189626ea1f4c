package dev.peregrine.server.http2;

import dev.peregrine.http.RawListener;
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
  private boolean closed;

  StreamTunnel(Http2Stream stream, RawListener listener, long highWaterBytes) {
    super(stream.connection().connection(), listener, highWaterBytes);
    this.stream = stream;
    this.owner = stream.connection();
  }

  // ---- the stream's side ----

  /** Calls the listener for the first time. */
  void begin() {
    begun = true;
    notifyOpen();
  }

  boolean isBegun() {
    return begun;
  }

  /** Returns true if content that arrives is passed on at once. */
  boolean isTaking() {
    return begun && !isPaused() && !closed;
  }

  void receive(Block block, int from, int to) {
    notifyData(block, from, to);
  }

  void receiveEnd() {
    notifyEnd();
  }

  void onWritable() {
    notifyWritable();
  }

  void onShutdown() {
    notifyShutdown();
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
    return !closed;
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
