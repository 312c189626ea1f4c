package dev.peregrine.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares docs/COMMAND-LINE.md with the parser. */
class CommandLinePageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../docs/COMMAND-LINE.md");

  @Test
  void listsEachOption() throws IOException {
    assertThat(rows("| `--")).isEqualTo(Stream.of(Option.values()).map(this::row).toList());
  }

  @Test
  void listsEachLimit() throws IOException {
    List<String> limits =
        LimitTable.all().stream()
            .map(limit -> "| `%s` | %s |".formatted(limit.name(), limit.defaultText()))
            .toList();

    assertThat(Files.readString(PAGE)).endsWith("\n" + String.join("\n", limits) + "\n");
  }

  private String row(Option option) {
    String label = option.label() == null ? "" : " " + option.label();
    String value = Objects.requireNonNullElse(option.defaultText(), "");
    return "| `%s%s` | %s | %s |".formatted(option.flag(), label, value, option.description());
  }

  private static List<String> rows(String start) throws IOException {
    return Files.readAllLines(PAGE).stream().filter(line -> line.startsWith(start)).toList();
  }
}
