package dev.peregrine.parser.hpack;

import dev.peregrine.parser.field.RequestNames;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The static table, RFC 7541 appendix A. Immutable. */
public final class StaticTable {
  /** The number of entries; the first has the index 1. */
  public static final int COUNT = 61;

  private static final String NAMES_AND_VALUES =
      """
      :authority
      :method=GET
      :method=POST
      :path=/
      :path=/index.html
      :scheme=http
      :scheme=https
      :status=200
      :status=204
      :status=206
      :status=304
      :status=400
      :status=404
      :status=500
      accept-charset
      accept-encoding=gzip, deflate
      accept-language
      accept-ranges
      accept
      access-control-allow-origin
      age
      allow
      authorization
      cache-control
      content-disposition
      content-encoding
      content-language
      content-length
      content-location
      content-range
      content-type
      cookie
      date
      etag
      expect
      expires
      from
      host
      if-match
      if-modified-since
      if-none-match
      if-range
      if-unmodified-since
      last-modified
      link
      location
      max-forwards
      proxy-authenticate
      proxy-authorization
      range
      referer
      refresh
      retry-after
      server
      set-cookie
      strict-transport-security
      transfer-encoding
      user-agent
      vary
      via
      www-authenticate
      """;

  // Plain loops, here and below: a first client doesn't wait until lambdas and streams are loaded.
  private static final String[] LINES = NAMES_AND_VALUES.split("\n");

  private static final int SLOT_BITS = 8;
  private static final int FIRST_MULTIPLIER = 0x9E3779B1;

  private static final byte[][] NAMES = names();
  private static final byte[][] VALUES = values();

  /** The text of all entries. */
  static final byte[] TEXT = text();

  private static final long[] ENTRIES = entries();
  private static final int MULTIPLIER = multiplier();
  private static final byte[] SLOTS = slots();

  private StaticTable() {}

  /**
   * Returns the name of an entry; the array must not be changed.
   *
   * @param index 1 to {@link #COUNT}
   */
  public static byte[] name(int index) {
    return NAMES[index];
  }

  /**
   * Returns the value of an entry, which may be empty; the array must not be changed.
   *
   * @param index 1 to {@link #COUNT}
   */
  public static byte[] value(int index) {
    return VALUES[index];
  }

  /** Returns the lowest index with a lower-case name, or 0. */
  public static int indexOf(byte[] name) {
    return indexOf(name, 0, name.length);
  }

  /** Returns the lowest index with the lower-case name in {@code [from, to)}; 0 if none has it. */
  public static int indexOf(byte[] name, int from, int to) {
    if (from == to) {
      return 0;
    }
    int index = SLOTS[slot(name, from, to, MULTIPLIER)];
    byte[] found = NAMES[index];
    return Arrays.equals(found, 0, found.length, name, from, to) ? index : 0;
  }

  /**
   * Returns the lowest index of a name with a value; 0 if no entry has both.
   *
   * @param nameIndex what {@link #indexOf} returned for the name
   */
  public static int indexOf(int nameIndex, byte[] value, int from, int to) {
    if (nameIndex == 0) {
      return 0;
    }
    byte[] name = NAMES[nameIndex];
    for (int i = nameIndex; i <= COUNT && Arrays.equals(name, NAMES[i]); i++) {
      if (Arrays.equals(VALUES[i], 0, VALUES[i].length, value, from, to)) {
        return i;
      }
    }
    return 0;
  }

  /** Returns the entry, whose text is in {@link #TEXT}. */
  static long entry(int index) {
    return ENTRIES[index];
  }

  /** Returns the names; that of index 0 is empty. */
  private static byte[][] names() {
    var names = new byte[COUNT + 1][];
    names[0] = new byte[0];
    for (int i = 1; i <= COUNT; i++) {
      names[i] = ascii(LINES[i - 1].substring(0, nameEnd(LINES[i - 1])));
    }
    return names;
  }

  /** Returns the values; that of index 0 is empty. */
  private static byte[][] values() {
    var values = new byte[COUNT + 1][];
    values[0] = new byte[0];
    for (int i = 1; i <= COUNT; i++) {
      String line = LINES[i - 1];
      values[i] = ascii(line.substring(Math.min(nameEnd(line) + 1, line.length())));
    }
    return values;
  }

  private static int nameEnd(String line) {
    int end = line.indexOf('=');
    return end < 0 ? line.length() : end;
  }

  private static byte[] text() {
    int length = 0;
    for (int i = 1; i <= COUNT; i++) {
      length += NAMES[i].length + VALUES[i].length;
    }
    ByteBuffer text = ByteBuffer.allocate(length + Words.SLACK);
    for (int i = 1; i <= COUNT; i++) {
      text.put(NAMES[i]).put(VALUES[i]);
    }
    return text.array();
  }

  private static long[] entries() {
    MemorySegment text = MemorySegment.ofArray(TEXT);
    var entries = new long[COUNT + 1];
    int start = 0;
    for (int i = 1; i <= COUNT; i++) {
      int nameId = RequestNames.find(text, start, NAMES[i].length);
      entries[i] = TableEntry.of(start, NAMES[i].length, VALUES[i].length, nameId, 0);
      start += NAMES[i].length + VALUES[i].length;
    }
    return entries;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the slot of a name, by its first and last letter and its length. */
  private static int slot(byte[] name, int from, int to, int multiplier) {
    int key = (name[from] & 0xFF) | (name[to - 1] & 0xFF) << 8 | (to - from) << 16;
    return (key * multiplier) >>> (Integer.SIZE - SLOT_BITS);
  }

  private static byte[] slots() {
    var slots = new byte[1 << SLOT_BITS];
    for (int i = COUNT; i > 0; i--) {
      slots[slot(NAMES[i], 0, NAMES[i].length, MULTIPLIER)] = (byte) i;
    }
    return slots;
  }

  private static int multiplier() {
    int multiplier = FIRST_MULTIPLIER;
    while (!isPerfect(multiplier)) {
      multiplier *= FIRST_MULTIPLIER;
    }
    return multiplier;
  }

  private static boolean isPerfect(int multiplier) {
    var taken = new byte[1 << SLOT_BITS][];
    for (int i = 1; i <= COUNT; i++) {
      int slot = slot(NAMES[i], 0, NAMES[i].length, multiplier);
      if (taken[slot] != null && !Arrays.equals(taken[slot], NAMES[i])) {
        return false;
      }
      taken[slot] = NAMES[i];
    }
    return true;
  }
}
