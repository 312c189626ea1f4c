package dev.peregrine.tidy;

import java.util.Locale;

/**
 * A house rule that a machine can check: a count for some subject, and the largest count that is
 * accepted.
 */
enum Rule {
  /** Lines of a source file. */
  FILE_LINES(500),

  /** Lines of a method or constructor, without its Javadoc. */
  METHOD_LINES(50),

  /** Parameters of a method or constructor; components of a record have names where it is built. */
  PARAMETERS(7),

  /** Top-level types of one simple name. */
  TYPES_OF_ONE_NAME(1),

  /** Loggers that a type creates, other than {@link Sources#LOGGER_HOME}. */
  LOGGERS(0),

  /**
   * Doc comments of a type whose summary is a clause ("What is left") instead of a noun or verb.
   */
  CLAUSES_AS_SUMMARY(0);

  final int most;

  Rule(int most) {
    this.most = most;
  }

  /** Returns the rule as the baseline spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
