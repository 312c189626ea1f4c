package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import dev.peregrine.protocol.FieldSyntax;
import java.util.Locale;
import java.util.Set;

/**
 * A change of a response's header fields.
 *
 * @param pattern the paths that it is for
 * @param change what is done with the field
 * @param name the name of the field
 * @param value the value of the field; empty if it is removed
 */
public record HeaderRule(PathPattern pattern, Change change, String name, String value) {
  private static final char LAST_ASCII = '~';

  /** Fields that frame the content, or that only the server knows the value of. */
  private static final Set<String> SERVERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-range",
          "content-type",
          "date",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** Fields of which only the files know a right value; they may be left out. */
  private static final Set<String> OF_FILES = Set.of("accept-ranges", "etag", "last-modified");

  /** A way to change a field. */
  public enum Change {
    /** It takes the place of fields of that name. */
    SET,
    /** It is added beside them. */
    ADD,
    /** Fields of that name are left out. */
    REMOVE
  }

  /** Returns true for a field that must not be sent without TLS (RFC 6797 section 7.2). */
  public boolean isForTlsOnly() {
    return name.equalsIgnoreCase("Strict-Transport-Security");
  }

  static HeaderRule of(OptionValue source) {
    Rule rule = Rule.of(source, "NAME: VALUE, PATTERN=+NAME: VALUE or PATTERN=-NAME");
    String text = rule.value();
    Change change =
        switch (text.charAt(0)) {
          case '+' -> Change.ADD;
          case '-' -> Change.REMOVE;
          default -> Change.SET;
        };
    String field = change == Change.SET ? text : text.substring(1);
    int colon = field.indexOf(':');
    if (change == Change.REMOVE ? colon >= 0 : colon < 0) {
      throw source.mustBe("PATTERN=NAME: VALUE, PATTERN=+NAME: VALUE or PATTERN=-NAME");
    }
    String name = colon < 0 ? field : field.substring(0, colon);
    String value = colon < 0 ? "" : field.substring(colon + 1).strip();
    if (!FieldSyntax.isToken(name)) {
      throw source.wrong(", but the name of a field is letters, digits and hyphens");
    }
    if (!FieldSyntax.isFieldValue(value) || value.chars().anyMatch(c -> c > LAST_ASCII)) {
      throw source.wrong(", but a field value is ASCII, without control characters");
    }
    checkName(source, name.toLowerCase(Locale.ROOT), change);
    return new HeaderRule(rule.pattern(), change, name, value);
  }

  private static void checkName(OptionValue source, String name, Change change) {
    if (SERVERS.contains(name)) {
      throw source.wrong(", but " + name + " is set by the server");
    }
    if (OF_FILES.contains(name) && change != Change.REMOVE) {
      throw source.wrong(", but " + name + " follows the file; it can only be removed");
    }
    if (name.equals("vary") && change != Change.ADD) {
      throw source.wrong(", but vary can only be added to, or caches would mix responses up");
    }
    if (name.equals("cache-control")) {
      throw source.wrong(", but cache-control is set by --cache");
    }
    if (name.equals("server")) {
      throw source.wrong(", but server is left out by --no-server-header");
    }
  }
}
