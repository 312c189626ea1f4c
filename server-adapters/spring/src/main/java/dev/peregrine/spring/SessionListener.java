package dev.peregrine.spring;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.web.reactive.socket.HandshakeInfo;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketMessage;

/** Passes the events of a socket on to its session. */
final class SessionListener implements WebSocketListener {
  private final WebSocketHandler handler;
  private final HandshakeInfo handshake;
  private final DataBufferFactory buffers;
  private @Nullable SocketSession session; // from onOpen on

  SessionListener(WebSocketHandler handler, HandshakeInfo handshake, DataBufferFactory buffers) {
    this.handler = handler;
    this.handshake = handshake;
    this.buffers = buffers;
  }

  @Override
  public void onOpen(WebSocket socket) {
    SocketSession opened = new SocketSession(socket, handshake, buffers);
    session = opened;
    handler
        .handle(opened)
        .checkpoint(handshake.getUri() + " [PeregrineRequestUpgradeStrategy]")
        .subscribe(nothing -> {}, opened::onHandlerError, opened::onHandlerComplete);
  }

  @Override
  public void onText(WebSocket socket, Bytes text) {
    receive(WebSocketMessage.Type.TEXT, text);
  }

  @Override
  public void onBinary(WebSocket socket, Bytes content) {
    receive(WebSocketMessage.Type.BINARY, content);
  }

  @Override
  public void onPong(WebSocket socket, Bytes content) {
    receive(WebSocketMessage.Type.PONG, content);
  }

  private void receive(WebSocketMessage.Type type, Bytes content) {
    SocketSession opened = session;
    if (opened != null) {
      opened.receive(type, content);
    }
  }

  @Override
  public void onClose(WebSocket socket, int code, String reason) {
    SocketSession opened = session;
    if (opened != null) {
      opened.onClose(code, reason);
    }
  }
}
