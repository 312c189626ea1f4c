package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case of the corpus over loopback: whole, and cut in the middle. */
class CorpusIT {
  /** A slow machine may send the second part late, and the server has closed after the first. */
  private static final ServerLimits LINGERING =
      Servers.LIMITS.toBuilder().lingerTime(Duration.ofMinutes(1)).build();

  @RegisterExtension final Servers servers = new Servers();

  static List<ScannerKind> scanners() {
    return ConformanceRunnerIT.scanners();
  }

  @ParameterizedTest
  @MethodSource("scanners")
  void answersEveryCaseAsExpected(ScannerKind scanner) {
    HttpServer server =
        servers.start(new CorpusHandler(), options -> options.scanner(scanner).limits(LINGERING));
    List<String> problems = new ArrayList<>();
    for (CorpusCase testCase : Corpus.load()) {
      byte[] bytes = testCase.bytes();
      for (int cut : new int[] {bytes.length, bytes.length / 2}) {
        String problem = problem(server, testCase, bytes, cut);
        if (problem != null) {
          problems.add(testCase + ", cut at " + cut + ": " + problem);
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  private static @Nullable String problem(
      HttpServer server, CorpusCase testCase, byte[] bytes, int cut) {
    try (RawClient client = RawClient.connect(server.address())) {
      client.send(bytes, 0, cut);
      if (cut < bytes.length) {
        client.send(bytes, cut, bytes.length - cut);
      }
      if (testCase.isIncomplete()) {
        client.halfClose();
        return CorpusCheck.problem(testCase, client.readToEnd(), false);
      }
      return CorpusCheck.problem(testCase, client.readToEnd(), true);
    }
  }
}
