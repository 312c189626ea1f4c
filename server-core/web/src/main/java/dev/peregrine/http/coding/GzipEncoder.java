package dev.peregrine.http.coding;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Writes the gzip format (RFC 1952) into an array that grows; {@link #take} empties it. Used by one
 * thread at a time.
 */
final class GzipEncoder implements ContentEncoder {
  /** Magic, deflate, no flags, no time, no hint, unknown system. */
  private static final byte[] HEAD = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF};

  private static final int TAIL_BYTES = 8;
  private static final int BUFFER_BYTES_INITIAL = 8 * 1024;

  private final Deflater deflater;
  private final CRC32 checksum = new CRC32();
  private byte[] buffer = new byte[BUFFER_BYTES_INITIAL];
  private int count;

  GzipEncoder(int level) {
    deflater = new Deflater(level, true);
  }

  @Override
  public void begin() {
    deflater.reset();
    checksum.reset();
    count = 0;
    if (buffer.length > BUFFER_BYTES_INITIAL) {
      buffer = new byte[BUFFER_BYTES_INITIAL];
    }
    System.arraycopy(HEAD, 0, buffer, 0, HEAD.length);
    count = HEAD.length;
  }

  @Override
  public void write(byte[] source, int from, int length) {
    checksum.update(source, from, length);
    deflater.setInput(source, from, length);
    while (!deflater.needsInput()) {
      deflate(Deflater.NO_FLUSH);
    }
  }

  @Override
  public void flush() {
    while (deflate(Deflater.SYNC_FLUSH)) {
      // The array was too small for the output.
    }
  }

  @Override
  public void finish() {
    deflater.finish();
    while (!deflater.finished()) {
      deflate(Deflater.NO_FLUSH);
    }
    makeRoom(TAIL_BYTES);
    putInt((int) checksum.getValue());
    putInt((int) deflater.getBytesRead());
  }

  @Override
  public int available() {
    return count;
  }

  @Override
  public byte[] take() {
    byte[] taken = Arrays.copyOf(buffer, count);
    count = 0;
    return taken;
  }

  @Override
  public void close() {
    deflater.end();
  }

  /** Returns true if the deflater may have more output. */
  private boolean deflate(int flush) {
    makeRoom(1);
    int room = buffer.length - count;
    int bytes = deflater.deflate(buffer, count, room, flush);
    count += bytes;
    return bytes == room;
  }

  private void putInt(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      buffer[count++] = (byte) (value >>> shift);
    }
  }

  private void makeRoom(int bytes) {
    if (buffer.length - count < bytes) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
  }
}
