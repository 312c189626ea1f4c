package dev.peregrine.grpc;

import io.grpc.Decompressor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A decompressed message. Reading fails with a status when the message is larger than a limit or
 * can't be decompressed: marshallers wrap an {@link IOException}, and the client wouldn't be
 * recognized as its cause.
 */
final class LimitedInput extends FilterInputStream {
  private final int bytesMax;
  private long read;

  private LimitedInput(InputStream decompressed, int bytesMax) {
    super(decompressed);
    this.bytesMax = bytesMax;
  }

  /**
   * Begins to decompress a message.
   *
   * @throws StatusRuntimeException if it isn't valid
   */
  static InputStream decompress(InputStream message, Decompressor decompressor, int bytesMax) {
    try {
      return new LimitedInput(decompressor.decompress(message), bytesMax);
    } catch (IOException invalid) {
      throw failure(invalid);
    }
  }

  private static StatusRuntimeException failure(IOException invalid) {
    return Status.INTERNAL
        .withDescription("Can't decompress gRPC message: " + invalid.getMessage())
        .asRuntimeException();
  }

  @Override
  public int read() {
    try {
      int next = in.read();
      if (next >= 0) {
        count(1);
      }
      return next;
    } catch (IOException invalid) {
      throw failure(invalid);
    }
  }

  @Override
  public int read(byte[] target, int from, int length) {
    try {
      int bytes = in.read(target, from, length);
      count(Math.max(0, bytes));
      return bytes;
    } catch (IOException invalid) {
      throw failure(invalid);
    }
  }

  @Override
  public long skip(long count) {
    try {
      long skipped = in.skip(count);
      count(skipped);
      return skipped;
    } catch (IOException invalid) {
      throw failure(invalid);
    }
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(long bytes) {
    read += bytes;
    if (read > bytesMax) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription("Decompressed gRPC message exceeds maximum size " + bytesMax)
          .asRuntimeException();
    }
  }
}
