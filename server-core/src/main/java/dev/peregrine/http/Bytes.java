package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/**
 * Received bytes, seen where they lie. Readable during the call that they are an argument of;
 * afterwards every method throws {@link IllegalStateException}.
 */
public interface Bytes {
  /** Number of bytes. */
  int length();

  /**
   * One byte.
   *
   * @throws IndexOutOfBoundsException unless the index is 0 to length - 1
   */
  byte get(int index);

  /**
   * Copies a range into an array.
   *
   * @throws IndexOutOfBoundsException if the range isn't in both
   */
  void copyTo(int from, byte[] target, int targetFrom, int length);

  /**
   * Copies as many bytes as the buffer has room for, from an index on; returns how many.
   *
   * @throws IndexOutOfBoundsException unless the index is 0 to length
   */
  int copyTo(int from, ByteBuffer target);

  /** A copy. */
  byte[] toArray();

  /** A copy as text. */
  String toString(Charset charset);
}
