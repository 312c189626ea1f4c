package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/**
 * Received bytes, without a copy. Readable during the call that they are an argument of; afterwards
 * every method throws {@link IllegalStateException}.
 */
public interface Bytes {
  /** Returns the number of bytes. */
  int length();

  /**
   * Returns one byte.
   *
   * @throws IndexOutOfBoundsException unless the index is 0 to length - 1
   */
  byte get(int index);

  /**
   * Copies a range into an array.
   *
   * @throws IndexOutOfBoundsException if the range isn't within both
   */
  void copyTo(int from, byte[] target, int targetFrom, int length);

  /**
   * Copies bytes from an index on until the buffer is full; returns their number.
   *
   * @throws IndexOutOfBoundsException unless the index is 0 to length
   */
  int copyTo(int from, ByteBuffer target);

  /**
   * Keeps the bytes readable after the call that they are an argument of. A piece of at least half
   * of its block (32 KiB as a rule) stays where it is, and nothing is copied. A smaller one is
   * copied to the heap, as is content of a handler that its event loop has left. Content that was
   * decompressed, parts of forms and lines are copied too. All of them count against the limit, but
   * not what was made of a {@link RequestBody} that the application has implemented.
   *
   * @return the same bytes, to be released by the caller
   * @throws HttpException 503 if more than {@code ServerLimits.retainedBytesMax} would be retained
   *     on this event loop; nothing is retained then
   * @throws OutOfMemoryError if there is no memory for them; nothing is retained then
   */
  RetainedBytes retain();

  /** Returns a copy. */
  default byte[] toArray() {
    byte[] copy = new byte[length()];
    copyTo(0, copy, 0, copy.length);
    return copy;
  }

  /** Returns a copy as text, in which U+FFFD replaces what is malformed in that charset. */
  default String toString(Charset charset) {
    return new String(toArray(), charset);
  }

  /**
   * Returns all bytes as UTF-8 text, as {@link #toString(Charset)} does. Content arrives in pieces
   * of up to 256 KiB, which may divide a character: then its parts are replaced. A WebSocket
   * message has up to {@code WebSocketLimits.messageBytesMax}. Code that must not build a text of
   * that length checks {@link #length} first.
   */
  @Override
  String toString();
}
