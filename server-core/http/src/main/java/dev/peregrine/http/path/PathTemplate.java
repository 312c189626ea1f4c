package dev.peregrine.http.path;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A template of paths, with the syntax that {@code Routes} documents. Immutable. */
public final class PathTemplate {
  /** The name of the parameter for the rest of a path. */
  public static final String TAIL = "*";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
  private static final Pattern NOT_IN_LITERALS = Pattern.compile("[{}*%?#\\p{Cc}\\p{Cs}]");
  private static final int NOT_THERE = -1;

  private final String text;
  private final List<String> segments;

  private @Nullable Mounted mounted; // any loop may store it: all store equal values

  /** The text of this template after a mount. */
  private record Mounted(String mount, String text) {}

  private PathTemplate(String text, List<String> segments) {
    this.text = text;
    this.segments = segments;
  }

  /**
   * Parses a template.
   *
   * @throws IllegalArgumentException if the text isn't a template
   */
  public static PathTemplate of(String text) {
    if (!text.startsWith("/")) {
      throw wrong(text, "it must start with a slash");
    }
    List<String> segments = List.of(text.substring(1).split("/", -1));
    Set<String> names = new HashSet<>();
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean last = i == segments.size() - 1;
      if (segment.equals(TAIL) && !last) {
        throw wrong(text, "* must be the last segment");
      } else if (isParameter(segment)) {
        checkName(text, nameOf(segment), names);
      } else if (!segment.equals(TAIL)) {
        checkLiteral(text, segment, last);
      }
    }
    return new PathTemplate(text, segments);
  }

  private static void checkName(String text, String name, Set<String> names) {
    if (!NAME.matcher(name).matches()) {
      throw wrong(text, "{" + name + "} is not a name of letters, digits, _ and -");
    }
    if (!names.add(name)) {
      throw wrong(text, "{" + name + "} occurs twice");
    }
  }

  private static void checkLiteral(String text, String segment, boolean last) {
    if (segment.isEmpty() && !last) {
      throw wrong(text, "an empty segment is never matched");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw wrong(text, "a dot segment is never matched");
    }
    if (NOT_IN_LITERALS.matcher(segment).find()) {
      throw wrong(
          text,
          "\"" + segment + "\" is neither a parameter nor text without {, }, *, %, ?, # (decoded)");
    }
  }

  private static IllegalArgumentException wrong(String text, String what) {
    return new IllegalArgumentException("not a path template: \"" + text + "\": " + what);
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  private static String nameOf(String segment) {
    return segment.substring(1, segment.length() - 1);
  }

  /** Returns the number of segments, including the tail. */
  public int length() {
    return segments.size();
  }

  /** Returns the number of segments before the tail. */
  public int fixedLength() {
    return hasTail() ? segments.size() - 1 : segments.size();
  }

  /** Returns true if the last segment is {@code *}. */
  public boolean hasTail() {
    return segments.getLast().equals(TAIL);
  }

  /** Returns true if a segment is the last one and {@code *}. */
  public boolean isTail(int index) {
    return segments.get(index).equals(TAIL);
  }

  /** Returns the bytes that a segment matches; null if it matches any. */
  public byte @Nullable [] literal(int index) {
    String segment = segments.get(index);
    return isParameter(segment) || isTail(index) ? null : segment.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the index of a parameter, or of {@link #TAIL}; negative if it is absent. */
  public int indexOf(String name) {
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (name.equals(TAIL)
          ? segment.equals(TAIL)
          : isParameter(segment) && isNamed(segment, name)) {
        return i;
      }
    }
    return NOT_THERE;
  }

  private static boolean isNamed(String segment, String name) {
    return segment.length() == name.length() + 2 && segment.startsWith(name, 1);
  }

  /** Returns the names of the parameters, in their order. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (String segment : segments) {
      if (isParameter(segment)) {
        names.add(nameOf(segment));
      }
    }
    return List.copyOf(names);
  }

  /**
   * Returns this template as text, after that of the mount whose routes it belongs to. A template
   * has one mount in nearly all programs, so the text is kept for it.
   */
  public String within(String mount) {
    Mounted known = mounted;
    if (known == null || !known.mount.equals(mount)) {
      String prefix = mount.endsWith("/*") ? mount.substring(0, mount.length() - 2) : mount;
      known = new Mounted(mount, prefix + text);
      mounted = known;
    }
    return known.text;
  }

  /** Returns the template as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
