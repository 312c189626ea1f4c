package dev.peregrine.parser.value;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;

/** The connection options that a server interprets (RFC 9110 section 7.6.1); others are ignored. */
public final class ConnectionOptions {
  public static final int CLOSE = 1;
  public static final int KEEP_ALIVE = 2;
  public static final int UPGRADE = 4;

  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

  /** From the colon on, with the space that usually follows. */
  private static final int PLAIN_LENGTH = ": keep-alive".length();

  private static final long PLAIN_START = Memory.word(" keep-al");
  private static final long PLAIN_END = Memory.word("ep-alive");

  private static final int KEEP_ALIVE_LENGTH = "keep-alive".length();
  private static final long KEEP_ALIVE_START = Memory.word("keep-ali");
  private static final long KEEP_ALIVE_END = Memory.word("ve");

  private ConnectionOptions() {}

  /**
   * Returns true if the head has one Connection field, with the value that most clients send. Takes
   * two loads.
   */
  public static boolean isKeepAliveAlone(
      MemorySegment bytes, long base, FieldLines lines, FramingFields framing) {
    int line = framing.first(FramingFields.CONNECTION);
    int colon = lines.nameEnd(line);
    return lines.carriageReturnBefore(line + 1) - colon == PLAIN_LENGTH
        && !framing.isRepeated(FramingFields.CONNECTION)
        && (Memory.longAt(bytes, base + colon + 1) | CASE_BITS) == PLAIN_START
        && (Memory.longAt(bytes, base + colon + PLAIN_LENGTH - Long.BYTES) | CASE_BITS)
            == PLAIN_END;
  }

  /** Returns the options of all Connection fields together, as bits. */
  public static int read(MemorySegment bytes, long base, FieldLines lines, FramingFields framing) {
    int options = 0;
    int line = framing.first(FramingFields.CONNECTION);
    while (line < lines.count()) {
      int start = lines.valueStart(bytes, base, line);
      options |= ofValue(bytes, base + start, base + lines.valueEnd(bytes, base, line, start));
      line = framing.next(FramingFields.CONNECTION, bytes, base, lines, line);
    }
    return options;
  }

  private static int ofValue(MemorySegment bytes, long start, long end) {
    if (isKeepAlive(bytes, start, end)) {
      return KEEP_ALIVE;
    }
    int options = 0;
    long at = ListElements.next(bytes, start, end);
    while (at < end) {
      long elementEnd = ListElements.end(bytes, at, end);
      options |= option(bytes, at, elementEnd);
      at = ListElements.next(bytes, elementEnd, end);
    }
    return options;
  }

  /**
   * Returns true if the value is {@code keep-alive} alone, which most clients send. Takes two
   * loads.
   */
  private static boolean isKeepAlive(MemorySegment bytes, long start, long end) {
    return end - start == KEEP_ALIVE_LENGTH
        && (Memory.longAt(bytes, start) | CASE_BITS) == KEEP_ALIVE_START
        && (Memory.shortAt(bytes, end - 2) | (CASE_BITS & 0xFFFF)) == KEEP_ALIVE_END;
  }

  private static int option(MemorySegment bytes, long start, long end) {
    if (ListElements.equal(bytes, start, end, "close")) {
      return CLOSE;
    }
    if (ListElements.equal(bytes, start, end, "keep-alive")) {
      return KEEP_ALIVE;
    }
    return ListElements.equal(bytes, start, end, "upgrade") ? UPGRADE : 0;
  }
}
