package dev.peregrine.server.http2.stream;

import dev.peregrine.server.exchange.Exchange;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.flow.StreamState;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A stream after CONNECT (RFC 9113 section 8.5, RFC 8441): passes the bytes of DATA frames between
 * it and the application's listener.
 */
final class StreamTunnel extends Tunnel {
  private final StreamOutput output;
  private final StreamState stream;
  private boolean begun; // the listener was notified
  private boolean ended; // the server's side: what still arrives is dropped
  private boolean closed;
  private long dueNanos = Exchange.NOT_DUE; // the user's, up to the end
  private long endDueNanos = Exchange.NOT_DUE; // once the end was sent

  StreamTunnel(StreamOutput output, StreamState stream, TunnelUser user) {
    super(output.connection(), user);
    this.output = output;
    this.stream = stream;
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

  /**
   * The end of the server's side was sent, perhaps earlier. The client must end its own within a
   * time.
   */
  void onEndSent(long limitNanos) {
    if (endDueNanos == Exchange.NOT_DUE) {
      endDueNanos = connection().nanos() + limitNanos;
    }
  }

  /** Returns true if the user's time has come, or the client should have ended its side. */
  boolean isLate(long nowNanos) {
    long due = ended ? endDueNanos : dueNanos;
    return due != Exchange.NOT_DUE && nowNanos - due >= 0;
  }

  void onLate() {
    if (ended) {
      reset(ErrorCode.NO_ERROR, CloseReason.APPLICATION_CLOSED);
    } else {
      dueNanos = Exchange.NOT_DUE;
      notifyDue();
    }
  }

  boolean isBegun() {
    return begun;
  }

  /** The stream has ended. Returns false if the tunnel had not begun. */
  boolean abandon(CloseReason reason) {
    if (begun) {
      onClose(reason);
    } else if (!closed) {
      closed = true;
      notifyDropped();
    }
    return begun;
  }

  /** Returns true if content that arrives is passed on at once. */
  boolean takesContent() {
    return begun && !closed && (ended || isTaking());
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
    if (begun) {
      notifyWritable();
    }
  }

  void onShutdown() {
    if (begun && isOpen()) {
      notifyShutdown();
    }
  }

  void onClose(CloseReason reason) {
    if (!closed) {
      closed = true;
      notifyClosed(reason);
    }
  }

  private void reset(int code, CloseReason reason) {
    if (stream.isLive()) {
      try {
        output.reset(code);
      } finally { // even without memory for the frame
        onClose(reason);
      }
    }
  }

  // ---- the tunnel's side ----

  @Override
  public boolean isOpen() {
    return !closed && !ended;
  }

  @Override
  public boolean requestRoom() {
    return !closed && output.requestRoom();
  }

  @Override
  public boolean makeRoom() {
    return output.requestRoom();
  }

  @Override
  public void send(ByteBuffer source) {
    try {
      output.write(source);
    } catch (Throwable noMemory) {
      reset(ErrorCode.INTERNAL_ERROR, CloseReason.OVERLOADED); // as below
      throw noMemory;
    }
  }

  @Override
  public void sendCopy(byte[] source, int from, int length) {
    sendCopy(MemorySegment.ofArray(source), from, length);
  }

  @Override
  public void sendCopy(MemorySegment source, long from, int length) {
    try {
      output.writeCopy(source, from, length);
    } catch (Throwable noMemory) {
      reset(ErrorCode.INTERNAL_ERROR, CloseReason.OVERLOADED); // even if the caller catches it
      throw noMemory;
    }
  }

  @Override
  public void sendCopy(
      byte[] head, int headFrom, int headLength, MemorySegment source, long from, int length) {
    sendCopy(head, headFrom, headLength);
    sendCopy(source, from, length);
  }

  @Override
  public void resumeInput() {
    output.trunk().serveLater();
  }

  @Override
  public void endOutput(CloseReason reason) {
    ended = true;
    output.content().end(FieldLines.NONE);
    output.trunk().output().request();
  }

  @Override
  public void setDue(long atNanos) {
    dueNanos = atNanos;
  }

  @Override
  public long unsentBytes() {
    return output.content().bytes();
  }

  @Override
  public void reset(CloseReason reason) {
    reset(ErrorCode.CANCEL, reason);
  }

  @Override
  protected void breakOff() {
    reset(ErrorCode.INTERNAL_ERROR, CloseReason.APPLICATION_FAILED);
  }
}
