package dev.peregrine.grpc;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RetainedBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** A copy of received bytes, for a listener that has not requested them yet. */
final class HeapBytes implements Bytes {
  static final HeapBytes EMPTY = new HeapBytes(new byte[0]);

  private final byte[] bytes;

  HeapBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies bytes from an index on. */
  HeapBytes(Bytes source, int from) {
    this(new byte[source.length() - from]);
    source.copyTo(from, bytes, 0, bytes.length);
  }

  /** Returns a copy of these bytes from an index on, followed by others. */
  HeapBytes and(int from, Bytes others) {
    int own = bytes.length - from;
    byte[] both = Arrays.copyOfRange(bytes, from, bytes.length + others.length());
    others.copyTo(0, both, own, others.length());
    return new HeapBytes(both);
  }

  @Override
  public int length() {
    return bytes.length;
  }

  @Override
  public byte get(int index) {
    return bytes[index];
  }

  @Override
  public void copyTo(int from, byte[] target, int targetFrom, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    System.arraycopy(bytes, from, target, targetFrom, length);
  }

  @Override
  public int copyTo(int from, ByteBuffer target) {
    int length = Math.min(bytes.length - from, target.remaining());
    target.put(bytes, from, length);
    return length;
  }

  @Override
  public RetainedBytes retain() {
    throw new UnsupportedOperationException("these bytes are a copy");
  }
}
