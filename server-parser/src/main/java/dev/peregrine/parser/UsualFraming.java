package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldBits;
import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.Swar;
import java.lang.foreign.MemorySegment;

/**
 * Understands the fields that say what becomes of a connection where they are as in most requests:
 * one plain Host; at most a Connection that is {@code keep-alive} or {@code close} alone, and a
 * Content-Length of digits or a Transfer-Encoding that is {@code chunked}. It looks at nothing but
 * the lines that a scan in blocks listed, and leaves all other heads to {@link FramingFields} and
 * {@link HeadRules}.
 */
final class UsualFraming {
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

  /** Nothing is loaded behind so many bytes from a name's start before a value is looked at. */
  private static final int LOADED = "transfer-encoding: chunked\r\n".length();

  private static final int HOST_LENGTH = "host:".length();
  private static final long HOST = Memory.word("host:");
  private static final long HOST_BYTES = -1L >>> (Long.SIZE - HOST_LENGTH * Byte.SIZE);
  private static final int CONNECTION_LENGTH = "connection:".length();
  private static final long CONNECTION_START = Memory.word("connecti");
  private static final long CONNECTION_END = Memory.word("nection:");
  private static final int CONTENT_LENGTH_LENGTH = "content-length:".length();
  private static final long CONTENT_START = Memory.word("content-");
  private static final long CONTENT_LENGTH_END = Memory.word("-length:");
  private static final int TRANSFER_ENCODING_LENGTH = "transfer-encoding:".length();
  private static final long TRANSFER_START = Memory.word("transfer");
  private static final long TRANSFER_MIDDLE = Memory.word("-encodin");
  private static final long TRANSFER_END = Memory.word("ncoding:");
  private static final long UPGRADE = Memory.word("upgrade:");
  private static final long EXPECT = Memory.word("expect:");
  private static final long EXPECT_BYTES = -1L >>> Byte.SIZE;

  private static final long KEEP_ALIVE_START = Memory.word(" keep-al");
  private static final long KEEP_ALIVE_END = Memory.word("-alive\r\n");
  private static final int KEEP_ALIVE_END_AT = "connection: keep".length();
  private static final long CHUNKED = Memory.word(" chunked");
  private static final long CLOSE = Memory.word(" close\r\n");

  /** For words that end with a CR and an LF. */
  private static final long CASE_BITS_OF_SIX = CASE_BITS >>> (2 * Byte.SIZE);

  // what was seen, in bits
  private static final int SEEN_HOST = 1;
  private static final int SEEN_CONNECTION = 2;
  private static final int SEEN_LENGTH = 4;
  private static final int SEEN_CHUNKED = 8;
  private static final int UNUSUAL = 16;

  // added to a byte below 0x80, these set its highest bit if it is in the range
  private static final long FROM_0 = Swar.repeat(0x80 - '0');
  private static final long BEYOND_9 = Swar.repeat(0x7F - '9');

  private static final int PORT_DIGITS_MAX = 5;
  private static final int LENGTH_DIGITS_MAX = 18;

  private UsualFraming() {}

  /**
   * False if a line is not as usual: then nothing is set that counts.
   *
   * @param hostLine the offset of the line from which Host was taken, or -1
   */
  static boolean read(
      MemorySegment bytes, long base, long segmentEnd, int hostLine, RequestHead head) {
    head.keepAlive = head.minorVersion > 0;
    head.contentLength = RequestHead.NONE;
    head.chunked = false;
    head.expectsContinue = false;
    head.upgrade = false;
    FieldBits bits = head.fields.bits();
    long[] blocks = bits.blocks();
    int end = bits.used();
    int seen = hostLine == RequestHead.NONE ? 0 : SEEN_HOST;
    for (int block = 0; block < end; block += FieldBits.BLOCK) {
      long left = blocks[block + FieldBits.CANDIDATES];
      for (; left != 0; left &= left - 1) {
        int line = (int) blocks[block] + Long.numberOfTrailingZeros(left) - 1;
        if (line == hostLine) {
          continue;
        }
        int kind = read(bytes, base, base + line, segmentEnd, head);
        if ((seen & kind) != 0) {
          return false;
        }
        seen |= kind;
      }
    }
    return (seen & (SEEN_HOST | UNUSUAL)) == SEEN_HOST
        && (seen & (SEEN_LENGTH | SEEN_CHUNKED)) != (SEEN_LENGTH | SEEN_CHUNKED);
  }

  private static int read(
      MemorySegment bytes, long base, long start, long segmentEnd, RequestHead head) {
    if (start + LOADED > segmentEnd) {
      return UNUSUAL;
    }
    long word = Memory.longAt(bytes, start) | CASE_BITS;
    if ((word & HOST_BYTES) == HOST) {
      return readHost(bytes, base, start + HOST_LENGTH, segmentEnd, head);
    }
    if (word == CONNECTION_START) {
      long end = Memory.longAt(bytes, start + CONNECTION_LENGTH - Long.BYTES) | CASE_BITS;
      return end == CONNECTION_END ? readConnection(bytes, start, head) : 0;
    }
    if (word == CONTENT_START) {
      long end = Memory.longAt(bytes, start + CONTENT_LENGTH_LENGTH - Long.BYTES) | CASE_BITS;
      return end == CONTENT_LENGTH_END ? readLength(bytes, start + CONTENT_LENGTH_LENGTH, head) : 0;
    }
    if (word == TRANSFER_START) {
      return readTransferEncoding(bytes, start, head);
    }
    boolean unusual = word == UPGRADE || (word & EXPECT_BYTES) == EXPECT;
    return unusual ? UNUSUAL : 0;
  }

  private static int readHost(
      MemorySegment bytes, long base, long colonEnd, long segmentEnd, RequestHead head) {
    long start = behindSpace(bytes, colonEnd);
    long at = start;
    long odd = 0;
    while (at + Long.BYTES <= segmentEnd) {
      odd = Authority.oddInHost(Memory.longAt(bytes, at));
      if (odd != 0) {
        break;
      }
      at += Long.BYTES;
    }
    if (odd == 0) {
      return UNUSUAL;
    }
    // a CR looks like a hyphen, but then there is an LF
    long end = at + (Long.numberOfTrailingZeros(odd) >>> 3);
    byte next = Memory.byteAt(bytes, end);
    if (next == Ascii.COLON && end > start && end + 1 + Long.BYTES <= segmentEnd) {
      end = portEnd(bytes, end + 1);
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

  /** Where the digits of a port below 60,000 that start here end; the start if they don't. */
  static long portEnd(MemorySegment bytes, long start) {
    long word = Memory.longAt(bytes, start);
    long low = word & ~Swar.HIGH_BITS;
    long odd = (~(low + FROM_0) | (low + BEYOND_9) | word) & Swar.HIGH_BITS;
    // not a division, which would be right for negative numbers too
    int digits = Long.numberOfTrailingZeros(odd) >>> 3;
    boolean few = digits < PORT_DIGITS_MAX;
    return few || (digits == PORT_DIGITS_MAX && (byte) word < '6') ? start + digits : start;
  }

  private static int readConnection(MemorySegment bytes, long start, RequestHead head) {
    long first = Memory.longAt(bytes, start + CONNECTION_LENGTH);
    long last = Memory.longAt(bytes, start + KEEP_ALIVE_END_AT);
    head.keepAlive =
        (first | CASE_BITS) == KEEP_ALIVE_START && (last | CASE_BITS_OF_SIX) == KEEP_ALIVE_END;
    boolean usual = head.keepAlive || (first | CASE_BITS_OF_SIX) == CLOSE;
    return usual ? SEEN_CONNECTION : UNUSUAL;
  }

  private static int readTransferEncoding(MemorySegment bytes, long start, RequestHead head) {
    long end = start + TRANSFER_ENCODING_LENGTH;
    if ((Memory.longAt(bytes, start + Long.BYTES) | CASE_BITS) != TRANSFER_MIDDLE
        || (Memory.longAt(bytes, end - Long.BYTES) | CASE_BITS) != TRANSFER_END) {
      return 0;
    }
    head.chunked =
        head.minorVersion > 0
            && (Memory.longAt(bytes, end) | CASE_BITS) == CHUNKED
            && Memory.shortAt(bytes, end + Long.BYTES) == Ascii.CRLF;
    return head.chunked ? SEEN_CHUNKED : UNUSUAL;
  }

  private static int readLength(MemorySegment bytes, long colonEnd, RequestHead head) {
    long start = behindSpace(bytes, colonEnd);
    long length = 0;
    long at = start;
    byte next = Memory.byteAt(bytes, at);
    while (Ascii.isDigit(next) && at < start + LENGTH_DIGITS_MAX) {
      length = 10 * length + (next - '0');
      next = Memory.byteAt(bytes, ++at);
    }
    head.contentLength = length;
    return next == Ascii.CR && at > start ? SEEN_LENGTH : UNUSUAL;
  }

  /** Behind the space that usually follows a colon. */
  private static long behindSpace(MemorySegment bytes, long at) {
    return Memory.byteAt(bytes, at) == Ascii.SP ? at + 1 : at;
  }
}
