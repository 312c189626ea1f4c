package dev.peregrine.http.websocket;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import org.jspecify.annotations.Nullable;

/** Starts the thread of one socket, and passes the events of the socket to it. */
final class BlockingListener implements WebSocketListener {
  private final BlockingWebSocketHandler handler;
  private @Nullable BlockingSession session;

  BlockingListener(BlockingWebSocketHandler handler) {
    this.handler = handler;
  }

  @Override
  public void onOpen(WebSocket socket) {
    Thread loop = Thread.currentThread();
    BlockingSession opened = new BlockingSession(socket, loop);
    session = opened;
    Thread.ofVirtual().name(loop.getName() + "-websocket").start(() -> opened.run(handler));
  }

  @Override
  public void onText(WebSocket socket, Bytes text) {
    if (session != null && session.isReceiving()) {
      session.onMessage(WebSocketMessage.text(text));
    }
  }

  @Override
  public void onBinary(WebSocket socket, Bytes content) {
    if (session != null && session.isReceiving()) {
      session.onMessage(WebSocketMessage.binary(content));
    }
  }

  @Override
  public void onShutdown(WebSocket socket) {
    if (session != null) {
      session.onShutdown();
    }
  }

  @Override
  public void onClose(WebSocket socket, int code, String reason) {
    if (session != null) {
      session.onClose(code, reason);
    }
  }
}
