package dev.peregrine.cli.options;

import org.jspecify.annotations.Nullable;

/**
 * Reads command lines that need no explanation, and leaves all others to {@link PicocliLine}, with
 * the same result. Picocli takes a third of the time in which a server starts, and its classes stay
 * loaded.
 */
final class QuickLine {
  private final String[] words;
  private int next;

  private QuickLine(String... words) {
    this.words = words;
  }

  /** Returns what the command line says, or null if it is not plain or not right. */
  static @Nullable Invocation parse(String... args) {
    return new QuickLine(args).parse();
  }

  private @Nullable Invocation parse() {
    Command named = words.length == 0 ? null : Command.named(words[0]);
    Command command = named == null ? Command.HELLO : named;
    if (!command.isServer()) {
      return null;
    }
    next = named == null ? 0 : 1;
    Settings settings = new Settings();
    String operand = null;
    while (next < words.length) {
      String word = words[next++];
      if (!word.startsWith("-") && !word.isEmpty() && command == Command.SERVE && operand == null) {
        operand = word;
      } else if (!addOption(word, command, settings)) {
        return null;
      }
    }
    return new Invocation(command, operand, settings);
  }

  private boolean addOption(String word, Command command, Settings settings) {
    int equals = word.indexOf('=');
    Option option = Option.ofFlag(equals < 0 ? word : word.substring(0, equals));
    if (option == null || option.needsPicocli() || !option.belongsTo(command)) {
      return false;
    }
    if (option.label() == null) {
      settings.add(option, new OptionValue("true", option.flag()));
      return equals < 0;
    }
    if (equals < 0 && next == words.length) {
      return false;
    }
    String value = equals < 0 ? words[next++] : word.substring(equals + 1);
    boolean isPlain = !value.isEmpty() && !value.startsWith("-") && value.indexOf('"') < 0;
    if (isPlain) {
      settings.add(option, new OptionValue(value, option.flag()));
    }
    return isPlain;
  }
}
