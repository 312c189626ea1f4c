package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;

/**
 * A rule as it was given: {@code PATTERN=VALUE}.
 *
 * @param source where it was set
 * @param pattern the paths that it is for
 * @param value what comes after the first equals sign, not empty
 */
record Rule(OptionValue source, PathPattern pattern, String value) {
  /**
   * Splits a rule.
   *
   * @param form the form of the value, for errors
   * @throws IllegalArgumentException if it has another form
   */
  static Rule of(OptionValue source, String form) {
    int equals = source.value().indexOf('=');
    String value = source.value().substring(equals + 1).strip();
    if (equals <= 0 || value.isEmpty()) {
      throw source.mustBe("PATTERN=" + form);
    }
    PathPattern pattern = PathPattern.of(source, source.value().substring(0, equals).strip());
    return new Rule(source, pattern, value);
  }
}
