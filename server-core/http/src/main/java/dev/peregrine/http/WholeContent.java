package dev.peregrine.http;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Collects content in one array. The array grows with the content that arrives, so a client can't
 * cost memory by announcing much, and never beyond the announced length.
 */
final class WholeContent implements BodyListener {
  static final byte[] EMPTY = {};

  private final int bytesMax;
  private final long capacityMax;
  private final Consumer<byte[]> whenRead;
  private byte[] bytes = EMPTY;
  private int count;

  /**
   * Creates a collector of content with a declared length, or -1.
   *
   * @param bytesMax the limit; the client gets 413 for more
   */
  WholeContent(long length, int bytesMax, Consumer<byte[]> whenRead) {
    this.bytesMax = bytesMax;
    this.capacityMax = length < 0 ? bytesMax : Math.min(length, bytesMax);
    this.whenRead = Objects.requireNonNull(whenRead, "whenRead");
  }

  @Override
  public void onData(Bytes data) {
    int length = data.length();
    if (length > bytesMax - count) {
      throw tooLarge(bytesMax);
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

  static HttpException tooLarge(int bytesMax) {
    return new HttpException(
        HttpStatus.CONTENT_TOO_LARGE.code(), "content of more than " + bytesMax + " bytes");
  }
}
