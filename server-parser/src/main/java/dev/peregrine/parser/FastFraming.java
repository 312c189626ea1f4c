package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldBits;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The framing of the common request: one plain Host, at most one Connection with {@code keep-alive}
 * or {@code close}, and at most a Content-Length of up to seven digits or a Transfer-Encoding of
 * {@code chunked}. It reads only the lines that a scan listed, and leaves all other heads to {@link
 * FramingFields} and {@link HeadRules}.
 */
final class FastFraming {
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

  /** The largest number of bytes after the head that are loaded. */
  private static final int LOADED = "transfer-encoding: chunked\r\n".length();

  // Names have slots by a perfect hash of their second to fifth letters.
  private static final int HASH = 0x167;
  private static final int SLOT_SHIFT = Integer.SIZE - 3;
  private static final int SLOTS = 1 << (Integer.SIZE - SLOT_SHIFT);

  /** Up to eight lower-case letters of each slot's name, from the second one on, and their bits. */
  private static final long[] KEYS = new long[SLOTS];

  private static final long[] KEY_BITS = new long[SLOTS];

  static {
    // so that slots without a name match no line
    Arrays.fill(KEYS, -1);
  }

  private static final int HOST_LENGTH = "host:".length();
  private static final int HOST = slot("host:");
  private static final int CONNECTION_LENGTH = "connection:".length();
  private static final int CONNECTION = slot("connection:");
  private static final int CONTENT_LENGTH_LENGTH = "content-length:".length();
  private static final int CONTENT_LENGTH = slot("content-length:");
  private static final int TRANSFER_ENCODING_LENGTH = "transfer-encoding:".length();
  private static final int TRANSFER_ENCODING = slot("transfer-encoding:");

  static {
    slot("upgrade:");
    slot("expect:");
  }

  private static final long HOST_START = Memory.word("host:");
  private static final long HOST_BYTES = -1L >>> (Long.SIZE - HOST_LENGTH * Byte.SIZE);
  private static final long CONNECTION_START = Memory.word("connecti");
  private static final long CONNECTION_END = Memory.word("nection:");
  private static final long CONTENT_START = Memory.word("content-");
  private static final long CONTENT_LENGTH_END = Memory.word("-length:");
  private static final long TRANSFER_START = Memory.word("transfer");
  private static final long TRANSFER_MIDDLE = Memory.word("-encodin");
  private static final long TRANSFER_END = Memory.word("ncoding:");

  private static final long KEEP_ALIVE_START = Memory.word(" keep-al");
  private static final long KEEP_ALIVE_END = Memory.word("-alive\r\n");
  private static final int KEEP_ALIVE_END_AT = "connection: keep".length();
  private static final long CHUNKED = Memory.word(" chunked");
  private static final long CLOSE = Memory.word(" close\r\n");

  /** The case bits for words that end with a CR and an LF. */
  private static final long CASE_BITS_OF_SIX = CASE_BITS >>> (2 * Byte.SIZE);

  // bits of a result: the fields that were seen
  private static final int SEEN_HOST = 1;
  private static final int SEEN_CONNECTION = 2;
  private static final int SEEN_LENGTH = 4;
  private static final int SEEN_CHUNKED = 8;
  private static final int UNUSUAL = 16;

  private FastFraming() {}

  private static int slot(String name) {
    String key = name.substring(1, Math.min(name.length(), 1 + Long.BYTES));
    int slot = slot(Memory.word(key));
    if (KEY_BITS[slot] != 0) {
      throw new AssertionError("no slot for " + name);
    }
    KEYS[slot] = Memory.word(key);
    KEY_BITS[slot] = -1L >>> (Long.SIZE - key.length() * Byte.SIZE);
    return slot;
  }

  private static int slot(long key) {
    return ((int) key * HASH) >>> SLOT_SHIFT;
  }

  /**
   * Reads the framing fields. Returns false if a line does not have the usual form; then the result
   * must not be used.
   *
   * @param end the index after the head
   * @param hostLine the index of the line from which Host was taken, or -1
   */
  static boolean read(
      MemorySegment bytes, long base, long end, long segmentEnd, long hostLine, RequestHead head) {
    if (end + LOADED > segmentEnd) {
      return false;
    }
    head.keepAlive = head.versionCode > 0;
    head.contentLength = RequestHead.NONE;
    head.chunked = false;
    head.expectsContinue = false;
    head.upgrade = false;
    FieldBits bits = head.fields.bits();
    long[] strides = bits.strides();
    int used = bits.used();
    int seen = 0;
    for (int stride = 0; stride < used; stride += FieldBits.STRIDE) {
      long left = strides[stride + FieldBits.CANDIDATES];
      while (left != 0) {
        long line = Memory.inRange(strides[stride] + Long.numberOfTrailingZeros(left) - 1);
        left &= left - 1;
        int kind = SEEN_HOST;
        if (line != hostLine) {
          long key = Memory.longAt(bytes, line + 1) | CASE_BITS;
          int slot = slot(key);
          if ((key & KEY_BITS[slot]) != KEYS[slot]) {
            continue;
          }
          kind =
              slot == CONNECTION
                  ? readConnection(bytes, line, head)
                  : readOther(bytes, base, line, segmentEnd, slot, head);
        }
        if ((seen & kind) != 0) {
          return false;
        }
        seen |= kind;
      }
    }
    return (seen & (SEEN_HOST | UNUSUAL)) == SEEN_HOST
        && (seen & (SEEN_LENGTH | SEEN_CHUNKED)) != (SEEN_LENGTH | SEEN_CHUNKED);
  }

  /**
   * Reads the line of a slot other than Connection, whose name has yet to be compared; returns the
   * result, in bits.
   *
   * <p>It is too long to be inlined. Such lines are rare, so C2 often compiles the loop over the
   * lines before it has counted what is called here. Inlined, this would then bring calls into that
   * loop, for which its values go to the stack.
   */
  private static int readOther(
      MemorySegment bytes, long base, long line, long segmentEnd, int slot, RequestHead head) {
    long name = Memory.longAt(bytes, line) | CASE_BITS;
    if (slot == CONTENT_LENGTH) {
      long nameEnd = line + CONTENT_LENGTH_LENGTH;
      long value = Memory.longAt(bytes, behindSpace(bytes, nameEnd));
      int digits = Swar.index(Swar.notDigits(value));
      boolean usual =
          digits > 0
              && digits < Long.BYTES
              && (byte) (value >>> (digits * Byte.SIZE)) == Ascii.CR
              && name == CONTENT_START
              && (Memory.longAt(bytes, nameEnd - Long.BYTES) | CASE_BITS) == CONTENT_LENGTH_END;
      head.contentLength = Swar.number(value, digits);
      return usual ? SEEN_LENGTH : UNUSUAL;
    }
    if (slot == TRANSFER_ENCODING) {
      long end = line + TRANSFER_ENCODING_LENGTH;
      head.chunked =
          head.versionCode > 0
              && name == TRANSFER_START
              && (Memory.longAt(bytes, line + Long.BYTES) | CASE_BITS) == TRANSFER_MIDDLE
              && (Memory.longAt(bytes, end - Long.BYTES) | CASE_BITS) == TRANSFER_END
              && (Memory.longAt(bytes, end) | CASE_BITS) == CHUNKED
              && Memory.shortAt(bytes, end + Long.BYTES) == Ascii.CRLF;
      return head.chunked ? SEEN_CHUNKED : UNUSUAL;
    }
    if (slot != HOST || (name & HOST_BYTES) != HOST_START) {
      return UNUSUAL;
    }
    long start = behindSpace(bytes, line + HOST_LENGTH);
    // a CR looks like a hyphen, but then there is an LF
    long end = Authority.plainEnd(bytes, start, segmentEnd);
    byte next = Memory.byteAt(bytes, end);
    if (next == Ascii.COLON && end > start && end + 1 + Long.BYTES <= segmentEnd) {
      end = Authority.portEnd(bytes, end + 1);
      next = Memory.byteAt(bytes, end++) == Ascii.CR ? Ascii.LF : Ascii.COLON;
    }
    end--;
    if (next != Ascii.LF || end <= start) {
      return UNUSUAL;
    }
    head.hostStart = (int) (start - base);
    head.hostEnd = (int) (end - base);
    return SEEN_HOST;
  }

  private static int readConnection(MemorySegment bytes, long line, RequestHead head) {
    long name = Memory.longAt(bytes, line) | CASE_BITS;
    long nameEnd = Memory.longAt(bytes, line + CONNECTION_LENGTH - Long.BYTES) | CASE_BITS;
    long first = Memory.longAt(bytes, line + CONNECTION_LENGTH);
    long last = Memory.longAt(bytes, line + KEEP_ALIVE_END_AT);
    head.keepAlive =
        (first | CASE_BITS) == KEEP_ALIVE_START && (last | CASE_BITS_OF_SIX) == KEEP_ALIVE_END;
    boolean usual = head.keepAlive || (first | CASE_BITS_OF_SIX) == CLOSE;
    return usual && name == CONNECTION_START && nameEnd == CONNECTION_END
        ? SEEN_CONNECTION
        : UNUSUAL;
  }

  /** Returns the index after the space that usually follows a colon. */
  private static long behindSpace(MemorySegment bytes, long at) {
    return Memory.byteAt(bytes, at) == Ascii.SP ? at + 1 : at;
  }
}
