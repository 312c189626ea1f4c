package dev.peregrine.cli.options;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of the fat jar. */
public enum Command {
  /** Serves a few routes to try; also runs without the name of a command. */
  HELLO("Serves a few routes to try the server with. The command that runs if none is named."),
  /** Serves the files of a directory. */
  SERVE("Serves the files of a directory, with ranges and compression."),
  /** Prints the names and defaults of all limits. */
  LIMITS("Prints the limits that --limit can set, with their defaults."),
  /** Prints a completion script. */
  COMPLETION("Prints a script that completes commands and options in bash and zsh."),
  /** Prints the hash of a password. */
  HASH_PASSWORD(
      "Reads a password, from the terminal or the first line of standard input, and prints its hash"
          + " for a file of --auth."),
  /** Prints how to use a command. */
  HELP(null),
  /** Prints the version. */
  VERSION(null);

  /** The sentence for the help; null for what is an option and not a word. */
  final @Nullable String summary;

  Command(@Nullable String summary) {
    this.summary = summary;
  }

  /** Returns the word that names the command. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns true if the command starts a server, and so takes options. */
  public boolean isServer() {
    return this == HELLO || this == SERVE;
  }

  /** Returns the command that a word names, or null. */
  static @Nullable Command named(String word) {
    for (Command command : values()) {
      if (command.summary != null && command.word().equals(word)) {
        return command;
      }
    }
    return null;
  }
}
