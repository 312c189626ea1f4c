package dev.peregrine.cli.options;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads any command line, by picocli. */
final class PicocliLine {
  private static final String SEE_HELP = " (--help lists them)";

  private PicocliLine() {}

  /**
   * Returns what the command line says.
   *
   * @throws IllegalArgumentException if it can't be understood; the message is one sentence
   */
  static Invocation parse(String... args) {
    CommandLine line = new CommandLine(PicocliModel.forParsing());
    line.setOverwrittenOptionsAllowed(true);
    line.setExpandAtFiles(false);
    try {
      return invocation(line.parseArgs(args).asCommandLineList());
    } catch (UnmatchedArgumentException unmatched) {
      throw new IllegalArgumentException(unknown(unmatched), unmatched);
    } catch (MissingParameterException missing) {
      throw new IllegalArgumentException(
          name(missing.getMissing().getFirst()) + " needs a value", missing);
    } catch (ParameterException wrong) {
      String message = String.valueOf(wrong.getMessage());
      throw new IllegalArgumentException(message.lines().findFirst().orElse(message), wrong);
    }
  }

  private static Invocation invocation(List<CommandLine> chain) {
    ParseResult last = chain.getLast().getParseResult();
    Command command = command(chain.getLast());
    Settings settings = new Settings();
    for (CommandLine line : chain) {
      for (OptionSpec matched : line.getParseResult().matchedOptionsSet()) {
        add(matched, settings);
      }
    }
    if (settings.has(Option.HELP)) {
      return new Invocation(Command.HELP, chain.size() == 1 ? null : command.word(), settings);
    }
    if (settings.has(Option.VERSION)) {
      return new Invocation(Command.VERSION, null, settings);
    }
    String operand = last.hasMatchedPositional(0) ? last.matchedPositional(0).getValue() : null;
    return new Invocation(command, operand, settings);
  }

  private static Command command(CommandLine line) {
    return Objects.requireNonNullElse(Command.named(line.getCommandName()), Command.HELLO);
  }

  private static void add(OptionSpec matched, Settings settings) {
    Option option = Objects.requireNonNull(Option.ofFlag(matched.longestName()));
    for (String value : matched.stringValues()) {
      OptionValue setting = new OptionValue(value, option.flag());
      if (value.isEmpty()) {
        throw new IllegalArgumentException(option.flag() + " needs a value");
      }
      if (option == Option.LIMIT) {
        settings.addLimit(setting);
      } else {
        settings.add(
            option, option.label() == null ? new OptionValue("true", option.flag()) : setting);
      }
    }
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String unknown(UnmatchedArgumentException unmatched) {
    String word = unmatched.getUnmatched().getFirst();
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    if (!name.startsWith("-")) {
      return "unknown command or operand "
          + name
          + Closest.question(name, Arrays.stream(Command.values()).map(Command::word))
          + SEE_HELP;
    }
    Option option = Option.ofFlag(name);
    Command command = command(unmatched.getCommandLine());
    if (option != null && !option.belongsTo(command)) {
      return name + option.isNotOf(command) + SEE_HELP;
    }
    return "unknown option "
        + name
        + Closest.question(name, Arrays.stream(Option.values()).map(Option::flag))
        + SEE_HELP;
  }
}
