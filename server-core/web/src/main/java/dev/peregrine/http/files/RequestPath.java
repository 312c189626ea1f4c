package dev.peregrine.http.files;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.base.Utf8;
import dev.peregrine.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names in a request's path, each decoded once, after the path was split.
 *
 * @param names of directories; the last one may be a file's unless the path ends with a slash
 * @param endsWithSlash whether the path can only be a directory's
 */
record RequestPath(List<String> names, boolean endsWithSlash) {
  private static final int DEL = 0x7F;
  private static final String WELL_KNOWN = ".well-known";
  private static final Set<String> WINDOWS_DEVICES =
      Set.of("con", "prn", "aux", "nul", "conin$", "conout$");

  /**
   * Splits a path after its first slash.
   *
   * @param raw the path as sent, a character for each byte
   * @return null if no file can have that path: a name is empty, dots, or {@link #isName not a
   *     name}
   * @throws HttpException with 400 if the encoding is broken, or a character is a control character
   */
  static @Nullable RequestPath parse(String raw) {
    List<String> names = new ArrayList<>();
    int from = 0;
    boolean namesAll = true;
    while (from < raw.length()) {
      int slash = raw.indexOf('/', from);
      int to = slash < 0 ? raw.length() : slash;
      String name = decode(raw, from, to);
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        throw new HttpException(400, "the path has an empty segment, or one of dots");
      }
      namesAll &= isName(name);
      names.add(name);
      from = to + 1;
    }
    return namesAll ? new RequestPath(names, raw.isEmpty() || raw.endsWith("/")) : null;
  }

  /** Returns true if a path can have the name of a file: it is what {@link #parse} returns. */
  static boolean canName(String name) {
    return isName(name) && name.chars().noneMatch(c -> c < ' ' || c == DEL);
  }

  /** Returns true if a name begins with a dot, except for a first one of RFC 8615. */
  boolean isHidden() {
    int from = !names.isEmpty() && names.getFirst().equals(WELL_KNOWN) ? 1 : 0;
    return names.subList(from, names.size()).stream().anyMatch(name -> name.startsWith("."));
  }

  /** Returns the canonical spelling of the path, without its first slash. */
  String canonical() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      PercentCoding.encodeSegment(names.get(i), text);
      if (i < names.size() - 1 || endsWithSlash) {
        text.append('/');
      }
    }
    return text.toString();
  }

  /** Returns the names with slashes between them, followed by an ending. */
  String joined(String end) {
    return String.join("/", names) + end;
  }

  private static String decode(String raw, int from, int to) {
    byte[] bytes = raw.substring(from, to).getBytes(StandardCharsets.ISO_8859_1);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int octet = bytes[i] & 0xFF;
      if (octet == '%') {
        octet = PercentCoding.decodeAt(bytes, i, bytes.length);
        i += 2;
      }
      if (octet == PercentCoding.MALFORMED) {
        throw new HttpException(400, "the path has a % that is not followed by two digits");
      }
      if (octet < ' ' || octet == DEL) {
        throw new HttpException(400, "the path has a control character");
      }
      bytes[length++] = (byte) octet;
    }
    if (!Utf8.isText(bytes, 0, length)) {
      throw new HttpException(400, "the path is not UTF-8");
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /**
   * Returns true if a name is valid on every system: it has no separator of any system, and Windows
   * doesn't take it for a device, a stream, or another name.
   */
  private static boolean isName(String name) {
    return name.indexOf('/') < 0
        && name.indexOf('\\') < 0
        && name.indexOf(':') < 0
        && !name.endsWith(".")
        && !name.endsWith(" ")
        && !isDevice(name);
  }

  private static boolean isDevice(String name) {
    int dot = name.indexOf('.');
    String stem = (dot < 0 ? name : name.substring(0, dot)).strip().toLowerCase(Locale.ROOT);
    boolean numbered =
        stem.length() == 4
            && (stem.startsWith("com") || stem.startsWith("lpt"))
            && "0123456789¹²³".indexOf(stem.charAt(3)) >= 0;
    return numbered || WINDOWS_DEVICES.contains(stem);
  }
}
