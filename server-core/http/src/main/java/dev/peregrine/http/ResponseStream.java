package dev.peregrine.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;

/**
 * Content that is sent piece by piece, without blocking. A write returns at once, and bytes that
 * the client can't receive yet are kept. A handler that writes without a known end must check
 * {@link #isWritable} and continue at {@link #onWritable}. Bytes that are written after the client
 * has disconnected are dropped.
 *
 * <p>Writing more bytes than declared throws {@link IllegalStateException}, and so does writing
 * after the end. Ending with fewer fails the exchange, because the message can't be completed (RFC
 * 9112 section 6.3). Used by one thread at a time, like the response.
 */
public interface ResponseStream {
  /** Returns true if less than the high-water mark is unsent. */
  boolean isWritable();

  /**
   * Calls back once, on the event loop: at once if the stream is writable, otherwise when less than
   * the low-water mark is unsent. Another callback replaces one that still waits. Not called if the
   * client disconnects. An exception of the callback fails the exchange. A handler that completes
   * its response in such calls must call {@link Response#async} before it returns. From the first
   * call on, only {@link #complete} ends the stream, not the return of a {@linkplain
   * Handlers#blocking blocking} handler.
   */
  void onWritable(Runnable callback);

  /**
   * Waits until less than the high-water mark is unsent. Returns at once on the event loop.
   *
   * @throws IOException if the client has disconnected or the exchange has failed
   */
  void awaitWritable() throws IOException;

  /** Returns false if bytes are dropped, because the response has no content (HEAD, 204, 304). */
  boolean hasContent();

  /** Writes the bytes, or a copy of them. The array must not be changed until they are sent. */
  default ResponseStream write(byte[] source) {
    return write(source, 0, source.length);
  }

  /**
   * Like {@link #write(byte[])}, for a range.
   *
   * @throws IndexOutOfBoundsException if the range isn't in the array
   */
  ResponseStream write(byte[] source, int from, int length);

  /**
   * Writes a buffer's remaining bytes, which must not be changed until they are sent. Nor may the
   * buffer's arena be closed: the response would be cut short.
   *
   * @throws IllegalStateException if the buffer's arena is closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  ResponseStream write(ByteBuffer source);

  /**
   * Like {@link #write(ByteBuffer)}, for a buffer that is used again: {@code whenSent} is called as
   * for {@link Response#send(ByteBuffer, Consumer)}.
   */
  ResponseStream write(ByteBuffer source, Consumer<? super ByteBuffer> whenSent);

  /** Writes received bytes, without a copy if the client receives them at once. */
  ResponseStream write(Bytes source);

  /**
   * Writes a part of a file, as {@link Response#send(FileChannel, long, long)} does; to write
   * several parts of it in sequence, pass the same channel. The server closes the channel when its
   * parts are sent, and another channel was passed or the response has ended.
   *
   * @param position index of the first byte, 0 or more
   * @param count number of bytes, 0 or more
   */
  ResponseStream write(FileChannel source, long position, long count);

  /** Sends the written bytes now instead of at the end of the loop's turn. */
  void flush();

  /**
   * Adds a trailer field. It is sent at the end if the content is chunked and the client has sent
   * {@code TE: trailers}, and otherwise dropped (RFC 9110 sections 6.5.1 and 10.1.4).
   *
   * @throws IllegalArgumentException if the name or value isn't valid in a field
   */
  ResponseStream trailer(String name, String value);

  /**
   * Completes the response: at once, or when the running handler has returned normally (see {@link
   * Response}). The last byte of content with a declared length waits for that.
   */
  void complete();

  /**
   * Completes the response although its handler still runs on another thread, because the server
   * shuts down or the client has closed its side. {@link #awaitWritable} throws from then on, also
   * where it waits already. Exceptions that the handler throws then are only logged, at level
   * DEBUG.
   */
  void completeNow();
}
