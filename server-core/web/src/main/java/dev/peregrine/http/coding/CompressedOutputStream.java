package dev.peregrine.http.coding;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content as a stream that is compressed if it turns out to be long enough. Content that fits into
 * the gathering array is sent whole.
 */
final class CompressedOutputStream extends OutputStream {
  private static final int GATHERED_BYTES = 16 * 1024;

  private final CodedContent content;
  private byte[] gathered = new byte[1024];
  private int count;
  private boolean closed;
  private @Nullable OutputStream target;
  private EncoderPool.@Nullable Lease lease; // null if the content isn't compressed
  private @Nullable DeclaredLength length; // of the content before compression

  CompressedOutputStream(CodedContent content) {
    this.content = content;
  }

  @Override
  public void write(int b) throws IOException {
    if (count == gathered.length) {
      write(new byte[] {(byte) b}, 0, 1);
    } else {
      checkNotClosed();
      gathered[count++] = (byte) b;
    }
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, source.length);
    checkNotClosed();
    if (length > GATHERED_BYTES - count) {
      passOn();
    }
    if (length > GATHERED_BYTES) {
      encode(source, from, length);
      return;
    }
    if (length > gathered.length - count) {
      int larger = Math.max(2 * gathered.length, count + length);
      gathered = Arrays.copyOf(gathered, Math.min(larger, GATHERED_BYTES));
    }
    System.arraycopy(source, from, gathered, count, length);
    count += length;
  }

  @Override
  public void flush() throws IOException {
    checkNotClosed();
    passOn();
    if (lease != null) {
      lease.flush();
      send(lease);
    }
    started().flush();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (target == null) {
      content.closeGathered(Arrays.copyOf(gathered, count));
      return;
    }
    try (EncoderPool.Lease encoding = lease) {
      passOn();
      if (length != null && length.refusal() != null) {
        content.fail(length.refusal());
        return;
      }
      if (encoding != null) {
        encoding.finish();
        send(encoding);
      }
    }
    target.close();
  }

  /** Releases the encoder; later writes do nothing. */
  void abandon() {
    if (lease != null) {
      lease.close();
    }
    closed = true;
  }

  private void passOn() throws IOException {
    started();
    encode(gathered, 0, count);
    count = 0;
  }

  private void encode(byte[] source, int from, int bytes) throws IOException {
    OutputStream out = started();
    if (lease == null) {
      out.write(source, from, bytes);
    } else {
      if (length != null) {
        length.count(bytes);
      }
      lease.write(source, from, bytes);
      send(lease);
    }
  }

  private void send(EncoderPool.Lease encoding) throws IOException {
    byte[] encoded = encoding.take(1);
    if (encoded.length > 0) {
      started().write(encoded);
    }
  }

  private OutputStream started() {
    OutputStream out = target;
    if (out == null) {
      lease = content.startEncoding();
      length = lease == null ? null : content.expectedLength();
      out = content.openOutput(lease);
      target = out;
    }
    return out;
  }

  private void checkNotClosed() throws IOException {
    if (closed) {
      throw new IOException("stream closed");
    }
  }
}
