package dev.peregrine.zstd;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.peregrine.http.coding.ContentEncoder;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes zstd frames. The library encodes between two direct buffers; the encoded bytes are
 * collected in an array, from which they are taken.
 */
final class ZstdEncoder implements ContentEncoder {
  /**
   * The window, which determines the memory of an encoder. Clients accept up to 8 MiB (RFC 9659), a
   * log of 23.
   */
  private static final int WINDOW_LOG = 17;

  private static final int BUFFER_BYTES = 16 * 1024;

  private final ByteBuffer source = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer target = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final int level;
  private byte[] encoded = new byte[BUFFER_BYTES];
  private final ZstdCompressCtx context = new ZstdCompressCtx(); // last: later ones never fail
  private int count;

  ZstdEncoder(int level) {
    this.level = level;
  }

  @Override
  public void begin() {
    context.reset();
    context.setLevel(level).setWindowLog(WINDOW_LOG);
    source.clear();
    count = 0;
    if (encoded.length > BUFFER_BYTES) {
      encoded = new byte[BUFFER_BYTES];
    }
  }

  @Override
  public void write(byte[] content, int from, int length) {
    int end = from + length;
    for (int next = from; next < end; ) {
      int part = Math.min(end - next, source.remaining());
      source.put(content, next, part);
      next += part;
      if (!source.hasRemaining()) {
        encode(EndDirective.CONTINUE);
      }
    }
  }

  @Override
  public void flush() {
    encode(EndDirective.FLUSH);
  }

  @Override
  public void finish() {
    encode(EndDirective.END);
  }

  @Override
  public int available() {
    return count;
  }

  @Override
  public byte[] take() {
    byte[] taken = Arrays.copyOf(encoded, count);
    count = 0;
    return taken;
  }

  @Override
  public void close() {
    context.close();
  }

  /** Passes the source's bytes to the library, and collects the encoded ones. */
  private void encode(EndDirective directive) {
    source.flip();
    boolean done;
    do {
      target.clear();
      done = context.compressDirectByteBufferStream(target, source, directive);
      collect();
    } while (!done || source.hasRemaining());
    source.clear();
  }

  private void collect() {
    int bytes = target.flip().remaining();
    if (encoded.length - count < bytes) {
      encoded = Arrays.copyOf(encoded, Math.max(2 * encoded.length, count + bytes));
    }
    target.get(encoded, count, bytes);
    count += bytes;
  }
}
