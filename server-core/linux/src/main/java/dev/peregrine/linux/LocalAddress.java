package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Conversions between the address of a Unix domain socket and {@code struct sockaddr_un}; see
 * unix(7). The text of an address is a path, or {@code @} and a name without a file (an abstract
 * one).
 */
public final class LocalAddress {
  public static final int FAMILY = 1; // AF_UNIX

  private static final int PATH = 2;
  private static final int PATH_BYTES_MAX = 107; // before its final zero
  private static final Charset FILE_NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding"), StandardCharsets.UTF_8);

  private LocalAddress() {}

  /**
   * Writes an address.
   *
   * @return the structure's size in bytes
   * @throws IOException if the address is empty or too long
   */
  public static int write(String address, MemorySegment target) throws IOException {
    byte[] path = address.getBytes(FILE_NAMES);
    if (path.length == 0 || path.length > PATH_BYTES_MAX) {
      throw new IOException(
          "the address of the socket has " + path.length + " bytes, not 1 to " + PATH_BYTES_MAX);
    }
    target.asSlice(0, PATH + PATH_BYTES_MAX + 1).fill((byte) 0);
    target.set(ValueLayout.JAVA_SHORT, 0, (short) FAMILY);
    boolean named = path[0] != '@';
    if (!named) {
      path[0] = 0;
    }
    MemorySegment.copy(path, 0, target, ValueLayout.JAVA_BYTE, PATH, path.length);
    return PATH + path.length + (named ? 1 : 0); // a path has a final zero
  }

  /**
   * Reads an address.
   *
   * @param bytes the structure's size
   * @return the address; empty if the socket has none
   */
  public static String read(MemorySegment source, int bytes) {
    int length = Math.clamp((long) bytes - PATH, 0, PATH_BYTES_MAX + 1);
    byte[] path = new byte[length];
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, PATH, path, 0, length);
    if (length > 0 && path[0] == 0) {
      path[0] = '@';
    }
    int end = 0;
    while (end < length && path[end] != 0) {
      end++;
    }
    return new String(path, 0, end, FILE_NAMES);
  }
}
