package dev.peregrine.server.websocket;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.Incident;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.websocket.frame.CloseFrame;
import org.jspecify.annotations.Nullable;

/** Calls a listener. Its exceptions end the session, not the caller. Belongs to the loop. */
final class ListenerCalls {
  private static final FailureLog FAILURES = new FailureLog();

  private final WebSocketSession session;
  private final ServerWebSocket socket;
  private final WebSocketListener listener;
  private final @Nullable WebSocketPartListener parts; // null if messages are delivered whole

  ListenerCalls(WebSocketSession session, ServerWebSocket socket, WebSocketListener listener) {
    this.session = session;
    this.socket = socket;
    this.listener = listener;
    this.parts = listener instanceof WebSocketPartListener inParts ? inParts : null;
  }

  /** Returns true if the listener takes messages in parts. */
  boolean takeParts() {
    return parts != null;
  }

  void onOpen() {
    try {
      listener.onOpen(socket);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  void onMessage(boolean isText, ReceivedBytes content, boolean last) {
    try {
      if (parts == null) {
        onWhole(isText, content);
      } else if (isText) {
        parts.onTextPart(socket, content, last);
      } else {
        parts.onBinaryPart(socket, content, last);
      }
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  private void onWhole(boolean isText, ReceivedBytes content) throws Exception {
    if (isText) {
      listener.onText(socket, content);
    } else {
      listener.onBinary(socket, content);
    }
  }

  void onPing(ReceivedBytes content) {
    try {
      listener.onPing(socket, content);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  void onPong(ReceivedBytes content) {
    try {
      listener.onPong(socket, content);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  void onShutdown() {
    try {
      listener.onShutdown(socket);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  void run(Runnable work) {
    try {
      work.run();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** Tells the listener of the end; its exception is logged. */
  void onClose(int code, String reason) {
    try {
      listener.onClose(socket, code, reason);
    } catch (Throwable failure) {
      log(failure);
    }
  }

  private void fail(Throwable failure) {
    log(failure);
    session.close(CloseFrame.encode(CloseFrame.INTERNAL_ERROR, ""));
  }

  private void log(Throwable failure) {
    if (!session.shared().loop.reportOutOfMemory(Incident.CONNECTION_FAILED, failure)) {
      FAILURES.add("the listener of a WebSocket failed, for " + session.client(), failure);
    }
  }
}
