package dev.peregrine.server.tls.hello;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Checks that {@link HelloReader} reads the same from all bytes at once, byte by byte, and from
 * other pieces as a simpler reader does from all of them.
 */
public final class HelloTarget {
  private static final int HEADERS_BYTES = 9; // nothing is known before
  private static final int OFFSET = 3;

  private HelloTarget() {}

  /** Returns bytes to begin with. */
  public static List<byte[]> seeds() {
    return HelloBytes.seeds();
  }

  /** Fails if the readers differ. */
  public static void run(byte[] data) {
    String expected = HelloModel.read(data);
    String whole = read(new HelloReader(), buffer(data, true), data.length);
    boolean early = data.length < HEADERS_BYTES && whole.equals(HelloModel.INCOMPLETE);
    if (!early && !whole.equals(expected)) {
      throw new AssertionError("read " + whole + ", not " + expected);
    }
    pieces(buffer(data, true), expected, new int[] {1});
    int[] random = new Random(Arrays.hashCode(data)).ints(20, 1, 200).toArray();
    pieces(buffer(data, false), expected, random);
  }

  private static ByteBuffer buffer(byte[] data, boolean direct) {
    int capacity = OFFSET + data.length;
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    return buffer.put(OFFSET, data);
  }

  /** Reads after each piece, until the result is known. The sizes are those of the pieces. */
  private static void pieces(ByteBuffer data, String expected, int[] sizes) {
    HelloReader reader = new HelloReader();
    int length = data.capacity() - OFFSET;
    int to = 0;
    for (int i = 0; to < length; i++) {
      to = Math.min(length, to + sizes[i % sizes.length]);
      String result = read(reader, data, to);
      if (!result.equals(HelloModel.INCOMPLETE)) {
        if (!result.equals(expected)) {
          throw new AssertionError("read " + result + " from " + to + " bytes, not " + expected);
        }
        return;
      }
    }
    // A failure may be noticed later, but a complete ClientHello must not be missed.
    if (!expected.startsWith("failed") && !expected.equals(HelloModel.INCOMPLETE)) {
      throw new AssertionError("did not read " + expected);
    }
  }

  private static String read(HelloReader reader, ByteBuffer data, int to) {
    data.limit(OFFSET + to).position(OFFSET);
    String result;
    try {
      result = HelloModel.describe(reader.read(data));
    } catch (HelloException failure) {
      result = HelloModel.describe(failure);
    }
    if (data.position() != OFFSET || data.limit() != OFFSET + to) {
      throw new AssertionError("the buffer was changed");
    }
    return result;
  }
}
