package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The field names that are recognised in requests, and their ids: the ordinal of a known header,
 * {@link #UNKNOWN}, or one of the constants for pseudo-header fields (RFC 9113 section 8.3.1, RFC
 * 8441 section 4).
 */
public final class RequestNames {
  /** The id of a name that is neither known nor that of a pseudo-header field. */
  public static final int UNKNOWN = NameTable.UNKNOWN;

  /** The lowest id of a pseudo-header field. */
  public static final int PSEUDO = NameTable.IDS;

  public static final int AUTHORITY = PSEUDO;
  public static final int METHOD = PSEUDO + 1;
  public static final int SCHEME = PSEUDO + 2;
  public static final int PATH = PSEUDO + 3;
  public static final int PROTOCOL = PSEUDO + 4;

  /** The id of every other name that starts with a colon. */
  public static final int OTHER_PSEUDO = PSEUDO + UNKNOWN;

  /** The known headers. */
  public static final NameTable TABLE = new NameTable(KnownHeader.namesRecognisedInRequests());

  /** The pseudo-header fields without their colon, in the order of the constants. */
  private static final NameTable PSEUDO_TABLE =
      new NameTable(List.of("authority", "method", "scheme", "path", "protocol"));

  private static final KnownHeader[] KNOWN_HEADERS = KnownHeader.values();

  private RequestNames() {}

  /** Returns the id of a name that requests can have. */
  @SuppressWarnings("EnumOrdinal") // the table is in the order of the constants
  public static int id(KnownHeader name) {
    return name.ordinal();
  }

  /** Returns the bit of a name in the set of names present; 0 if requests don't have it. */
  public static long bit(KnownHeader name) {
    return name.isRecognisedInRequests() ? 1L << id(name) : 0;
  }

  /** Returns the bits of several names in the set of names present. */
  public static long bits(KnownHeader... names) {
    long bits = 0;
    for (KnownHeader name : names) {
      bits |= bit(name);
    }
    return bits;
  }

  /** Returns the known header of an id that is below {@link #PSEUDO}, or null. */
  public static @Nullable KnownHeader header(int id) {
    return id == UNKNOWN ? null : KNOWN_HEADERS[id];
  }

  /**
   * Returns the id of a name of {@code length} bytes: a token, or a token after a colon. Eight
   * bytes must be readable at the name's start.
   */
  public static int find(MemorySegment bytes, long start, int length) {
    if (length == 0) {
      return UNKNOWN;
    }
    if (Memory.byteAt(bytes, start) != Ascii.COLON) {
      return TABLE.find(bytes, start, length);
    }
    return length == 1 ? OTHER_PSEUDO : PSEUDO + PSEUDO_TABLE.find(bytes, start + 1, length - 1);
  }
}
