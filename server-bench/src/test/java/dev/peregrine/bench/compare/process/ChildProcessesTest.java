package dev.peregrine.bench.compare.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {
  private static final ProcessBuilder WAITING = new ProcessBuilder("sleep", "600");

  @BeforeAll
  static void needsAProgramThatWaits() {
    assumeTrue(ChildProcesses.isInstalled("sleep"), "there is no program sleep");
  }

  @Test
  void endsAllOfThem() throws IOException {
    ChildProcesses processes = new ChildProcesses();
    Process one = processes.start(WAITING);
    Process other = processes.start(WAITING);

    processes.close();

    assertThat(one.isAlive()).isFalse();
    assertThat(other.isAlive()).isFalse();
  }

  @Test
  void endsOnlyOne() throws IOException {
    try (ChildProcesses processes = new ChildProcesses()) {
      Process one = processes.start(WAITING);
      Process other = processes.start(WAITING);

      processes.end(one);

      assertThat(one.isAlive()).isFalse();
      assertThat(other.isAlive()).isTrue();
    }
  }

  @Test
  void startsNoneWhenClosed() {
    ChildProcesses processes = new ChildProcesses();
    processes.close();

    assertThatIOException().isThrownBy(() -> processes.start(WAITING));
  }
}
