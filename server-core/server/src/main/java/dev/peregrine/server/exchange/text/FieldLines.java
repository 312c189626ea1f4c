package dev.peregrine.server.exchange.text;

import dev.peregrine.base.FieldBytes;
import dev.peregrine.base.Latin1;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.KnownHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Field lines that a handler set, checked and kept as text: name, colon, space, value, CRLF. HTTP/1
 * sends them in this form. Reused.
 */
public final class FieldLines {
  private static final byte[] NO_BYTES = {}; // before the list that has them

  /** No lines; must not be changed. */
  public static final FieldLines NONE = new FieldLines();

  private static final int BYTES_INITIAL = 64; // enough for two short fields
  private static final int OVERHEAD_BYTES = 4; // ": " and CRLF

  // Factors of a hash that tells apart the names that responses usually have.
  private static final int OF_FIRST = 30;
  private static final int OF_LAST = 48;
  private static final int CASE_BIT = 0x20;

  private byte[] bytes;
  private int length;

  /** A bit for each name that was added, by a hash: if it is clear, no line has the name. */
  private long names;

  /** Creates an empty list of lines, without memory: many responses have no fields. */
  public FieldLines() {
    bytes = NO_BYTES;
  }

  private FieldLines(byte[] bytes, long names) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.names = names;
  }

  /** Returns an independent copy. */
  public FieldLines copy() {
    return new FieldLines(Arrays.copyOf(bytes, length), names);
  }

  /** Removes all lines. */
  public void reset() {
    length = 0;
    names = 0;
  }

  /** Returns the length of all lines with their CRLFs. */
  public int length() {
    return length;
  }

  /** Returns the array that begins with the lines; it may be longer. */
  public byte[] array() {
    return bytes;
  }

  public void set(String name, String value) {
    check(name, value);
    remove(name);
    append(name, value);
  }

  /** Adds a line. */
  public void add(String name, String value) {
    check(name, value);
    append(name, value);
  }

  /** Adds lines. */
  public void add(PreparedFields fields) {
    ensureRoom(FieldBytes.length(fields));
    FieldBytes.copy(fields, bytes, length);
    length += FieldBytes.length(fields);
    for (int i = 0; i < fields.count(); i++) {
      names |= bit(fields.name(i));
    }
  }

  /** Adds lines in place of those of the same names. */
  public void set(PreparedFields fields) {
    for (int i = 0; i < fields.count(); i++) {
      remove(fields.name(i));
    }
    add(fields);
  }

  /** Removes every line of that name. */
  public void remove(String name) {
    if (!mayHave(name)) {
      return;
    }
    int from = 0;
    while (from < length) {
      int end = lineEnd(from);
      if (isNamed(from, name)) {
        System.arraycopy(bytes, end, bytes, from, length - end);
        length -= end - from;
      } else {
        from = end;
      }
    }
  }

  /** Returns true if a line has this name. */
  public boolean has(String name) {
    if (!mayHave(name)) {
      return false;
    }
    for (int from = 0; from < length; from = lineEnd(from)) {
      if (isNamed(from, name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of the first line of that name; null if it is absent. */
  public @Nullable String value(String name) {
    if (!mayHave(name)) {
      return null;
    }
    for (int from = 0; from < length; from = lineEnd(from)) {
      if (isNamed(from, name)) {
        return valueAt(from, name);
      }
    }
    return null;
  }

  /** Returns the values of all lines of that name. */
  public List<String> values(String name) {
    if (!mayHave(name)) {
      return List.of();
    }
    List<String> values = new ArrayList<>();
    for (int from = 0; from < length; from = lineEnd(from)) {
      if (isNamed(from, name)) {
        values.add(valueAt(from, name));
      }
    }
    return values;
  }

  /** Returns false if no line has this name, which is the common case. */
  private boolean mayHave(String name) {
    return (names & bit(name)) != 0;
  }

  /** Returns the bit of a name, which is the same in any case. */
  private static long bit(String name) {
    int length = name.length();
    if (length == 0) {
      return 0;
    }
    int first = name.charAt(0) | CASE_BIT;
    int last = name.charAt(length - 1) | CASE_BIT;
    return 1L << (OF_FIRST * first + OF_LAST * last + length);
  }

  private String valueAt(int from, String name) {
    int start = from + name.length() + 2;
    int end = lineEnd(from) - 2;
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /**
   * Checks a field against the grammar.
   *
   * @throws IllegalArgumentException if the name or the value isn't valid in a field
   */
  public static void check(String name, String value) {
    if (!FieldSyntax.isToken(name)) {
      throw new IllegalArgumentException("not a field name: \"" + printable(name) + "\"");
    }
    if (!FieldSyntax.isFieldValue(value)) {
      throw new IllegalArgumentException(
          "not a field value: " + name + ": \"" + printable(value) + "\"");
    }
  }

  /** Like {@link #check}, for a trailer field. */
  public static void checkTrailer(String name, String value) {
    check(name, value);
    if (OfTrailers.FORBIDDEN.contains(KnownHeader.of(name))) {
      throw new IllegalArgumentException(name + " can't be a trailer field");
    }
  }

  private void append(String name, String value) {
    names |= bit(name);
    ensureRoom(name.length() + value.length() + OVERHEAD_BYTES);
    put(name);
    bytes[length++] = ':';
    bytes[length++] = ' ';
    put(value);
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  private void ensureRoom(int more) {
    if (more > bytes.length - length) {
      int doubled = Math.max(BYTES_INITIAL, 2 * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.max(doubled, length + more));
    }
  }

  private void put(String text) {
    for (int i = 0; i < text.length(); i++) {
      bytes[length++] = (byte) text.charAt(i);
    }
  }

  private int lineEnd(int from) {
    int i = from;
    while (bytes[i] != '\n') {
      i++;
    }
    return i + 1;
  }

  private boolean isNamed(int from, String name) {
    int colon = from + name.length();
    return colon < length
        && bytes[colon] == ':'
        && Latin1.equalsIgnoreCase(bytes, from, colon, name);
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return out.toString();
  }

  /** Apart, to start sooner: an EnumSet finds its constants by reflection. */
  private static final class OfTrailers {
    /** Fields that must not follow the content: framing, routing, control data (RFC 9110 6.5.1). */
    private static final Set<KnownHeader> FORBIDDEN =
        EnumSet.of(
            KnownHeader.AGE,
            KnownHeader.AUTHORIZATION,
            KnownHeader.CACHE_CONTROL,
            KnownHeader.CONNECTION,
            KnownHeader.CONTENT_ENCODING,
            KnownHeader.CONTENT_LENGTH,
            KnownHeader.CONTENT_RANGE,
            KnownHeader.CONTENT_TYPE,
            KnownHeader.DATE,
            KnownHeader.EXPIRES,
            KnownHeader.HOST,
            KnownHeader.KEEP_ALIVE,
            KnownHeader.LOCATION,
            KnownHeader.RETRY_AFTER,
            KnownHeader.SET_COOKIE,
            KnownHeader.TE,
            KnownHeader.TRAILER,
            KnownHeader.TRANSFER_ENCODING,
            KnownHeader.UPGRADE,
            KnownHeader.VARY);
  }
}
