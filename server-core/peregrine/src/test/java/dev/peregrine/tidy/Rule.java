package dev.peregrine.tidy;

import java.util.Locale;

/**
 * A house rule that a machine can check: a count for some subject, and the largest count that is
 * accepted.
 */
enum Rule {
  /**
   * Lines of a source file without its imports, so that a class that moves makes no other longer;
   * up to 490 if the baseline has the reason.
   */
  FILE_LINES(390, 100),

  /**
   * Lines of a class with its superclasses in the same package, and with the static classes there
   * whose methods take it first: a class that was only cut into pieces is as long as before.
   */
  CLASS_LINES(490, 100),

  /** Lines of a method or constructor, without its Javadoc. */
  METHOD_LINES(50),

  /** Parameters of a method or constructor; components of a record have names where it is built. */
  PARAMETERS(7),

  /** Top-level types of one simple name. */
  TYPES_OF_ONE_NAME(1),

  /** Booleans that are {@code ignored}, because a command answers a question as well. */
  IGNORED_RESULTS(0),

  /** Loggers that a type creates, other than {@link Sources#LOGGER_HOME}. */
  LOGGERS(0),

  /**
   * Doc comments of a type whose summary is a clause ("What is left") instead of a noun or verb.
   */
  CLAUSES_AS_SUMMARY(0);

  final int most;
  final int slack;

  Rule(int most) {
    this(most, 1);
  }

  /**
   * A rule.
   *
   * @param slack how much better than listed an offender must be for the baseline to follow
   */
  Rule(int most, int slack) {
    this.most = most;
    this.slack = slack;
  }

  /** Returns the rule as the baseline spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
