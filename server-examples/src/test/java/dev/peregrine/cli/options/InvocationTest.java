package dev.peregrine.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.examples.SampleCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvocationTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port 1",
        "--port=1 --host=::1",
        "hello --loops 3 --reuse-port --port 1 --port 2",
        "--host=a=b",
        "serve dir --spa --listen a:1 --listen b:2",
        "serve --listen-plain a:1 dir --check --verbose",
        "--files . --train --tls-self-signed",
        "serve dir --hand-over /run/s"
      })
  void readsPlainLinesAsPicocliDoes(String line) {
    Invocation quick = Objects.requireNonNull(QuickLine.parse(line.split(" ", -1)));
    Invocation full = PicocliLine.parse(line.split(" ", -1));

    assertThat(quick.command()).isEqualTo(full.command());
    assertThat(quick.operand()).isEqualTo(full.operand());
    for (Option option : Option.values()) {
      assertThat(quick.settings().all(option)).isEqualTo(full.settings().all(option));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--prot 1",
        "8080",
        "--port",
        "--port=",
        "--help",
        "-V",
        "serve a b",
        "--reuse-port=true",
        "--limit a=1",
        "--port -1",
        "limits",
        "--spa",
        "serve --files ."
      })
  void leavesOtherLinesToPicocli(String line) {
    assertThat(QuickLine.parse(line.split(" ", -1))).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void takesEachOptionFromTheCommandLine(Option option) {
    Command command = option.belongsTo(Command.HELLO) ? Command.HELLO : Command.SERVE;
    String value = option == Option.LIMIT ? "=keep-alive-time=1s" : "=value";
    String[] line = {command.word(), option.flag() + (option.label() == null ? "" : value)};

    Invocation read = PicocliLine.parse(line);

    switch (option) {
      case HELP -> assertThat(read.command()).isEqualTo(Command.HELP);
      case VERSION -> assertThat(read.command()).isEqualTo(Command.VERSION);
      case LIMIT -> assertThat(read.settings().limits()).containsOnlyKeys("keep-alive-time");
      default -> assertThat(read.settings().has(option)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--prot 1 | unknown option --prot; did you mean --port? (--help lists them)",
        "serv | unknown command or operand serv; did you mean serve? (--help lists them)",
        "--port | --port needs a value",
        "--port= | --port needs a value",
        "--port x | --port is x, but must be a number from 0 to 65535",
        "--port 65536 | --port is 65536, but must be a number from 0 to 65535",
        "--port -1 | --port is -1, but must be a number from 0 to 65535",
        "--loops 0 | --loops is 0, but must be a number from 1 to 1024",
        "--scanner avx | --scanner is avx, but must be one of vector, swar, scalar",
        "--transport uring | --transport is uring, but must be one of auto, nio, epoll",
        "--tls-engine rustls | --tls-engine is rustls, but must be one of auto, jdk, openssl",
        "--tls-cert a | TLS needs either --tls-cert and --tls-key, or --tls-self-signed",
        "--tls-port 1 | TLS needs either --tls-cert and --tls-key, or --tls-self-signed",
        "--listen a:1 --port 2 | --port can't be used together with --listen",
        "--listen-plain a:1 --host b | --host can't be used together with --listen-plain",
        "hello --spa | --spa is an option of serve, not of hello (--help lists them)",
        "--listing | --listing is an option of serve, not of hello (--help lists them)",
        "serve . --files . | --files is an option of hello, not of serve (--help lists them)",
        "limits --port 1 | --port is an option of hello and serve, not of limits (--help lists"
            + " them)",
        "hello --spa=1 | --spa is an option of serve, not of hello (--help lists them)",
        "--listen 127.0.0.1:1 --listen 127.0.0.1:1 | --listen names 127.0.0.1:1, which --listen"
            + " names too",
        "--listen 127.0.0.1:1 --listen-plain localhost:1 | --listen-plain names localhost:1, which"
            + " --listen names too",
        "--listen unix:s --listen unix:s | --listen names unix:s, which --listen names too",
        "--listen fd:3 --listen fd:3 | --listen names fd:3, which --listen names too",
        "--port 1 --tls-port 1 --tls-self-signed | --tls-port names 1, which --port names too",
        "--tls-self-signed --port 8443 | the default of --tls-port names 8443, which --port names"
            + " too",
        "--tls-cert none.pem --tls-key none.pem | --tls-cert is none.pem, which doesn't exist",
        "--tls-cert . --tls-key none.pem | --tls-cert is ., which is not a file",
        "--tls-self-signed --tls-key-password-file none | TLS needs either --tls-cert and"
            + " --tls-key, or --tls-self-signed",
        "--listen 80 | --listen is 80, but must be HOST:PORT, [IPv6]:PORT, unix:PATH or fd:N",
        "--listen ::1:80 | --listen is ::1:80, but must be HOST:PORT, [IPv6]:PORT, unix:PATH or"
            + " fd:N",
        "--listen a:b | the port of --listen is b, but must be a number from 0 to 65535",
        "--limit x | --limit is x, but must be NAME=VALUE",
        "--limit keep-alive-tim=1s | --limit keep-alive-tim is not a limit; did you mean"
            + " keep-alive-time? (the command limits lists them)",
        "--limit keep-alive-time=0 | --limit keep-alive-time is 0 s, but must be positive",
        "--limit keep-alive-time=36501d | --limit keep-alive-time is 36501 days, but must be at"
            + " most 36500 days",
        "--limit keep-alive-time=5 | --limit keep-alive-time is 5, but must be a time such as"
            + " 500ms, 30s, 5m or 1h",
        "--listen fd:x | the descriptor of --listen is x, but must be a number from 0 to"
            + " 2147483647",
        "--access-log /none/log | --access-log is /none/log, but the directory /none doesn't exist",
        "--access-log / | --access-log is /, which is a directory",
        "--access-log-format json | --access-log-format needs --access-log, the file to write to",
        "--access-log /dev/null --access-log-format xml | --access-log-format is xml, but must be"
            + " one of common, combined, json",
        "--lame-duck x | --lame-duck is x, but must be a time such as 500ms, 30s, 5m or 1h",
        "--patience x | --patience is x, but must be a time such as 500ms, 30s, 5m or 1h",
        "--trusted-proxy x | --trusted-proxy is x, but must be an IP address, a range such as"
            + " 10.0.0.0/8, or unix",
        "--proxy-protocol 10.0.0.1/8 | --proxy-protocol is 10.0.0.1/8, but must be an IP address, a"
            + " range such as 10.0.0.0/8, or unix",
        "--metrics-listen 80 | --metrics-listen is 80, but must be HOST:PORT, [IPv6]:PORT,"
            + " unix:PATH or fd:N",
        "--listen 127.0.0.1:9 --metrics-listen localhost:9 | --metrics-listen names localhost:9,"
            + " which --listen names too",
        "--config none.properties | --config is none.properties, which doesn't exist",
      })
  void saysInASentenceWhatIsWrong(String line, String sentence) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse(line.split(" ", -1)))
        .withMessage(sentence);
  }

  @Test
  void refusesPathsThatNoSocketCanHave() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    String tooLong = folder.resolve("s".repeat(108)).toString();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--listen", "unix:" + file))
        .withMessage("--listen is unix:" + file + ", but " + file + " exists and is not a socket");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--listen", "unix:" + tooLong))
        .withMessageEndingWith(", but the path of a socket has 107 bytes at most");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--listen", "--metrics-listen"})
  void findsHostsWithoutAnAddressInACheck(String option) {
    ServerOptions options = ServerOptions.parse(option, "no..host:0");

    assertThatIllegalArgumentException()
        .isThrownBy(options::checkHosts)
        .withMessage(option + " is no..host:0, but the host no..host is unknown");
  }

  @Test
  void takesAHostWithoutAnAddressForOneThatOthersReach() {
    assertThat(ServerOptions.parse("--listen", "no..host:0").plainAddress())
        .isEqualTo("no..host:0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port = x | line 1: port is x, but must be a number from 0 to 65535",
        "# c\\n\\nprot = 1 | line 3: unknown name prot; did you mean port?",
        "port = 1\\nhost = a\\nport = 2 | line 3: port is set in line 1 too",
        "host = \\\\\\n  a\\nport = x | line 3: port is x, but must be a number from 0 to 65535",
        "host = \\\\u12 | line 1: Malformed \\\\uxxxx encoding.",
        "host = | line 1: host needs a value",
        "spa = true | line 1: spa is an option of serve, not of hello",
        "reuse-port = yes | line 1: reuse-port is yes, but must be true or false",
        "config = a | line 1: unknown name config",
        "limit.keep-alive-time = 0 | line 1: limit.keep-alive-time is 0 s, but must be positive",
        "listen = a:1\\nport = 1 | line 2: port can't be used together with line 1: listen",
        "listen = localhost:1\\n"
            + "listen = 127.0.0.1:1 | line 2: listen names 127.0.0.1:1, which line 1: listen names"
            + " too",
      })
  void namesTheLineOfAFileThatIsWrong(String content, String sentence) throws IOException {
    Path file = file(content.translateEscapes());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--config", file.toString()))
        .withMessage(file + ", " + sentence.translateEscapes());
  }

  @ParameterizedTest
  @CsvSource({"PEREGRINE_PROT, 1", "PEREGRINE_PORT, x", "PEREGRINE_LIMIT_NONE, 1"})
  void namesTheVariableThatIsWrong(String variable, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.of(Invocation.of(Map.of(variable, value))))
        .withMessageContaining(variable);
  }

  /** Which of the two options the sentence names, for each fault that the files can have. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chain | empty | --tls-key: {1} has no private key",
        "empty | key | --tls-cert: {0} has no certificate",
        "chain | other | --tls-cert and --tls-key: the key of {1} doesn't fit the certificate of"
            + " {0}",
        "chain | encrypted | --tls-key: {1} has an encrypted key, and no password was given: put it"
            + " into a file for --tls-key-password-file",
      })
  void namesTheOptionOfAFileThatTlsCantUse(String chain, String key, String sentence)
      throws IOException {
    writeKeys();
    String[] files = {folder.resolve(chain).toString(), folder.resolve(key).toString()};

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--tls-cert", files[0], "--tls-key", files[1]))
        .withMessage(sentence.replace("{0}", files[0]).replace("{1}", files[1]));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "secret | -",
        "secret\\n | -",
        "secret\\nnot the password\\n | -",
        "wrong\\n | --tls-key: {1} has a key that the password doesn't decrypt",
        "'' | --tls-key-password-file is {0}, whose first line is empty",
        "\\n | --tls-key-password-file is {0}, whose first line is empty",
      })
  void readsThePasswordOfAKeyFromTheFirstLineOfAFile(String content, @Nullable String sentence)
      throws IOException {
    writeKeys();
    String password = Files.writeString(folder.resolve("p"), content.translateEscapes()).toString();
    String key = folder.resolve("encrypted").toString();
    String[] line = {
      "--tls-cert", folder.resolve("chain").toString(),
      "--tls-key", key,
      "--tls-key-password-file", password
    };

    if (sentence == null) {
      assertThat(ServerOptions.parse(line).isSecure(1)).isTrue();
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServerOptions.parse(line))
          .withMessage(sentence.replace("{0}", password).replace("{1}", key));
    }
  }

  private void writeKeys() throws IOException {
    Files.writeString(folder.resolve("chain"), SampleCertificate.CHAIN);
    Files.writeString(folder.resolve("key"), SampleCertificate.KEY);
    Files.writeString(folder.resolve("other"), SampleCertificate.OTHER_KEY);
    Files.writeString(folder.resolve("encrypted"), SampleCertificate.ENCRYPTED_KEY);
    Files.writeString(folder.resolve("empty"), "");
  }

  @Test
  void listensOnTheSocketsThatItWasStartedWithUnlessAnAddressIsNamed() {
    Map<String, String> started =
        Map.of("LISTEN_FDS", "2", "LISTEN_PID", Long.toString(ProcessHandle.current().pid()));

    assertThat(Invocation.of(started, "hello").settings().all(Option.LISTEN))
        .containsExactly(
            new OptionValue("fd:3", "LISTEN_FDS"), new OptionValue("fd:4", "LISTEN_FDS"));
    assertThat(Invocation.of(started, "--port", "1").settings().all(Option.LISTEN)).isEmpty();
    assertThat(Invocation.of(started, "--listen", "a:1").settings().all(Option.LISTEN)).hasSize(1);
  }

  @Test
  void ignoresSocketsThatWereMeantForAnotherProcess() {
    Map<String, String> started = Map.of("LISTEN_FDS", "2", "LISTEN_PID", "1");

    assertThat(Invocation.of(started, "hello").settings().all(Option.LISTEN)).isEmpty();
  }

  @Test
  void ignoresTheVariablesOfServicesInKubernetes() {
    Map<String, String> links =
        Map.of(
            "PEREGRINE_PORT", "tcp://10.0.0.1:80",
            "PEREGRINE_SERVICE_HOST", "10.0.0.1",
            "PEREGRINE_PORT_80_TCP_ADDR", "10.0.0.1",
            "PEREGRINE_WEB_SERVICE_PORT_HTTP", "80",
            "PEREGRINE_HOST", "");

    assertThat(Invocation.of(links).settings().has(Option.PORT)).isFalse();
  }

  @Test
  void prefersTheCommandLineToTheEnvironmentAndThatToTheFile() throws IOException {
    Path file = file("port = 1\nhost = file\nloops = 1\nlimit.keep-alive-time = 1s\n");
    Map<String, String> environment =
        Map.of(
            "PEREGRINE_CONFIG", file.toString(),
            "PEREGRINE_PORT", "2",
            "PEREGRINE_HOST", "env",
            "PEREGRINE_LIMIT_KEEP_ALIVE_TIME", "2s");

    Settings settings = Invocation.of(environment, "--port", "3").settings();

    assertThat(settings.get(Option.PORT)).isEqualTo(new OptionValue("3", "--port"));
    assertThat(settings.get(Option.HOST)).isEqualTo(new OptionValue("env", "PEREGRINE_HOST"));
    assertThat(settings.all(Option.LOOPS)).extracting(OptionValue::value).containsExactly("1");
    assertThat(LimitTable.with(settings.limits()).keepAliveTime()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aConfigurationFileMayBeginWithAByteOrderMark() throws IOException {
    Path file = Files.writeString(folder.resolve("c"), "\uFEFFport = 1\r\nhost = b\r\n");

    Settings settings = Invocation.of(Map.of(), "--config", file.toString()).settings();

    assertThat(settings.all(Option.PORT)).extracting(OptionValue::value).containsExactly("1");
    assertThat(settings.all(Option.HOST)).extracting(OptionValue::value).containsExactly("b");
  }

  @Test
  void replacesTheAddressesOfAWeakerPlaceWhole() throws IOException {
    Path file = file("listen = a:1\nlisten = b:2\n");

    Settings asWritten = Invocation.of(Map.of(), "--config", file.toString()).settings();
    Settings replaced =
        Invocation.of(Map.of("PEREGRINE_PORT", "3"), "--config", file.toString()).settings();

    assertThat(asWritten.all(Option.LISTEN))
        .extracting(OptionValue::value)
        .containsExactly("a:1", "b:2");
    assertThat(replaced.all(Option.LISTEN)).isEmpty();
    assertThat(replaced.all(Option.PORT)).hasSize(1);
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("peregrine.properties"), content);
  }
}
