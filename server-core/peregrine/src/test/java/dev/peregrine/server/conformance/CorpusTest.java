package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.MemoryServer;
import dev.peregrine.testing.MemorySocket;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case of the corpus over a scripted socket: cut everywhere, and byte by byte. */
class CorpusTest {
  // Longer cases are cut near their ends and at every CUT_STEP_BYTES-th byte.
  private static final int CUT_EVERYWHERE_BYTES_MAX = 600;
  private static final int CUT_STEP_BYTES = 211;
  private static final int PROBLEMS_MAX = 20;

  static List<ScannerKind> scanners() {
    return ConformanceRunnerIT.scanners();
  }

  @ParameterizedTest
  @MethodSource("scanners")
  void answersEveryCaseAsExpectedHoweverItIsCut(ScannerKind scanner) {
    List<String> problems = new ArrayList<>();
    try (MemoryServer server = new MemoryServer(new CorpusHandler(), Servers.LIMITS, scanner)) {
      for (CorpusCase testCase : Corpus.load()) {
        String problem = problem(server, testCase);
        if (problem != null) {
          problems.add(testCase + ": " + problem);
        }
      }
    }
    assertThat(problems.size() > PROBLEMS_MAX ? problems.subList(0, PROBLEMS_MAX) : problems)
        .as(problems.size() + " problems")
        .isEmpty();
  }

  private static @Nullable String problem(MemoryServer server, CorpusCase testCase) {
    byte[] bytes = testCase.bytes();
    String problem = problem(server, testCase, List.of(bytes), "whole");
    for (int cut = 1; cut < bytes.length && problem == null; cut = next(cut, bytes.length)) {
      List<byte[]> pieces =
          List.of(Arrays.copyOf(bytes, cut), Arrays.copyOfRange(bytes, cut, bytes.length));
      problem = problem(server, testCase, pieces, "cut at " + cut);
    }
    return problem != null
        ? problem
        : problem(server, testCase, singleBytes(bytes), "byte by byte");
  }

  private static int next(int cut, int length) {
    boolean everywhere =
        length <= CUT_EVERYWHERE_BYTES_MAX
            || cut < CUT_EVERYWHERE_BYTES_MAX / 4
            || length - cut < CUT_EVERYWHERE_BYTES_MAX / 4;
    return everywhere ? cut + 1 : cut + CUT_STEP_BYTES;
  }

  private static List<byte[]> singleBytes(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (byte b : bytes) {
      pieces.add(new byte[] {b});
    }
    return pieces;
  }

  private static @Nullable String problem(
      MemoryServer server, CorpusCase testCase, List<byte[]> pieces, String how) {
    MemorySocket socket = server.converse(pieces);
    String problem = CorpusCheck.problem(testCase, socket.written(), socket.isEndedByServer());
    return problem == null ? null : how + ": " + problem;
  }
}
