package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A message whose parts are sent as they come, each in a frame of its own (RFC 6455 section 5.4).
 * Callable from any thread, one at a time. Once the socket is closing, the methods do nothing.
 */
public interface WebSocketStream {
  /**
   * Sends the next part. A part of text may end within a character; text that isn't valid UTF-8 as
   * a whole makes the client close the connection. The array may be changed afterwards.
   *
   * @return true if there is room for more
   * @throws IllegalStateException if the message has ended
   */
  default boolean write(byte[] part) {
    return write(ByteBuffer.wrap(part));
  }

  /**
   * Sends the remaining bytes of a buffer. They may be changed afterwards; the buffer's position
   * stays as it is.
   *
   * @return true if there is room for more
   * @throws IllegalStateException if the message has ended
   */
  boolean write(ByteBuffer part);

  /**
   * Like {@link #write(ByteBuffer)}, without a copy of a long part if messages aren't compressed.
   *
   * @param whenSent called as for {@link Response#send(ByteBuffer, Consumer)}, also if the socket
   *     is closing; the buffer is the server's until then
   */
  boolean write(ByteBuffer part, Consumer<? super ByteBuffer> whenSent);

  /** Ends the message. A second call does nothing. */
  void end();
}
