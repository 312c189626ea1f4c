package dev.peregrine.grpc;

import dev.peregrine.http.Bytes;
import io.grpc.Detachable;
import io.grpc.KnownLength;
import java.io.InputStream;
import java.util.Objects;

/**
 * A message where it has arrived, without a copy. It ends with the callback that it is passed to,
 * and has no bytes after that; {@link #detach} keeps them.
 */
final class ArrivedMessage extends InputStream implements KnownLength, Detachable {
  private final Bytes bytes;
  private final int end;
  private int at;
  private int mark;

  ArrivedMessage(Bytes bytes, int from, int length) {
    this.bytes = bytes;
    this.at = from;
    this.mark = from;
    this.end = from + length;
  }

  @Override
  public int available() {
    return end - at;
  }

  @Override
  public int read() {
    return at < end ? bytes.get(at++) & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) {
    Objects.checkFromIndexSize(from, length, target.length);
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, end - at);
    if (count <= 0) {
      return -1;
    }
    bytes.copyTo(at, target, from, count);
    at += count;
    return count;
  }

  @Override
  public long skip(long count) {
    int skipped = Math.clamp(count, 0, end - at);
    at += skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public synchronized void mark(int readLimit) {
    mark = at;
  }

  @Override
  public synchronized void reset() {
    at = mark;
  }

  @Override
  public InputStream detach() {
    byte[] copy = new byte[end - at];
    bytes.copyTo(at, copy, 0, copy.length);
    at = end;
    return new HeapMessage(copy);
  }

  @Override
  public void close() {
    at = end;
  }
}
