package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.TlsEngineKind;
import dev.peregrine.server.TransportKind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleOptionsTest {
  @Test
  void listensOnTheLoopbackAddressByDefault() {
    assertThat(ExampleOptions.parse())
        .isEqualTo(
            new ExampleOptions(
                "127.0.0.1",
                8080,
                0,
                null,
                TransportKind.AUTO,
                false,
                TlsOptions.NONE,
                null,
                false,
                false,
                false));
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
                TlsOptions.NONE,
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
  void readsTheOptionsForTls() {
    assertThat(parse("--tls-cert a --tls-key b --tls-port 1 --tls-engine jdk").tls())
        .isEqualTo(new TlsOptions(Path.of("a"), Path.of("b"), false, TlsEngineKind.JDK, 1));
    assertThat(parse("--tls-self-signed").tls().selfSigned()).isTrue();
    assertThat(parse("--port 1").tls().isGiven()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls-cert a",
        "--tls-key a",
        "--tls-port 1",
        "--tls-cert a --tls-key b --tls-self-signed"
      })
  void refusesOptionsForTlsThatDoNotFitTogether(String commandLine) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(commandLine).tls().tls())
        .withMessageContaining("--tls-self-signed");
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
    "--tls-port x, --tls-port",
    "--tls-engine rustls, --tls-engine",
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
