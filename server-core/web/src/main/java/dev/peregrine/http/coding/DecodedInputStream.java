package dev.peregrine.http.coding;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.coding.inflate.ContentDecoder;
import dev.peregrine.http.coding.inflate.DecodingBudget;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Content as a stream, decoded into the arrays that its reader passes. */
final class DecodedInputStream extends InputStream {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final InputStream source;
  private final ContentDecoder decoder;
  private final DecodingBudget budget;
  private final byte[] encoded; // an array of its own, because the decoder refers to it
  private final byte[] one = new byte[1];
  private boolean any;
  private boolean ended;
  private boolean closed;

  /**
   * Creates a stream.
   *
   * @param encodedBytes how many bytes the source has; -1 if that isn't known
   */
  DecodedInputStream(
      InputStream source, long encodedBytes, ContentDecoder decoder, DecodingBudget budget) {
    this.source = source;
    this.decoder = decoder;
    this.budget = budget;
    boolean isShort = encodedBytes >= 0 && encodedBytes < BUFFER_BYTES;
    this.encoded = new byte[isShort ? Math.max(1, (int) encodedBytes) : BUFFER_BYTES];
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (closed) {
      throw new IOException("stream closed");
    }
    if (length == 0) {
      return 0;
    }
    try {
      int bytes = 0;
      while (bytes == 0 && !ended) {
        bytes = decoder.decode(target, from, length);
        budget.countDecoded(bytes);
        if (bytes == 0) {
          more();
        }
      }
      return bytes > 0 ? bytes : -1;
    } catch (Throwable failure) {
      closed = true; // releases the decoder, because some callers don't close a stream that failed
      decoder.close();
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    decoder.close();
    source.close();
  }

  private void more() throws IOException {
    int bytes = source.read(encoded);
    if (bytes >= 0) {
      any = true;
      decoder.input(encoded, 0, bytes);
      return;
    }
    if (any && !decoder.isComplete()) {
      throw new HttpException(400, "the compressed content is incomplete");
    }
    ended = true;
    decoder.close();
  }
}
