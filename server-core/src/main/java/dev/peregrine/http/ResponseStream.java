package dev.peregrine.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Content that is sent piece by piece, without blocking. A write returns at once; what the client
 * can't take yet is kept. A handler that writes without end has to look at {@link #isWritable} and
 * go on at {@link #onWritable}. What is written after the client has gone is dropped.
 *
 * <p>Writing more bytes than were declared throws {@link IllegalStateException}, and so does
 * writing after the end; ending with fewer fails the exchange, since the message can't be completed
 * (RFC 9112 section 6.3). Used by one thread at a time, like the response.
 */
public interface ResponseStream {
  /** Whether less than the high-water mark is unsent. */
  boolean isWritable();

  /**
   * Calls back once, on the event loop: at once if the stream is writable, else when less than the
   * low-water mark is unsent. Another callback takes the place of one that still waits. Not called
   * if the client goes away. What it throws fails the exchange. A handler that completes its
   * response by such calls says {@link Response#async} before it returns. From the first call on,
   * only the stream's own end ends it, not the return of a {@linkplain Handlers#blocking blocking}
   * handler.
   */
  void onWritable(Runnable callback);

  /**
   * Waits until less than the high-water mark is unsent. On the event loop nothing waits.
   *
   * @throws IOException if the client has gone away or the exchange has failed
   */
  void awaitWritable() throws IOException;

  /**
   * Returns false if what is written is dropped, because the response has no content: to HEAD, or
   * with a status such as 204 or 304.
   */
  boolean hasContent();

  /** Writes a copy of the bytes, or the array itself, not to be changed until sent. */
  ResponseStream write(byte[] source);

  /**
   * Like {@link #write(byte[])}, for a range.
   *
   * @throws IndexOutOfBoundsException if the range isn't in the array
   */
  ResponseStream write(byte[] source, int from, int length);

  /** Writes a buffer's remaining bytes, not to be changed until sent. */
  ResponseStream write(ByteBuffer source);

  /** Writes received bytes where they lie: no copy if the client takes them at once. */
  ResponseStream write(Bytes source);

  /**
   * Writes a part of a file, as {@link Response#send(FileChannel, long, long)} does; several parts
   * of it one after the other are written by passing the same channel. The server closes it: when
   * another channel was passed or the response has ended, and what was written is sent.
   *
   * @param position index of the first byte, 0 or more
   * @param count number of bytes, 0 or more
   */
  ResponseStream write(FileChannel source, long position, long count);

  /** Sends now what would otherwise be sent at the end of the loop's turn. */
  void flush();

  /**
   * Adds a trailer field. It is sent at the end if the content is chunked and the client has said
   * {@code TE: trailers}, and otherwise dropped (RFC 9110 sections 6.5.1 and 10.1.4).
   *
   * @throws IllegalArgumentException for a name or value that a field can't have
   */
  ResponseStream trailer(String name, String value);

  /**
   * Completes the response: at once, or when the handler that is running has returned normally (see
   * {@link Response}). The last byte of content with a declared length waits for that.
   */
  void complete();

  /**
   * Completes the response though its handler still runs, on another thread, and would have more to
   * say: the server shuts down, or the client has closed its side. {@link #awaitWritable} throws
   * from then on, and so it does where it waits. What the handler then throws is only logged, at
   * level DEBUG.
   */
  void completeNow();
}
