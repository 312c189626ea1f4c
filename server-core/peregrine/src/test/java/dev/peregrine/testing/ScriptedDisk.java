package dev.peregrine.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A file on a disk that takes a few bytes at a time, until it is full. Used by one thread. */
public final class ScriptedDisk implements WritableByteChannel {
  private final StringBuilder text = new StringBuilder();
  private final int writtenMax;
  private int room = Integer.MAX_VALUE;

  /** A disk that takes at most so many bytes by a write. */
  public ScriptedDisk(int writtenMax) {
    this.writtenMax = writtenMax;
  }

  /** Sets how many bytes it takes until it is full. */
  public void room(int bytes) {
    room = bytes;
  }

  /** Returns the bytes that it has taken, as Latin-1. */
  public String text() {
    return text.toString();
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int count = Math.min(Math.min(room, writtenMax), from.remaining());
    if (count == 0) {
      throw new IOException("full");
    }
    for (int i = 0; i < count; i++) {
      text.append((char) (from.get() & 0xFF));
    }
    room -= count;
    return count;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
