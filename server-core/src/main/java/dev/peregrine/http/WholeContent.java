package dev.peregrine.http;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Collects content in one array. It grows with what arrives, so that announcing much costs a client
 * as much as sending it, and never beyond what was announced.
 */
final class WholeContent implements BodyListener {
  private final int bytesMax;
  private final long capacityMax;
  private final Consumer<byte[]> whenRead;
  private byte[] bytes = {};
  private int count;

  /**
   * Of content of a declared length, or -1.
   *
   * @param bytesMax more is answered 413
   */
  WholeContent(long length, int bytesMax, Consumer<byte[]> whenRead) {
    this.bytesMax = bytesMax;
    this.capacityMax = length < 0 ? bytesMax : Math.min(length, bytesMax);
    this.whenRead = whenRead;
  }

  @Override
  public void onData(Bytes data) {
    int length = data.length();
    if (length > bytesMax - count) {
      throw new HttpException(
          HttpStatus.CONTENT_TOO_LARGE.code(), "content of more than " + bytesMax + " bytes");
    }
    if (length > bytes.length - count) {
      long capacity = Math.min(2L * bytes.length, capacityMax);
      bytes = Arrays.copyOf(bytes, (int) Math.max(capacity, count + length));
    }
    data.copyTo(0, bytes, count, length);
    count += length;
  }

  @Override
  public void onEnd() {
    whenRead.accept(count == bytes.length ? bytes : Arrays.copyOf(bytes, count));
  }
}
