package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.grammar.Ascii;

/**
 * Joins the Cookie fields into which a client has split its cookies, because each part compresses
 * better alone (RFC 9113 section 8.2.3).
 */
final class CookieCrumbs {
  private static final int COOKIE = RequestNames.id(KnownHeader.COOKIE);
  private static final int SEPARATOR_LENGTH = "; ".length();

  private CookieCrumbs() {}

  /**
   * Replaces the lines by those of the fields from an index on, with one Cookie in the place of the
   * first. Its value is put after the text. Returns the end of the value.
   */
  static int join(DecodedSection fields, int from, FieldLines lines) {
    int start = fields.textLength();
    int count = fields.count();
    byte[] text = fields.textWithRoom(start + SEPARATOR_LENGTH * (count - from));
    int cookie = lines.firstLine(COOKIE);
    int end = start;
    lines.beginIndexed(count - from + 1); // and Host
    for (int i = from; i < count; i++) {
      int id = fields.nameId(i);
      int value = fields.valueStart(i);
      int valueEnd = fields.valueEnd(i);
      if (id != COOKIE || lines.count() == cookie) {
        lines.addIndexed(id, fields.nameStart(i), fields.nameEnd(i), value, valueEnd);
      }
      if (id == COOKIE) {
        end = append(text, value, valueEnd, start, end);
      }
    }
    lines.moveValue(cookie, start, end);
    return end;
  }

  /** Appends a crumb to the value from {@code start} to {@code end}. Returns its new end. */
  private static int append(byte[] text, int crumb, int crumbEnd, int start, int end) {
    int length = crumbEnd - crumb;
    if (length == 0) {
      return end;
    }
    int at = end;
    if (at > start) {
      text[at] = ';';
      text[at + 1] = Ascii.SP;
      at += SEPARATOR_LENGTH;
    }
    System.arraycopy(text, crumb, text, at, length);
    return at + length;
  }
}
