package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The users of a file with lines of {@code NAME:HASH}. Immutable. */
public final class PasswordFile {
  private final Map<String, PasswordHash> users;
  private final PasswordHash nobody; // compared with for a name that no user has
  private final int roundsMax;

  private PasswordFile(Map<String, PasswordHash> users, int roundsMax) {
    this.users = users;
    this.roundsMax = roundsMax;
    this.nobody = users.values().iterator().next();
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if it can't be read, or a line is wrong; the message names it
   */
  static PasswordFile read(OptionValue setting) {
    Path file = setting.file();
    Map<String, PasswordHash> users = new HashMap<>();
    int roundsMax = 0;
    int number = 0;
    for (String line : lines(setting, file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      PasswordHash hash = colon <= 0 ? null : PasswordHash.parse(line.substring(colon + 1).strip());
      String name = line.substring(0, Math.max(0, colon));
      if (hash == null || name.chars().anyMatch(Character::isISOControl)) {
        throw setting.wrong(
            ", whose line " + number + " is not NAME:HASH with a hash of peregrine hash-password");
      }
      if (users.put(name, hash) != null) {
        throw setting.wrong(", whose line " + number + " names a user a second time");
      }
      roundsMax = Math.max(roundsMax, hash.rounds());
    }
    if (users.isEmpty()) {
      throw setting.wrong(", which has no user");
    }
    return new PasswordFile(users, roundsMax);
  }

  private static List<String> lines(OptionValue setting, Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException failure) {
      throw setting.wrong(", which can't be read as UTF-8: " + failure.getMessage());
    }
  }

  /**
   * Returns the name if it is a user's and the password too; null otherwise. Takes the time of the
   * hash with the most rounds in any case. Uses a processor for about a fifth of a second.
   */
  public @Nullable String find(String name, String password) {
    PasswordHash known = users.get(name);
    boolean same = (known == null ? nobody : known).matches(password, roundsMax);
    return same && known != null ? name : null;
  }
}
