package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket whose methods wait, for the thread of a {@link BlockingWebSocketHandler} and others
 * that may block. Callable from any such thread: one may receive while another sends.
 *
 * <p>At most 8 received messages wait for the handler, and no further ones once they have 64 KiB;
 * the client is not read until it has taken half of them. The server doesn't interrupt a handler:
 * after the socket has closed, {@link #receive()} returns null and sending throws {@link
 * IOException}.
 */
public interface BlockingWebSocket extends Iterable<WebSocketMessage> {
  /**
   * Waits for the next message.
   *
   * @return null once the client has closed the socket, the connection has ended, or the server is
   *     shutting down, and the messages before are taken
   * @throws InterruptedException if the thread is interrupted; no message is lost
   * @throws IllegalStateException on the event loop
   */
  @Nullable WebSocketMessage receive() throws InterruptedException;

  /**
   * Waits for the next message, but not longer than the given time.
   *
   * @return as {@link #receive()}
   * @throws TimeoutException if none has arrived by then. A handler that lets it pass closes the
   *     socket with 1011, like by any exception, but it is logged at DEBUG only
   * @throws InterruptedException if the thread is interrupted; no message is lost
   * @throws IllegalStateException on the event loop
   */
  @Nullable WebSocketMessage receive(Duration timeout)
      throws InterruptedException, TimeoutException;

  /**
   * Returns the messages that {@link #receive()} returns, up to its null. Interrupting the thread
   * makes the iterator throw {@link java.io.UncheckedIOException}, and the thread remains
   * interrupted.
   */
  @Override
  Iterator<WebSocketMessage> iterator();

  /**
   * Sends text, after waiting while the client is behind.
   *
   * @throws IOException if the socket is closing or closed
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was sent
   * @throws IllegalArgumentException if the text has a surrogate without its other half
   * @throws IllegalStateException on the event loop
   */
  default void send(String text) throws IOException, InterruptedException {
    send(WebSocketMessage.text(text));
  }

  /**
   * Sends a binary message with a copy of the content; otherwise like {@link #send(String)}.
   *
   * @throws IOException if the socket is closing or closed
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was sent
   * @throws IllegalStateException on the event loop
   */
  default void send(byte[] content) throws IOException, InterruptedException {
    send(WebSocketMessage.binary(content));
  }

  /**
   * Sends a message, after waiting while the client is behind.
   *
   * @throws IOException if the socket is closing or closed
   * @throws InterruptedException if the thread is interrupted while it waits; nothing was sent
   * @throws IllegalStateException on the event loop
   */
  void send(WebSocketMessage message) throws IOException, InterruptedException;

  /**
   * Closes the socket; see {@link WebSocket#close(int, String)}. Doesn't wait: messages that the
   * client has sent before can still be received.
   *
   * @throws IllegalArgumentException if the code or the reason isn't allowed
   */
  void close(int code, String reason);

  /**
   * Returns true until either side has begun to close the socket, the connection has ended, or the
   * server has begun to shut down. A handler that doesn't receive tests it, in order to return.
   */
  boolean isOpen();

  /**
   * Returns the code that the client has closed the socket with, 1005 if it gave none, 1006 if the
   * connection has ended without it, or 0 if the socket hasn't closed.
   */
  int closeCode();

  /** Returns the client's reason, or the cause of the end; empty if the socket hasn't closed. */
  String closeReason();

  /**
   * Returns the socket itself: its address, subprotocol and attributes, and for a {@link Topic}.
   * {@code pause}, {@code resume} and {@code onWritable} are used by this object.
   */
  WebSocket webSocket();
}
