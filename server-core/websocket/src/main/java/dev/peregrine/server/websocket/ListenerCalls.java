package dev.peregrine.server.websocket;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.Incident;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.state.RefusalLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a listener, and logs its exceptions. A method returns false if the listener has failed:
 * then the session must close. Belongs to the loop.
 */
final class ListenerCalls {
  private static final FailureLog FAILURES = new FailureLog();

  private final WebSocketListener listener;
  private final @Nullable WebSocketPartListener parts; // null if messages are delivered whole
  private final Connection connection;
  private @Nullable WebSocket socket; // set before the first call

  ListenerCalls(WebSocketListener listener, Connection connection) {
    this.listener = listener;
    this.parts = listener instanceof WebSocketPartListener inParts ? inParts : null;
    this.connection = connection;
  }

  /** Sets the socket that the listener gets. */
  void bind(WebSocket bound) {
    socket = bound;
  }

  private WebSocket socket() {
    return Objects.requireNonNull(socket);
  }

  /** Returns true if the listener takes messages in parts. */
  boolean takeParts() {
    return parts != null;
  }

  boolean onOpen() {
    try {
      listener.onOpen(socket());
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  boolean onMessage(boolean isText, ReceivedBytes content, boolean last) {
    try {
      if (parts == null) {
        onWhole(isText, content);
      } else if (isText) {
        parts.onTextPart(socket(), content, last);
      } else {
        parts.onBinaryPart(socket(), content, last);
      }
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  private void onWhole(boolean isText, ReceivedBytes content) throws Exception {
    if (isText) {
      listener.onText(socket(), content);
    } else {
      listener.onBinary(socket(), content);
    }
  }

  boolean onPing(ReceivedBytes content) {
    try {
      listener.onPing(socket(), content);
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  boolean onPong(ReceivedBytes content) {
    try {
      listener.onPong(socket(), content);
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  boolean onShutdown() {
    try {
      listener.onShutdown(socket());
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  boolean run(Runnable work) {
    try {
      work.run();
      return true;
    } catch (Throwable failure) {
      return fail(failure);
    }
  }

  /** Tells the listener of the end; its exception is logged. */
  void onClose(int code, String reason) {
    try {
      listener.onClose(socket(), code, reason);
    } catch (Throwable failure) {
      log(failure);
    }
  }

  private boolean fail(Throwable failure) {
    log(failure);
    return false;
  }

  private void log(Throwable failure) {
    if (!connection.loop().reportOutOfMemory(Incident.CONNECTION_FAILED, failure)) {
      String client = RefusalLog.remote(connection);
      FAILURES.add("the listener of a WebSocket failed, for " + client, failure);
    }
  }
}
