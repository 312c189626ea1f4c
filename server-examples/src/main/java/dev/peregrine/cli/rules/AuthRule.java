package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import java.nio.file.Path;

/** Paths that only some users may see. Immutable. */
public final class AuthRule {
  private static final String INDEX = "index.html";
  private static final String[] CODINGS = {".gz", ".br", ".zst"};

  private final PathPattern pattern; // folded
  private final Path file;
  private final PasswordFile users;

  private AuthRule(PathPattern pattern, Path file, PasswordFile users) {
    this.pattern = pattern;
    this.file = file;
    this.users = users;
  }

  static AuthRule of(OptionValue source) {
    Rule rule = Rule.of(source, "FILE");
    OptionValue file = new OptionValue(rule.value(), source.origin() + " " + rule.pattern().text());
    return new AuthRule(rule.pattern().folded(), file.file(), PasswordFile.read(file));
  }

  PathPattern pattern() {
    return pattern;
  }

  /** Returns the file that the users are from. */
  public Path file() {
    return file;
  }

  /** Returns the users. */
  public PasswordFile users() {
    return users;
  }

  /**
   * Returns true if a path needs a user. That is the path itself, in any spelling that some file
   * system takes for the same; what lies below it if the pattern has no star; a directory by its
   * index, or without its slash; and a file by its form in a content coding.
   *
   * @param plain the path, decoded
   */
  public boolean isFor(String plain) {
    String path = PathPattern.fold(plain);
    for (String ending : CODINGS) {
      if (path.endsWith(ending) && covers(path.substring(0, path.length() - ending.length()))) {
        return true;
      }
    }
    return covers(path);
  }

  private boolean covers(String path) {
    return pattern.covers(path) || pattern.covers(path + (path.endsWith("/") ? INDEX : "/"));
  }
}
