package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import dev.peregrine.protocol.FieldSyntax;

/**
 * The Cache-Control of files.
 *
 * @param pattern the paths that it is for
 * @param value the value of the field
 */
public record CacheRule(PathPattern pattern, String value) {
  static CacheRule of(OptionValue source) {
    Rule rule = Rule.of(source, "VALUE");
    if (!FieldSyntax.isFieldValue(rule.value())) {
      throw source.wrong(", but a field value has no control characters");
    }
    return new CacheRule(rule.pattern(), rule.value());
  }
}
