package dev.peregrine.examples;

import io.avaje.json.stream.JsonOutput;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Takes serialised JSON into an array that is used again. Belongs to one thread. */
final class JsonBuffer implements JsonOutput {
  private static final int BYTES_INITIAL = 1024;

  private ByteBuffer bytes = ByteBuffer.allocate(BYTES_INITIAL);

  /** Makes room for another document. */
  JsonBuffer reset() {
    bytes.clear();
    return this;
  }

  /** What was written since {@link #reset}; readable until the next. */
  ByteBuffer content() {
    return bytes.flip();
  }

  @Override
  public void write(byte[] source, int from, int length) {
    if (length > bytes.remaining()) {
      grow(length);
    }
    bytes.put(source, from, length);
  }

  private void grow(int length) {
    int needed = Math.addExact(bytes.position(), length);
    bytes = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), needed)).put(bytes.flip());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public OutputStream unwrapOutputStream() {
    throw new UnsupportedOperationException("this is no stream");
  }
}
