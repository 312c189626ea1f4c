package dev.peregrine.http.multipart;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The content of a part as a stream. */
final class PartInputStream extends InputStream {
  private final Part part;

  PartInputStream(Part part) {
    this.part = part;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (length == 0) {
      return 0;
    }
    return part.fill() ? part.take(target, from, length) : -1;
  }

  @Override
  public int available() {
    return part.available();
  }
}
