package dev.peregrine.cli.options;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command with its options from all places: the command line wins over the environment, which
 * wins over the configuration file.
 *
 * @param command the command
 * @param operand the word after the command that is not an option: the directory of {@code serve},
 *     the command that help is wanted for; null if there is none
 * @param settings the options
 */
public record Invocation(Command command, @Nullable String operand, Settings settings) {
  /**
   * Reads a command line, and what it refers to.
   *
   * @throws IllegalArgumentException if an option is unknown or the configuration can't be read;
   *     the message is one sentence and names the place
   */
  public static Invocation of(Map<String, String> environment, String... args) {
    Invocation typed = QuickLine.parse(args);
    if (typed == null) {
      typed = PicocliLine.parse(args);
    }
    return typed.command.isServer() ? typed.completedBy(environment) : typed;
  }

  private Invocation completedBy(Map<String, String> environment) {
    settings.checkForm();
    settings.addWeaker(Variables.read(environment));
    OptionValue config = settings.get(Option.CONFIG);
    if (config != null) {
      settings.addWeaker(ConfigFile.read(config));
    }
    settings.checkFor(command);
    if (!settings.namesAddress()) {
      Variables.addSockets(environment, settings);
    }
    return this;
  }

  /**
   * Returns the directory that the command {@code serve} serves to all hosts that have no other.
   *
   * @return null if there are only directories by host
   * @throws IllegalArgumentException if there is neither
   */
  public @Nullable Path directory() {
    if (operand != null) {
      return Directories.check(new OptionValue(operand, "the directory of serve"));
    }
    if (!settings.has(Option.SITE)) {
      throw new IllegalArgumentException("serve needs a directory: peregrine serve DIR");
    }
    return null;
  }

  /**
   * Returns the directories that the command {@code serve} serves by host.
   *
   * @throws IllegalArgumentException if a host or a directory is wrong
   */
  public Map<String, Path> sites() {
    return Directories.bySite(settings.all(Option.SITE));
  }

  /**
   * Returns the directory whose files the command {@code hello} serves below {@code /files/}, or
   * null.
   *
   * @throws IllegalArgumentException if it can't be served
   */
  public @Nullable Path files() {
    OptionValue files = settings.get(Option.FILES);
    return files == null ? null : Directories.check(files);
  }
}
