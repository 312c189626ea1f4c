package dev.peregrine.server.websocket.deflate;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Calls of compressors with whole messages, and targets of chosen sizes. */
final class Steps {
  private Steps() {}

  /** Compresses a message of pieces; each one is the end of a fragment if that is wanted. */
  static byte[] deflate(
      MessageDeflater deflater, int targetBytes, Flush between, byte[]... pieces) {
    deflater.begin();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    for (int i = 0; i < pieces.length; i++) {
      deflater.input(
          pieces[i], 0, pieces[i].length, i == pieces.length - 1 ? Flush.MESSAGE : between);
      output.writeBytes(drain(deflater, targetBytes));
    }
    return output.toByteArray();
  }

  static byte[] deflate(MessageDeflater deflater, byte[] message) {
    return deflate(deflater, 4096, Flush.NONE, message);
  }

  /** Opens a session's compression, for which the budget has room. */
  static SessionCompression open(CompressionPool pool, DeflateParameters wanted) {
    return Objects.requireNonNull(SessionCompression.open(pool, wanted), "no memory");
  }

  /** Returns the output of the input that was set. */
  static byte[] drain(MessageDeflater deflater, int targetBytes) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteBuffer target = ByteBuffer.allocateDirect(targetBytes);
    boolean more = true;
    while (more) {
      more = deflater.deflate(target.clear());
      take(target, output);
    }
    return output.toByteArray();
  }

  /** Decompresses a message of parts. Its failure is thrown. */
  static byte[] inflate(MessageInflater inflater, byte[]... payload) throws FailedException {
    return inflate(inflater, Long.MAX_VALUE, 4096, List.of(payload));
  }

  static byte[] inflate(
      MessageInflater inflater, long bytesMax, int targetBytes, List<byte[]> payload)
      throws FailedException {
    inflater.begin(bytesMax);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteBuffer target = ByteBuffer.allocateDirect(targetBytes);
    for (byte[] part : payload) {
      inflater.input(direct(part));
      expect(InflateResult.NEEDS_INPUT, drain(inflater, target, output));
    }
    inflater.endInput();
    expect(InflateResult.END, drain(inflater, target, output));
    return output.toByteArray();
  }

  static InflateResult drain(
      MessageInflater inflater, ByteBuffer target, ByteArrayOutputStream output) {
    InflateResult result;
    do {
      result = inflater.inflate(target.clear());
      take(target, output);
    } while (result == InflateResult.MORE_OUTPUT);
    return result;
  }

  private static void expect(InflateResult expected, InflateResult actual) throws FailedException {
    if (actual.isFailure()) {
      throw new FailedException(actual);
    }
    if (actual != expected) {
      throw new AssertionError(actual + ", not " + expected);
    }
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static void take(ByteBuffer target, ByteArrayOutputStream output) {
    byte[] bytes = new byte[target.flip().remaining()];
    target.get(bytes);
    output.writeBytes(bytes);
  }

  /** A message can't be decompressed. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    final InflateResult result;

    FailedException(InflateResult result) {
      super(result.toString());
      this.result = result;
    }
  }
}
