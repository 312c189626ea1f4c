package dev.peregrine.bench.compare.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.bench.compare.process.ChildProcesses;
import dev.peregrine.bench.compare.process.CpuPins;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrkTest {
  private static final String RIGHT =
      ScriptedServer.response("Sat, 21 Nov 2026 12:00:00 GMT", "Hello, World!");
  private static final int RUNS_MAX = 5;

  @TempDir Path folder;

  @Test
  void readsTheLineOfItsScript() throws Exception {
    LoadResult result =
        WrkScript.result("Running 2s test\nresult: 3000 2000000 7 10 20 30 40 50\nRequests/sec: 9");

    assertThat(result).isEqualTo(new LoadResult(3000, 2, 7, new Latencies(10, 20, 30, 40, 50)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unable to connect", "", "result: 0 2000000 7 0 0 0 0 0"})
  void nothingAnsweredIsAFailure(String output) {
    assertThatIOException().isThrownBy(() -> WrkScript.result(output));
  }

  @Test
  void sendsBatchesOverConnectionsThatAreKept() throws Exception {
    assumeTrue(WrkGenerator.isInstalled(), "wrk is not installed");
    try (ChildProcesses processes = new ChildProcesses();
        WrkGenerator wrk = new WrkGenerator(processes, CpuPins.choose(), folder);
        ScriptedServer server = new ScriptedServer(Workload.PIPELINED, (batch, content) -> RIGHT)) {
      ServerCheck.response(Workload.PIPELINED, server.port());

      LoadResult result = wrk.run(Workload.PIPELINED, server.port(), Duration.ofSeconds(1));
      int runs = 1;
      while (result.errors() > 0 && runs < RUNS_MAX) { // also responses that take two seconds
        result = wrk.run(Workload.PIPELINED, server.port(), Duration.ofSeconds(1));
        runs++;
      }

      assertThat(result.requests()).isPositive();
      assertThat(result.errors()).isZero();
      assertThat(result.latencies().p50()).as("wrk can't tell").isNaN();
      assertThat(server.connections())
          .as("with the one of the check, and one of each run on which wrk sends nothing")
          .isLessThanOrEqualTo(1 + runs * (1 + Workload.PIPELINED.connections()));
      assertThat(wrk.description()).startsWith("wrk");
    }
  }
}
