package dev.peregrine.http;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection (RFC 6455), over HTTP/1.1 or HTTP/2. Callable from any thread; the
 * messages of one thread keep their order.
 *
 * <p>Sending never waits: a message is queued, and those of one turn of the event loop leave in one
 * write. Each method that sends returns false if the client is behind, so that a sender can wait
 * for {@link #onWritable} or skip messages: the message itself was queued. If more than {@code
 * WebSocketLimits.unsentBytesMax} wait, the next message ends the connection. Once the socket is
 * closing, sending does nothing and returns false.
 */
public interface WebSocket {
  /** Returns the protocol above WebSocket that was agreed on; null if none was. */
  @Nullable String subprotocol();

  /** Returns the client's address, or the one that a trusted proxy has reported. */
  SocketAddress remoteAddress();

  /** Returns true until either side has begun to close the socket, or the connection is lost. */
  boolean isOpen();

  /**
   * Sends text.
   *
   * @return true if there is room for more
   * @throws IllegalArgumentException if it has a surrogate without its other half
   */
  boolean sendText(String text);

  /**
   * Sends text that is encoded in UTF-8. The array may be changed afterwards.
   *
   * @return true if there is room for more
   * @throws IllegalArgumentException if it isn't valid UTF-8
   */
  default boolean sendText(byte[] utf8) {
    return sendText(ByteBuffer.wrap(utf8));
  }

  /**
   * Sends the remaining bytes of a buffer as text, which must be encoded in UTF-8. They may be
   * changed afterwards; the buffer's position stays as it is.
   *
   * @return true if there is room for more
   * @throws IllegalArgumentException if it isn't valid UTF-8
   */
  boolean sendText(ByteBuffer utf8);

  /**
   * Like {@link #sendText(ByteBuffer)}, without a copy of long text if messages aren't compressed.
   *
   * @param whenSent called as for {@link Response#send(ByteBuffer, Consumer)}; the buffer is the
   *     server's until then
   */
  boolean sendText(ByteBuffer utf8, Consumer<? super ByteBuffer> whenSent);

  /**
   * Sends received text, during the call that it is an argument of.
   *
   * @return true if there is room for more
   * @throws IllegalArgumentException if it isn't valid UTF-8
   */
  boolean sendText(Bytes utf8);

  /**
   * Sends a binary message. The array may be changed afterwards.
   *
   * @return true if there is room for more
   */
  default boolean sendBinary(byte[] content) {
    return sendBinary(ByteBuffer.wrap(content));
  }

  /**
   * Sends the remaining bytes of a buffer as a binary message. They may be changed afterwards; the
   * buffer's position stays as it is.
   *
   * @return true if there is room for more
   */
  boolean sendBinary(ByteBuffer content);

  /**
   * Like {@link #sendBinary(ByteBuffer)}, without a copy of a long message if messages aren't
   * compressed.
   *
   * @param whenSent called as for {@link Response#send(ByteBuffer, Consumer)}; the buffer is the
   *     server's until then
   */
  boolean sendBinary(ByteBuffer content, Consumer<? super ByteBuffer> whenSent);

  /**
   * Sends received bytes as a binary message, during the call that they are an argument of.
   *
   * @return true if there is room for more
   */
  boolean sendBinary(Bytes content);

  /**
   * Sends a message that was encoded before, for example to many sockets.
   *
   * @return true if there is room for more
   */
  boolean send(WebSocketMessage message);

  /**
   * Runs work at once, on the caller's thread. In the work of {@link #eventLoop}, the messages that
   * it sends to this socket leave in one write, instead of one write for each; elsewhere, that is
   * so in any case. Exceptions of the work reach the caller.
   */
  default void gather(Runnable sends) {
    sends.run();
  }

  /**
   * Begins a text message whose parts are sent as they come. Other messages that are sent before
   * its end follow after it.
   *
   * @throws IllegalStateException if the message that was begun before hasn't ended
   */
  WebSocketStream streamText();

  /**
   * Begins a binary message whose parts are sent as they come. Other messages that are sent before
   * its end follow after it.
   *
   * @throws IllegalStateException if the message that was begun before hasn't ended
   */
  WebSocketStream streamBinary();

  /**
   * Sends a ping. The client answers with a pong of the same content: {@link
   * WebSocketListener#onPong}. The server sends pings by itself to keep a silent connection open.
   *
   * @param content at most 125 bytes
   * @return true if there is room for more
   * @throws IllegalArgumentException if it is longer
   */
  boolean sendPing(byte[] content);

  /** Returns true if less than the high-water mark is unsent. */
  boolean isWritable();

  /**
   * Calls back once, on the event loop: at once if the socket is writable, otherwise when less than
   * the low-water mark is unsent. Another callback replaces one that still waits. Not called once
   * the socket is closed.
   */
  void onWritable(Runnable callback);

  /**
   * Stops the delivery of messages until {@link #resume}. Messages that have arrived wait, and the
   * server stops reading from the client.
   */
  void pause();

  /** Lets the delivery of messages continue. */
  void resume();

  /** Closes the socket in order with the code 1000. */
  default void close() {
    close(1000, "");
  }

  /**
   * Closes the socket in order: after the messages before, the code and the reason are sent. The
   * connection ends when the client has answered, or after {@code WebSocketLimits.closeTime}. Does
   * nothing if the socket is closing already.
   *
   * @param code 1000 to 1003, 1007 to 1014, or 3000 to 4999 (RFC 6455 section 7.4)
   * @param reason at most 123 bytes in UTF-8
   * @throws IllegalArgumentException if the code or the reason isn't allowed
   */
  void close(int code, String reason);

  /** Ends the connection at once; unsent messages are lost. */
  void abort();

  /**
   * Returns the value for a key, or null. A socket begins with the attributes of its request. Used
   * by one thread at a time.
   */
  <T> @Nullable T attribute(AttributeKey<T> key);

  /** Sets the value for a key; null removes it. Used by one thread at a time. */
  <T> WebSocket attribute(AttributeKey<T> key, @Nullable T value);

  /**
   * Runs work on the event loop, after this call and in the order of the calls, unless the socket
   * has closed by then. An exception of the work is logged and closes the socket with 1011.
   */
  void onLoop(Runnable work);

  /**
   * Runs work on the event loop once, after a delay, unless it is cancelled or the socket closes
   * first. An exception of the work is logged and closes the socket with 1011.
   *
   * @param delay from now to the earliest time; 50 years at most
   * @throws IllegalArgumentException if it is negative
   */
  ScheduledWork onLoopAfter(Duration delay, Runnable work);

  /**
   * Calls back on the event loop when the socket is closed, after {@link WebSocketListener#onClose}
   * and in the order of these calls; soon, if it is closed already. An exception of a callback is
   * logged. Work that is left when the server stops isn't run.
   *
   * @return cancels the callback, so that a socket that lives long keeps none that are of no use
   */
  ScheduledWork onClose(Runnable callback);

  /**
   * Returns the executor of the event loop that serves this socket, the same one for all sockets of
   * the loop. Its work runs between the events of the sockets, and sending there is cheapest: this
   * is for messages to many sockets. Work that is left when the server stops isn't run.
   */
  Executor eventLoop();
}
