package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.TlsTunnel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The black-box runner that lies beside the checkout, against a server with each scanner. The
 * runner doesn't speak TLS, so a tunnel does, and then one scanner is enough.
 */
class ConformanceRunnerIT {
  private static final long RUNNER_SECONDS_MAX = 300;
  private static final int RUNNER_STARTS_MAX = 5;
  private static final String NO_ANSWER = "no HTTP answer to a plain GET";
  private static final Pattern WEAK = withVerdict("WEAK");
  private static final Pattern FAIL = withVerdict("FAIL");

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  static List<ScannerKind> scanners() {
    return Arrays.stream(ScannerKind.values())
        .filter(kind -> kind != ScannerKind.VECTOR || ScannerKind.vectorProblem() == null)
        .limit(Servers.TLS ? 1 : ScannerKind.values().length)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("scanners")
  @Timeout(value = 2 * RUNNER_SECONDS_MAX, unit = TimeUnit.SECONDS)
  void passesTheRunnerBesideTheCheckout(ScannerKind scanner) throws Exception {
    Path runner = Repository.shared("conformance/run.py");
    if (!isThere("python3")) {
      Repository.skip("there is no python3 to run the conformance runner with");
    }
    HttpServer server =
        servers.start(new ConformanceHandler(), options -> options.scanner(scanner));

    try (TlsTunnel tunnel = new TlsTunnel(server.address())) {
      run(runner, scanner, Servers.TLS ? tunnel.port() : server.port());
    }
  }

  private void run(Path runner, ScannerKind scanner, int port) throws Exception {
    String results = report(runner, scanner, port);
    List<String> late = new ArrayList<>(cases(FAIL, results)); // perhaps, on a busy machine
    late.addAll(unexplained(results));
    if (!late.isEmpty()) {
      results = report(runner, scanner, port, patient(late));
    }
    assertThat(cases(FAIL, results)).isEmpty();
    assertThat(unexplained(results)).as("not explained in docs/CONFORMANCE.md").isEmpty();
  }

  /** Returns options for some cases alone, and a server that answers late. */
  private static String[] patient(List<String> cases) {
    String only =
        cases.stream()
            .map(id -> id.replaceAll("\\W", "\\\\$0"))
            .collect(Collectors.joining("|", "^(", ")$"));
    return new String[] {
      "--only", only, "--jobs", "1", "--idle", "10", "--close", "10", "--eof", "10"
    };
  }

  /** Runs the runner and returns its report. */
  private String report(Path runner, ScannerKind scanner, int port, String... options)
      throws Exception {
    Path report = folder.resolve("report.json");
    Path output = folder.resolve("output.txt");
    List<String> command =
        new ArrayList<>(
            List.of("python3", runner.toString(), "--port", String.valueOf(port), "--echo"));
    command.addAll(List.of("--name", "Peregrine " + scanner, "--fails", "100"));
    command.addAll(List.of("--json", report.toString()));
    command.addAll(List.of(options));
    Files.deleteIfExists(report);
    String text = execute(command, output);
    for (int i = 1; i < RUNNER_STARTS_MAX && text.contains(NO_ANSWER); i++) {
      text = execute(command, output); // it waits for its first answer for a second or so
    }
    String results = Files.readString(report);
    assertThat(results).as(text).contains("\"response_findings\": {}");
    return results;
  }

  /** Executes the runner and returns what it has printed. */
  private static String execute(List<String> command, Path output) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(RUNNER_SECONDS_MAX, TimeUnit.SECONDS);
    process.destroyForcibly();

    String text = Files.readString(output);
    System.out.println(text);
    assertThat(ended).as("the runner ended in time").isTrue();
    assertThat(process.exitValue()).as(text).isIn(0, 1); // 1: a case has failed
    return text;
  }

  private static Pattern withVerdict(String verdict) {
    return Pattern.compile(
        "\"id\": \"([^\"]+)\"(?:(?!\"id\": ).)*?\"verdict\": \"" + verdict + "\"", Pattern.DOTALL);
  }

  private static List<String> cases(Pattern verdict, String report) {
    return verdict.matcher(report).results().map(match -> match.group(1)).toList();
  }

  private static List<String> unexplained(String report) throws IOException {
    if (Servers.TLS) { // where the runner takes the time of the tunnel for that of the server
      return List.of();
    }
    String table = Files.readString(Repository.root().resolve("docs").resolve("CONFORMANCE.md"));
    return cases(WEAK, report).stream().filter(id -> !table.contains("`" + id + "`")).toList();
  }

  private static boolean isThere(String command) throws InterruptedException {
    try {
      return new ProcessBuilder(command, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
