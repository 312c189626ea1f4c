package dev.peregrine.cli.options;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A value as text, and where it was set. The exceptions of its methods name that place.
 *
 * @param value the value, not empty
 * @param origin the place, as the subject of a sentence: {@code --port}, {@code PEREGRINE_PORT} or
 *     {@code peregrine.properties, line 3: port}
 */
public record OptionValue(String value, String origin) {
  /** The separator of file and line in an origin. */
  static final String LINE = ", line ";

  /** Returns an exception that says what the value must be. */
  public IllegalArgumentException mustBe(String expected) {
    return wrong(", but must be " + expected);
  }

  /** Returns an exception that says how the value must begin. */
  public IllegalArgumentException mustBegin(String expected) {
    return wrong(", but must begin with " + expected);
  }

  /** Returns an exception that continues "ORIGIN is VALUE". */
  public IllegalArgumentException wrong(String end) {
    return new IllegalArgumentException(origin + " is " + visible() + end);
  }

  /** Returns the value without characters that a terminal would take for commands. */
  private String visible() {
    return value.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Returns the value as a number.
   *
   * @throws IllegalArgumentException if it is not a number in that range
   */
  int number(int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // reported below
    }
    throw mustBe("a number from " + least + " to " + most);
  }

  /**
   * Returns the value of an option that is on or off.
   *
   * @throws IllegalArgumentException if it is neither
   */
  boolean flag() {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw mustBe("true or false");
    };
  }

  /**
   * Returns the constant that the value names in lower case.
   *
   * @throws IllegalArgumentException if there is none
   */
  <E extends Enum<E>> E choice(Class<E> type) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(value)) {
        return constant;
      }
    }
    throw mustBe(
        "one of "
            + Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
  }

  /**
   * Returns the value as a path.
   *
   * @throws IllegalArgumentException if it can't be one
   */
  Path path() {
    try {
      return Path.of(value);
    } catch (InvalidPathException invalid) {
      throw mustBe("a path: " + invalid.getReason());
    }
  }

  /**
   * Returns the value as the path of a file.
   *
   * @throws IllegalArgumentException if there is no such file, or this user may not read it
   */
  public Path file() {
    Path file = path();
    if (!Files.exists(file)) {
      throw wrong(", which doesn't exist");
    }
    if (Files.isDirectory(file)) {
      throw wrong(", which is not a file");
    }
    if (!Files.isReadable(file)) {
      throw wrong(", which this user may not read");
    }
    return file;
  }

  /** Returns the origin, for a sentence that begins with another one: without the file of both. */
  String place(OptionValue subject) {
    int line = origin.indexOf(LINE);
    boolean isSameFile = line >= 0 && subject.origin.startsWith(origin.substring(0, line + 2));
    return isSameFile ? origin.substring(line + 2) : origin;
  }

  /**
   * Returns the value as a time.
   *
   * @throws IllegalArgumentException if it is not a number with a unit
   */
  Duration time() {
    return Quantity.time(this);
  }
}
