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

  /** Returns a copy. */
  byte[] toArray();

  /** Returns a copy as text. */
  String toString(Charset charset);
}
