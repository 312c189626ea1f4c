package dev.peregrine.server.attack;

import dev.peregrine.http.JsonCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A codec for the depth of nested arrays, which it reads recursively, as most codecs do. */
final class NestedJson implements JsonCodec {
  @Override
  public void write(Object value, OutputStream target) throws IOException {
    byte[] half = new byte[(Integer) value];
    Arrays.fill(half, (byte) '[');
    target.write(half);
    Arrays.fill(half, (byte) ']');
    target.write(half);
  }

  @Override
  public <T> T read(byte[] content, Class<T> type) throws IOException {
    return type.cast(depth(content, 0));
  }

  /** Returns the depth of the arrays from an index on. */
  private static int depth(byte[] content, int at) throws IOException {
    if (at == content.length) {
      throw new IOException("an array has no end");
    }
    return content[at] == '[' ? 1 + depth(content, at + 1) : 0;
  }
}
