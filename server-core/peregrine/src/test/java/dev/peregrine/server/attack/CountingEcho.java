package dev.peregrine.server.attack;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends messages back, and counts the sockets whose end it hasn't been notified of. */
final class CountingEcho implements WebSocketListener {
  private final AtomicInteger open = new AtomicInteger();

  int openCount() {
    return open.get();
  }

  @Override
  public void onOpen(WebSocket socket) {
    open.incrementAndGet();
  }

  @Override
  public void onBinary(WebSocket socket, Bytes content) {
    socket.sendBinary(content);
  }

  @Override
  public void onClose(WebSocket socket, int code, String reason) {
    open.decrementAndGet();
  }
}
