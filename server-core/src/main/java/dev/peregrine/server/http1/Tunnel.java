package dev.peregrine.server.http1;

import dev.peregrine.http.RawListener;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.exchange.RawTunnel;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection after HTTP: passes bytes between it and the application's listener. */
final class Tunnel extends RawTunnel implements Protocol {
  private boolean endTold;

  Tunnel(Connection connection, RawListener listener, long highWaterBytes) {
    super(connection, listener, highWaterBytes);
  }

  // ---- the connection's side ----

  @Override
  public void onOpen(Connection opened) {
    notifyOpen();
  }

  @Override
  public void onInput(Connection from, InboundBuffer in) {
    if (!isPaused() && !in.isEmpty()) {
      int start = in.from();
      in.consumeAll();
      notifyData(in.block(), start, in.to());
    }
    if (isPaused() && !in.isEmpty()) {
      connection.limitInput(0);
    }
    if (connection.isInputEnded() && in.isEmpty() && !endTold && connection.isOpen()) {
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
  public void onDeadline(Connection due, Deadline deadline) {}

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
  protected boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  protected boolean requestRoom() {
    return connection.requestRoom();
  }

  @Override
  protected boolean makeRoom() throws IOException {
    return connection.makeRoom();
  }

  @Override
  protected void send(ByteBuffer source) {
    connection.out().append(source);
  }

  @Override
  protected void resumeInput() {
    connection.unlimitInput();
  }

  @Override
  protected void endOutput() {
    connection.closeAfterFlush(CloseReason.APPLICATION_CLOSED);
  }

  @Override
  protected void reset() {
    connection.abort(CloseReason.APPLICATION_CLOSED);
  }

  @Override
  protected void breakOff() {
    connection.endMarksContent();
    connection.breakOff(CloseReason.APPLICATION_FAILED);
  }
}
