package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OperatingPage;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The unit of systemd and the manifest of Kubernetes in docs/OPERATING.md, checked by the programs
 * that know them, where they are installed.
 */
final class OperatingPageTest {
  private static final int CLOSE_SECONDS = 5;
  private static final Pattern DRAIN =
      Pattern.compile(
          "drainOnExit\\(Duration.ofSeconds\\((\\d+)\\), Duration.ofSeconds\\((\\d+)\\)\\)");

  @TempDir private Path dir;

  @Test
  void givesTheDrainItsTime() {
    MatchResult drain = find(DRAIN, OperatingPage.text());
    int seconds = Integer.parseInt(drain.group(1)) + Integer.parseInt(drain.group(2));

    assertThat(number("TimeoutStopSec=(\\d+)", OperatingPage.block("ini", "[Service]")))
        .isGreaterThan(seconds + CLOSE_SECONDS);
    assertThat(
            number(
                "terminationGracePeriodSeconds: (\\d+)",
                OperatingPage.block("yaml", "kind: Deployment")))
        .isGreaterThan(seconds + CLOSE_SECONDS);
  }

  private static int number(String pattern, String text) {
    return Integer.parseInt(find(Pattern.compile(pattern), text).group(1));
  }

  private static MatchResult find(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().orElseThrow();
  }

  @Test
  void showsAUnitThatSystemdAccepts() throws Exception {
    if (!Processes.succeeds("systemd-analyze", "--version")) {
      Repository.skip("systemd-analyze is not installed: apt-get install systemd");
    }
    String java = System.getProperty("java.home") + "/bin/java";
    Path unit =
        write(
            "app.service", OperatingPage.block("ini", "[Service]").replace("/usr/bin/java", java));

    assertThat(Processes.succeeds("systemd-analyze", "verify", "" + unit)).isTrue();
    Path wrong = write("wrong.service", "[Service]\nTimeoutStopSec=soon\n");
    assertThat(Processes.succeeds("systemd-analyze", "verify", "" + wrong)).isFalse();
  }

  @Test
  void showsAManifestThatKubernetesAccepts() throws Exception {
    if (!Processes.succeeds("kubernetes-validate", "--version")) {
      Repository.skip("kubernetes-validate is not installed: pip install kubernetes-validate");
    }
    String shown = OperatingPage.block("yaml", "kind: Deployment");

    assertThat(isAccepted(write("app.yaml", shown))).isTrue();
    String wrong = shown.replace("readinessProbe", "readynessProbe");
    assertThat(isAccepted(write("wrong.yaml", wrong))).isFalse();
  }

  private static boolean isAccepted(Path manifest) throws InterruptedException {
    return Processes.succeeds("kubernetes-validate", "--strict", "" + manifest);
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }
}
