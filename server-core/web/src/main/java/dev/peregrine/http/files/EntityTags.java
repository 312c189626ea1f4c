package dev.peregrine.http.files;

import java.util.List;

/** Lists of entity tags, as in If-Match and If-None-Match (RFC 9110 section 8.8.3). */
final class EntityTags {
  private EntityTags() {}

  /**
   * Returns true if one of the tags in the field's lines matches by strong comparison: equal and
   * neither weak. {@code *} matches any tag.
   */
  static boolean matchStrongly(List<String> lines, String tag) {
    return match(lines, tag, true);
  }

  /** Returns true if one of the tags matches by weak comparison, which ignores the {@code W/}. */
  static boolean matchWeakly(List<String> lines, String tag) {
    return match(lines, tag, false);
  }

  static boolean isWeak(String tag) {
    return tag.startsWith("W/");
  }

  private static boolean match(List<String> lines, String tag, boolean strongly) {
    String opaque = isWeak(tag) ? tag.substring(2) : tag;
    for (String line : lines) {
      if (line.equals("*") || (!(strongly && isWeak(tag)) && isIn(line, opaque, strongly))) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if a line has the tag; text after an invalid tag is ignored. */
  private static boolean isIn(String line, String opaque, boolean strongly) {
    int i = 0;
    while (i < line.length()) {
      char c = line.charAt(i);
      if (c == ' ' || c == '\t' || c == ',') {
        i++;
        continue;
      }
      boolean weak = line.startsWith("W/\"", i);
      int start = weak ? i + 2 : i;
      int end = line.charAt(start) == '"' ? line.indexOf('"', start + 1) + 1 : 0;
      if (end == 0) {
        return false;
      }
      boolean same = end - start == opaque.length() && line.startsWith(opaque, start);
      if (same && !(strongly && weak)) {
        return true;
      }
      i = end;
    }
    return false;
  }
}
