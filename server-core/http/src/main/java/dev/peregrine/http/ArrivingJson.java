package dev.peregrine.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON that a codec reads while it arrives, up to a limit. Remembers why it can't be read, because
 * codecs wrap exceptions, and that isn't a fault of the JSON.
 */
final class ArrivingJson extends InputStream {
  private final InputStream source;
  private final int bytesMax;
  private long left;
  private @Nullable IOException broken;
  private @Nullable HttpException refused;

  ArrivingJson(InputStream source, int bytesMax) {
    this.source = source;
    this.bytesMax = bytesMax;
    this.left = bytesMax;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    throwFailure();
    try {
      int bytes = source.read(target, from, (int) Math.min(length, left + 1));
      left -= Math.max(bytes, 0);
      if (left < 0) {
        throw WholeContent.tooLarge(bytesMax);
      }
      return bytes;
    } catch (IOException thrown) {
      broken = thrown;
      throw thrown;
    } catch (HttpException thrown) {
      refused = thrown;
      throw thrown;
    }
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(source.available(), left);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  /** Throws what a read has thrown. */
  void throwFailure() throws IOException {
    if (broken != null) {
      throw broken;
    }
    if (refused != null) {
      throw refused;
    }
  }
}
