package dev.peregrine.http.coding;

import dev.peregrine.http.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** The first bytes of an array, readable until {@link #close}; one for each call of a listener. */
final class DecodedBytes implements Bytes {
  private static final int CLOSED = -1;

  private final byte[] array;
  private int length;

  DecodedBytes(byte[] array, int length) {
    this.array = array;
    this.length = length;
  }

  void close() {
    length = CLOSED;
  }

  @Override
  public int length() {
    if (length == CLOSED) {
      throw new IllegalStateException(
          "received bytes can be read only during the call they came with");
    }
    return length;
  }

  @Override
  public byte get(int index) {
    return array[Objects.checkIndex(index, length())];
  }

  @Override
  public void copyTo(int from, byte[] target, int targetFrom, int count) {
    Objects.checkFromIndexSize(from, count, length());
    System.arraycopy(array, from, target, targetFrom, count);
  }

  @Override
  public int copyTo(int from, ByteBuffer target) {
    int rest = length() - Objects.checkIndex(from, length() + 1);
    int count = Math.min(target.remaining(), rest);
    target.put(array, from, count);
    return count;
  }

  @Override
  public byte[] toArray() {
    return Arrays.copyOf(array, length());
  }

  @Override
  public String toString(Charset charset) {
    return new String(array, 0, length(), charset);
  }

  @Override
  public String toString() {
    return toString(StandardCharsets.UTF_8);
  }
}
