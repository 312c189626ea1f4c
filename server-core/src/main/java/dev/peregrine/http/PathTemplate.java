package dev.peregrine.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What paths a route is for: segments with a slash before each, of which {@code {name}} stands for
 * any one that isn't empty, and {@code *} at the end for all that is left, be it empty. Other
 * segments stand for themselves and are written decoded: {@code /über uns}, not {@code
 * /%C3%BCber%20uns}. Immutable.
 */
public final class PathTemplate {
  /** The name of what {@code *} stands for. */
  public static final String TAIL = "*";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
  private static final Pattern NOT_IN_LITERALS = Pattern.compile("[{}*%?#\\p{Cc}\\p{Cs}]");
  private static final int NOT_THERE = -1;

  private final String text;
  private final List<String> segments;

  private PathTemplate(String text, List<String> segments) {
    this.text = text;
    this.segments = segments;
  }

  /**
   * A template.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static PathTemplate of(String text) {
    if (!text.startsWith("/")) {
      throw wrong(text, "it has to start with a slash");
    }
    List<String> segments = List.of(text.substring(1).split("/", -1));
    Set<String> names = new HashSet<>();
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean last = i == segments.size() - 1;
      if (segment.equals(TAIL) && !last) {
        throw wrong(text, "* can be the last segment only");
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
      throw wrong(text, "{" + name + "} is no name of letters, digits, _ and -");
    }
    if (!names.add(name)) {
      throw wrong(text, "{" + name + "} is there twice");
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

  /** Number of segments, that for the tail included. */
  public int length() {
    return segments.size();
  }

  /** Number of segments before the tail. */
  public int fixedLength() {
    return hasTail() ? segments.size() - 1 : segments.size();
  }

  /** Whether the last segment is {@code *}. */
  public boolean hasTail() {
    return segments.getLast().equals(TAIL);
  }

  /** Whether a segment is the last one and {@code *}. */
  public boolean isTail(int index) {
    return segments.get(index).equals(TAIL);
  }

  /** The bytes that a segment stands for; null if it stands for any. */
  public byte @Nullable [] literal(int index) {
    String segment = segments.get(index);
    return isParameter(segment) || isTail(index) ? null : segment.getBytes(StandardCharsets.UTF_8);
  }

  /** Which segment a parameter, or {@link #TAIL}, is; negative if none. */
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

  /** The names of the parameters, in their order. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (String segment : segments) {
      if (isParameter(segment)) {
        names.add(nameOf(segment));
      }
    }
    return List.copyOf(names);
  }

  /** The template as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
