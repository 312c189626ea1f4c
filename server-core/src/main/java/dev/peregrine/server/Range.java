package dev.peregrine.server;

/** Checks of numbers that set a server up. */
final class Range {
  private Range() {}

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException naming the option, if the value is out of its range
   */
  static int check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + ", but must be " + least + " to " + most);
    }
    return value;
  }
}
