package dev.peregrine.server.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the header of one connection, in whatever pieces it arrives. Both versions are accepted;
 * the first byte that neither can have ends it. Keeps only bytes that have arrived.
 */
final class HeaderReader {
  private static final int INITIAL_BYTES = 128; // a usual header of either version
  private static final byte[] LINE_BEGIN = HeaderLine.BEGIN.getBytes(StandardCharsets.US_ASCII);

  private final int blockBytesMax;
  private byte[] bytes = {};
  private int count;
  private int length; // of a block, once it is known; otherwise 0

  /**
   * Creates a reader.
   *
   * @param blockBytesMax largest length of a header of version 2
   */
  HeaderReader(int blockBytesMax) {
    this.blockBytesMax = blockBytesMax;
  }

  /** Returns the number of bytes that have arrived. */
  int count() {
    return count;
  }

  /**
   * Takes bytes up to the end of the header, and none after it.
   *
   * @return the header, or null if it isn't complete
   * @throws ProxyHeaderException as soon as the bytes can't be a valid header
   */
  @Nullable ProxyHeader read(ByteBuffer in) throws ProxyHeaderException {
    while (in.hasRemaining()) {
      if (length == 0) {
        append(in.get());
        if (isLineEnd()) {
          return HeaderLine.decode(new String(bytes, 0, count - 2, StandardCharsets.ISO_8859_1));
        }
      } else {
        int part = Math.min(length - count, in.remaining());
        reserve(count + part);
        in.get(bytes, count, part);
        count += part;
      }
      if (count == length) {
        return HeaderBlock.decode(bytes, length);
      }
    }
    return null;
  }

  private void append(byte next) throws ProxyHeaderException {
    reserve(count + 1);
    bytes[count++] = next;
    boolean isLine = bytes[0] == LINE_BEGIN[0];
    byte[] begin = isLine ? LINE_BEGIN : HeaderBlock.SIGNATURE;
    if (count <= begin.length) {
      if (next != begin[count - 1]) {
        throw new ProxyHeaderException("byte " + count + " is not that of a header");
      }
    } else if (isLine) {
      checkLine(next);
    } else if (count == HeaderBlock.FIXED_BYTES) {
      length = HeaderBlock.length(bytes);
      if (length > blockBytesMax) {
        throw new ProxyHeaderException(
            "it has "
                + length
                + " bytes; the limit is "
                + blockBytesMax
                + " bytes (proxyHeaderBytesMax)");
      }
    }
  }

  private void checkLine(byte next) throws ProxyHeaderException {
    boolean afterReturn = bytes[count - 2] == '\r';
    if (afterReturn != (next == '\n')) {
      throw new ProxyHeaderException("the line has a CR or LF alone");
    }
    if (count == HeaderLine.BYTES_MAX && !afterReturn) {
      throw new ProxyHeaderException(
          "the line has no end within " + HeaderLine.BYTES_MAX + " bytes");
    }
  }

  private boolean isLineEnd() {
    return bytes[0] == LINE_BEGIN[0] && bytes[count - 1] == '\n';
  }

  private void reserve(int capacity) {
    if (capacity > bytes.length) {
      int doubled = Math.max(INITIAL_BYTES, 2 * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.max(capacity, doubled));
    }
  }
}
