package dev.peregrine.cli.options;

import dev.peregrine.cli.options.Option.Group;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands and options as picocli sees them. */
public final class PicocliModel {
  private static final String PROGRAM = "peregrine";
  private static final int HELP_WIDTH = 100;

  private PicocliModel() {}

  /** Returns the help of a command; of the program for null. */
  public static String help(@Nullable String command) {
    CommandSpec program = program(true);
    CommandLine line = new CommandLine(program);
    CommandLine shown = command == null ? line : line.getSubcommands().get(command);
    return (shown == null ? line : shown).getUsageMessage(Ansi.OFF);
  }

  /** Returns a script that completes the program's commands and options in bash and zsh. */
  public static String completionScript() {
    return AutoComplete.bash(PROGRAM, new CommandLine(program(false)));
  }

  static CommandSpec forParsing() {
    return program(false);
  }

  /**
   * Returns the program.
   *
   * @param headed whether options stand under headings, which a parser would take for groups that
   *     belong together
   */
  private static CommandSpec program(boolean headed) {
    CommandSpec program = command(PROGRAM, Command.HELLO, headed);
    for (Command command : Command.values()) {
      if (command.summary != null) {
        program.addSubcommand(command.word(), command(command.word(), command, headed));
      }
    }
    return program;
  }

  private static CommandSpec command(String name, Command command, boolean headed) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage()
        .width(HELP_WIDTH)
        .sortOptions(false)
        .abbreviateSynopsis(true)
        .commandListHeading("%nCommands:%n")
        .description(command.summary);
    if (command == Command.SERVE) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .index("0")
              .arity("0..1")
              .paramLabel("DIR")
              .type(String.class)
              .hideParamSyntax(true)
              .description("the directory")
              .completionCandidates(List.of())
              .build());
    }
    for (Group group : Group.values()) {
      List<OptionSpec> options =
          Stream.of(Option.values())
              .filter(option -> option.group() == group && option.belongsTo(command))
              .map(PicocliModel::option)
              .toList();
      if (headed && !options.isEmpty()) {
        ArgGroupSpec.Builder block =
            ArgGroupSpec.builder().validate(false).heading("%n" + group.heading() + ":%n");
        options.forEach(block::addArg);
        spec.addArgGroup(block.build());
      } else {
        options.forEach(spec::addOption);
      }
    }
    return spec;
  }

  private static OptionSpec option(Option option) {
    OptionSpec.Builder builder =
        switch (option) {
          case HELP -> OptionSpec.builder("-h", option.flag()).usageHelp(true);
          case VERSION -> OptionSpec.builder("-V", option.flag()).versionHelp(true);
          default -> OptionSpec.builder(option.flag());
        };
    builder.description(describe(option));
    if (option.label() == null) {
      return builder.arity("0").type(boolean.class).build();
    }
    List<String> candidates = candidates(option);
    if (!candidates.isEmpty()) {
      builder.completionCandidates(candidates);
    }
    return builder
        .arity("1")
        .paramLabel(option.label())
        .type(option.isRepeatable() ? String[].class : String.class)
        .build();
  }

  private static String describe(Option option) {
    String end = option.defaultText() == null ? "" : " (" + option.defaultText() + ")";
    return option.description() + end;
  }

  private static List<String> candidates(Option option) {
    return switch (option) {
      case TRANSPORT, SCANNER, TLS_ENGINE -> List.of(option.description().split("(, | or )", -1));
      case LIMIT -> LimitTable.all().stream().map(limit -> limit.name() + "=").toList();
      default -> List.of();
    };
  }
}
