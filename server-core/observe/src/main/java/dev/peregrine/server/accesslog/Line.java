package dev.peregrine.server.accesslog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A line while it is formatted. Values that clients choose are escaped, and are cut so that the
 * line stays within its limit. A cut value ends with {@code ...}. Used by one loop.
 *
 * <p>Every value has a share of the line that longer values before it can't take away.
 */
final class Line {
  /** The number of bytes that a line may have besides its values: names, numbers, times. */
  static final int FIXED_BYTES = 640;

  private static final int SHARES = 16;
  private static final String MARK_OF_CUT = "...";
  private static final int TEN = 10;
  private static final byte[] DIGITS = LogTexts.bytes("0123456789ABCDEF");
  private static final int NIBBLE = 4;
  private static final int NIBBLE_MASK = 0xF;
  private static final int BYTE_MASK = 0xFF;
  private static final int FIRST_VISIBLE = ' ';
  private static final int DELETE = 0x7F;

  // Eight bytes at a time: AccessLogBenchmark measures it. Each constant repeats a byte.
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final long SPACES = FIRST_VISIBLE * ONES;

  /** The bytes of the line; a value is copied to {@link #length}, then accepted. */
  final byte[] bytes;

  private final byte[] raw; // a value before it is escaped
  private final int valuesMax;
  private final int share;
  private final boolean escapesLikeJson;
  int length;
  private int values; // the bytes of values so far

  Line(int bytesMax, boolean escapesLikeJson) {
    // One more than a line, so that a value which fills the array is known to be too long.
    bytes = new byte[bytesMax + 1];
    raw = new byte[bytesMax + 1];
    valuesMax = bytesMax - FIXED_BYTES;
    share = valuesMax / SHARES;
    this.escapesLikeJson = escapesLikeJson;
  }

  void begin() {
    length = 0;
    values = 0;
  }

  // ---- what the server chooses ----

  Line text(byte[] ascii) {
    System.arraycopy(ascii, 0, bytes, length, ascii.length);
    length += ascii.length;
    return this;
  }

  Line character(char ascii) {
    bytes[length++] = (byte) ascii;
    return this;
  }

  Line number(long number) {
    int digits = 1;
    for (long rest = number / TEN; rest > 0; rest /= TEN) {
      digits++;
    }
    return digits(number, digits);
  }

  /** Appends a number with leading zeros. */
  Line digits(long number, int count) {
    long rest = number;
    for (int i = length + count - 1; i >= length; i--) {
      bytes[i] = DIGITS[(int) (rest % TEN)];
      rest /= TEN;
    }
    length += count;
    return this;
  }

  // ---- what clients and applications choose ----

  /** Appends a value of Java, as {@link #accept} does. */
  void value(String value, int later) {
    int room = room(later);
    int end = length + room;
    int start = length;
    int cutAt = length;
    for (int i = 0; i < value.length(); i++) {
      char next = value.charAt(i);
      boolean plain = isPlain(next);
      if (length + escapedLength(plain) > end) {
        cut(cutAt);
        break;
      }
      write(next, plain);
      if (length + MARK_OF_CUT.length() <= end) {
        cutAt = length;
      }
    }
    values += length - start;
  }

  /** Returns the length of a value that was copied to {@link #length}, up to a character. */
  int lengthBefore(char end, int copied) {
    for (int i = length; i < length + copied; i++) {
      if (bytes[i] == end) {
        return i - length;
      }
    }
    return copied;
  }

  /**
   * Appends a value that was copied to {@link #length} of {@link #bytes}.
   *
   * @param copied the length of the value in bytes
   * @param later the number of values that may still follow, whose shares are kept free
   */
  void accept(int copied, int later) {
    int room = room(later);
    int start = length;
    if (copied <= room && areAllPlain(copied)) {
      length += copied;
    } else {
      acceptEscaped(copied, room, FIRST_VISIBLE);
    }
    values += length - start;
  }

  /** Like {@link #accept}, for a value that isn't quoted: escapes spaces, too. */
  void acceptWord(int copied, int later) {
    int start = length;
    acceptEscaped(copied, room(later), FIRST_VISIBLE + 1);
    values += length - start;
  }

  private int room(int later) {
    return valuesMax - values - later * share;
  }

  private void acceptEscaped(int copied, int room, int firstPlain) {
    System.arraycopy(bytes, length, raw, 0, copied);
    int end = length + room;
    int cutAt = length;
    for (int i = 0; i < copied; i++) {
      int next = raw[i] & BYTE_MASK;
      boolean plain = next >= firstPlain && isPlain(next);
      if (length + escapedLength(plain) > end) {
        cut(cutAt);
        return;
      }
      write(next, plain);
      if (length + MARK_OF_CUT.length() <= end) {
        cutAt = length;
      }
    }
  }

  private void cut(int at) {
    length = at;
    for (int i = 0; i < MARK_OF_CUT.length(); i++) {
      bytes[length++] = (byte) MARK_OF_CUT.charAt(i);
    }
  }

  private static boolean isPlain(int c) {
    return c >= FIRST_VISIBLE && c < DELETE && c != '"' && c != '\\';
  }

  private int escapedLength(boolean plain) {
    return plain ? 1 : escapesLikeJson ? "\\u0000".length() : "\\x00".length();
  }

  /** Appends a byte or, in JSON, a UTF-16 code unit; escapes it unless it is plain. */
  private void write(int c, boolean plain) {
    if (plain) {
      bytes[length++] = (byte) c;
      return;
    }
    bytes[length++] = '\\';
    bytes[length++] = (byte) (escapesLikeJson ? 'u' : 'x');
    for (int shift = escapesLikeJson ? 3 * NIBBLE : NIBBLE; shift >= 0; shift -= NIBBLE) {
      bytes[length++] = DIGITS[(c >> shift) & NIBBLE_MASK];
    }
  }

  /** Returns true if none of the next bytes has to be escaped. */
  private boolean areAllPlain(int count) {
    int i = length;
    int end = length + count;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      long eight = (long) LONGS.get(bytes, i);
      // The high bit of a byte is set by the first difference if it is below a space, by the
      // zeroes if it is a quote or a backslash, and by the sum if it is DEL. Above DEL it is set
      // already. A borrow or a carry comes only from a byte that has its high bit set as well.
      long special = (eight - SPACES) | zeroes(eight ^ QUOTES) | zeroes(eight ^ BACKSLASHES);
      if (((special | eight | (eight + ONES)) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < end; i++) {
      if (!isPlain(bytes[i])) { // negative above 0x7F, so not visible
        return false;
      }
    }
    return true;
  }

  /** Sets the high bit of each byte that is 0, and possibly of bytes after one of these. */
  private static long zeroes(long eight) {
    return (eight - ONES) & ~eight;
  }
}
