package dev.peregrine.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.server.ServerKind;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the parts of the comparison work together; its figures are meaningless. */
class CompareIT {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  @Test
  void measuresServersAndWritesTheReport() throws Exception {
    List<ServerKind> servers =
        Stream.of(ServerKind.PEREGRINE, ServerKind.NETTY, ServerKind.NETTY_EPOLL)
            .filter(ServerKind::isAvailable)
            .toList();
    List<String> progress = new ArrayList<>();
    CompareOptions options =
        new CompareOptions(
            servers, List.of(Workload.ECHO), Duration.ofMillis(500), 1, false, folder);
    String report;
    try (Comparison comparison = new Comparison(options, progress::add)) {
      report = Files.readString(comparison.run());
    }

    assertThat(report).contains("<section id=\"echo\">", "Server: Peregrine");
    assertThat(report).contains(servers.stream().map(kind -> ">" + kind.title() + "<").toList());
    assertThat(progress)
        .anySatisfy(line -> assertThat(line).contains("100 %", "round 1/1", "echo"));
    assertThat(ProcessHandle.current().children().filter(CompareIT::isServer)).isEmpty();
  }

  @Test
  void endsItsProcessesWhenItIsEnded() throws Exception {
    Process compare =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dcompare.servers=peregrine,netty",
                "-Dcompare.generator=built-in",
                "-Dcompare.seconds=600",
                "-cp",
                System.getProperty("java.class.path"),
                Compare.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    List<ProcessHandle> servers;
    try (BufferedReader lines = compare.inputReader()) {
      awaitLine(lines, "starting Netty");
      servers = compare.descendants().filter(CompareIT::isServer).toList();
    } finally {
      compare.destroy();
    }

    assertThat(compare.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(servers).isNotEmpty();
    for (ProcessHandle server : servers) {
      server.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static boolean isServer(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/bin/java");
  }

  private static void awaitLine(BufferedReader lines, String beginning) throws Exception {
    List<String> seen = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(beginning)) {
        return;
      }
      seen.add(line);
    }
    throw new AssertionError("it ended before it was " + beginning + ": " + seen);
  }
}
