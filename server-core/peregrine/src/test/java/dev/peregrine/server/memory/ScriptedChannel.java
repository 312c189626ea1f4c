package dev.peregrine.server.memory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.IntSupplier;

/** A channel that takes as many bytes of each write as a script returns, and keeps them. */
final class ScriptedChannel implements OutboundChannel {
  private final IntSupplier capacity;
  private final boolean takesArrays;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private int writes;
  private int mostPieces;

  /**
   * A channel.
   *
   * @param capacity how much the next write takes; less than 0 makes it fail
   */
  ScriptedChannel(IntSupplier capacity) {
    this(capacity, false);
  }

  ScriptedChannel(IntSupplier capacity, boolean takesArrays) {
    this.capacity = capacity;
    this.takesArrays = takesArrays;
  }

  @Override
  public boolean takesArrays() {
    return takesArrays;
  }

  byte[] taken() {
    return taken.toByteArray();
  }

  /** Returns the number of bytes taken. */
  int count() {
    return taken.size();
  }

  int writes() {
    return writes;
  }

  int mostPieces() {
    return mostPieces;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    writes++;
    mostPieces = Math.max(mostPieces, length);
    int most = capacity.getAsInt();
    if (most < 0) {
      throw new IOException("scripted");
    }
    long left = most;
    for (int i = offset; i < offset + length && left > 0; i++) {
      int part = (int) Math.min(left, sources[i].remaining());
      byte[] bytes = new byte[part];
      sources[i].get(bytes);
      taken.writeBytes(bytes);
      left -= part;
    }
    return most - left;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    return file.transferTo(position, count, this);
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
