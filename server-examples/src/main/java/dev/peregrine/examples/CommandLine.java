package dev.peregrine.examples;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of a command line: {@code --name value} or {@code --name=value}. */
final class CommandLine {
  private final Iterator<String> words;
  private String option = "";
  private @Nullable String attached; // the value after "="

  CommandLine(String... args) {
    words = List.of(args).iterator();
  }

  boolean hasNext() {
    return words.hasNext();
  }

  /** Returns the name of the next option. */
  String next() {
    String word = words.next();
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    option = equals < 0 ? word : word.substring(0, equals);
    attached = equals < 0 ? null : word.substring(equals + 1);
    return option;
  }

  /**
   * Returns the value of the option that {@link #next} returned.
   *
   * @throws IllegalArgumentException if it has none
   */
  String value() {
    String value = attached;
    if (value == null && words.hasNext()) {
      value = words.next();
    }
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return value;
  }

  /**
   * Returns the value of the option that {@link #next} returned.
   *
   * @throws IllegalArgumentException if it is not a number in that range
   */
  int number(int least, int most) {
    String text = value();
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // reported below
    }
    throw new IllegalArgumentException(
        option + " is " + text + ", but must be a number from " + least + " to " + most);
  }

  /**
   * Returns true for the option that {@link #next} returned.
   *
   * @throws IllegalArgumentException if a value is attached to it
   */
  boolean flag() {
    if (attached != null) {
      throw new IllegalArgumentException(option + "=" + attached + ": " + option + " has no value");
    }
    return true;
  }
}
