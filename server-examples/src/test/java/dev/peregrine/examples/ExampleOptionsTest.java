package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.TransportKind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExampleOptionsTest {
  @Test
  void listensOnTheLoopbackAddressByDefault() {
    assertThat(ExampleOptions.parse())
        .isEqualTo(
            new ExampleOptions(
                "127.0.0.1", 8080, 0, null, TransportKind.AUTO, false, null, false, false, false));
  }

  @Test
  void readsEveryOption() {
    assertThat(
            parse(
                "--host ::1 --port 1234 --loops 3 --scanner swar --transport nio --reuse-port"
                    + " --files . --train"))
        .isEqualTo(
            new ExampleOptions(
                "::1",
                1234,
                3,
                ScannerKind.SWAR,
                TransportKind.NIO,
                true,
                Path.of("."),
                true,
                false,
                false));
  }

  @Test
  void readsValuesThatAreAttached() {
    assertThat(parse("--host=::1 --port=1234 --loops=3 --scanner=swar --transport=nio --files=."))
        .isEqualTo(
            parse("--host ::1 --port 1234 --loops 3 --scanner swar --transport nio --files ."));
  }

  @Test
  void endsTheNameOfAnOptionAtTheFirstEqualsSign() {
    assertThat(parse("--host=a=b").host()).isEqualTo("a=b");
  }

  @Test
  void readsOptionsThatOnlyPrint() {
    assertThat(parse("--version").version()).isTrue();
    assertThat(parse("--help").help()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "--prot 1, --prot",
    "8080, 8080",
    "--port, --port",
    "--port x, --port",
    "--port -1, --port",
    "--port 65536, --port",
    "--loops 0, --loops",
    "--scanner avx, --scanner",
    "--transport uring, --transport",
    "--files, --files",
    "--files none, --files",
    "--help=yes, --help=yes",
    "--reuse-port=false, --reuse-port=false",
    "--port=, --port",
    "--port=x, --port",
    "--prot=1, --prot",
    "--host=, --host"
  })
  void namesTheOptionThatIsWrong(String commandLine, String option) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(commandLine))
        .withMessageContaining(option)
        .withMessageNotContaining("\n");
  }

  private static ExampleOptions parse(String commandLine) {
    return ExampleOptions.parse(commandLine.split(" ", -1));
  }
}
