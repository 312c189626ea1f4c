package dev.peregrine.server.http1;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.tunnel.TunnelUser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A connection after HTTP: passes bytes between it and the application's listener. */
final class ConnectionTunnel extends Tunnel implements Protocol {
  private final Connection connection;
  private boolean endTold;
  private @Nullable InboundBuffer input; // while the user takes bytes of it

  ConnectionTunnel(Connection connection, TunnelUser user) {
    super(connection, user);
    this.connection = connection;
  }

  /** The connection has ended with the exchange. */
  void drop() {
    notifyDropped();
  }

  // ---- the connection's side ----

  @Override
  public void onOpen(Connection opened) {
    notifyOpen();
  }

  @Override
  public void onInput(Connection from, InboundBuffer in) {
    if (isTaking() && !in.isEmpty()) {
      int start = in.from();
      in.consumeAll();
      input = in;
      notifyData(in.block(), start, in.to());
      input = null;
      connection.attach(expectedBytes() > 0 ? this : null);
    }
    if (!isTaking() && !in.isEmpty()) {
      connection.input().limit(0);
    }
    if (connection.input().isEnded() && in.isEmpty() && !endTold && connection.isOpen()) {
      endTold = true;
      notifyEnd();
    }
  }

  @Override
  public void onInputEnd(Connection from, InboundBuffer in) {
    onInput(from, in);
  }

  @Override
  public void onWritable(Connection writable) {
    notifyWritable();
  }

  @Override
  public void onDeadline(Connection due, Deadline deadline) {
    notifyDue();
  }

  @Override
  public void onShutdown(Connection open) {
    connection.execute(
        () -> {
          if (connection.isOpen()) {
            notifyShutdown();
          }
        });
  }

  @Override
  public Unfinished unfinished(Connection open) {
    return Unfinished.UPGRADED;
  }

  @Override
  public void onClose(Connection closed, CloseReason reason) {
    notifyClosed(reason);
  }

  // ---- the tunnel's side ----

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public boolean requestRoom() {
    return connection.output().requestRoom();
  }

  @Override
  public boolean makeRoom() throws IOException {
    return connection.makeRoom();
  }

  @Override
  public void send(ByteBuffer source) {
    connection.out().append(source);
  }

  @Override
  public void sendCopy(byte[] source, int from, int length) {
    connection.out().appendCopy(source, from, length);
  }

  @Override
  public void sendCopy(MemorySegment source, long from, int length) {
    connection.out().append(source, from, length);
  }

  @Override
  public void sendCopy(
      byte[] head, int headFrom, int headLength, MemorySegment source, long from, int length) {
    connection.out().appendCopy(head, headFrom, headLength);
    connection.out().append(source, from, length);
  }

  @Override
  public boolean give(Block block, int from, int to) {
    connection.out().appendOwned(block, from, to);
    return true;
  }

  @Override
  public boolean lend(Block block, int from, int to) {
    InboundBuffer in = input;
    boolean lends = in != null && in.block() == block && in.lend();
    if (lends) {
      connection.out().appendLoan(block, from, to);
    }
    return lends;
  }

  @Override
  public long expectedBytes(Connection from) {
    return isTaking() ? expectedBytes() : 0;
  }

  @Override
  public void resumeInput() {
    connection.input().unlimit();
  }

  @Override
  public void endOutput(CloseReason reason) {
    connection.closeAfterFlush(reason);
  }

  @Override
  public void setDue(long atNanos) {
    connection.setDeadline(Deadline.TUNNEL, atNanos);
  }

  @Override
  public long unsentBytes() {
    return connection.output().unsentBytes();
  }

  @Override
  public void reset(CloseReason reason) {
    connection.abort(reason);
  }

  @Override
  protected void breakOff() {
    connection.endMarksContent();
    connection.breakOff(CloseReason.APPLICATION_FAILED);
  }
}
