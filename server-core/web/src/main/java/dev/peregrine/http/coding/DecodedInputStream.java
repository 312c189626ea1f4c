package dev.peregrine.http.coding;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.coding.inflate.ContentDecoder;
import dev.peregrine.http.coding.inflate.DecodingBudget;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Content as a stream, decoded as it is read. */
final class DecodedInputStream extends InputStream {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final InputStream source;
  private final ContentDecoder decoder;
  private final DecodingBudget budget;
  private final byte[] encoded = new byte[BUFFER_BYTES];
  private final byte[] decoded = new byte[BUFFER_BYTES];
  private int from;
  private int to;
  private boolean any;
  private boolean ended;
  private boolean closed;

  DecodedInputStream(InputStream source, ContentDecoder decoder, DecodingBudget budget) {
    this.source = source;
    this.decoder = decoder;
    this.budget = budget;
  }

  @Override
  public int read() throws IOException {
    return fill() ? decoded[from++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int start, int length) throws IOException {
    Objects.checkFromIndexSize(start, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int bytes = Math.min(length, to - from);
    System.arraycopy(decoded, from, target, start, bytes);
    from += bytes;
    return bytes;
  }

  @Override
  public int available() {
    return to - from;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    decoder.close();
    source.close();
  }

  /** Returns false at the end. */
  private boolean fill() throws IOException {
    if (closed) {
      throw new IOException("stream closed");
    }
    try {
      while (from == to && !ended) {
        decodeSome();
      }
      return from < to;
    } catch (Throwable failure) {
      closed = true; // releases the decoder, because some callers don't close a stream that failed
      decoder.close();
      throw failure;
    }
  }

  private void decodeSome() throws IOException {
    from = 0;
    to = 0;
    int bytes = decoder.decode(decoded);
    budget.countDecoded(bytes);
    to = bytes;
    if (bytes == 0) {
      more();
    }
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
