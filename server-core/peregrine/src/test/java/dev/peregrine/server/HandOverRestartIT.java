package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.attack.Child;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Processes that hand their sockets over under load. {@code -Dperegrine.test.restarts=200} sets the
 * number of restarts.
 */
final class HandOverRestartIT {
  private static final int RESTARTS = Integer.getInteger("peregrine.test.restarts", 5);

  private final List<RestartLoad> loads = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();
  private Path directory = Path.of("");
  private String path = "";
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio hides the sockets' descriptors");
    directory = Files.createTempDirectory("hr");
    path = directory.resolve("s").toString();
    port = FreePort.ofLoopback();
  }

  @AfterEach
  void end() throws Exception {
    for (RestartLoad load : loads) {
      load.stop();
    }
    children.reversed().forEach(Child::close);
    if (!path.isEmpty()) {
      Files.deleteIfExists(Path.of(path));
      Files.delete(directory);
    }
  }

  private Child launch(String name, String... steps) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(path, String.valueOf(port), name));
    arguments.addAll(List.of(steps));
    Child child =
        Child.start(
            "",
            List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"),
            HandOverProgram.class,
            arguments.toArray(String[]::new));
    children.add(child);
    return child;
  }

  private Child start(String name) throws IOException {
    Child child = launch(name);
    assertThat(child.line()).isEqualTo(String.valueOf(port));
    return child;
  }

  private RestartLoad load(int newConnections, int persistent) {
    RestartLoad load = new RestartLoad(port, newConnections, persistent);
    loads.add(load);
    return load;
  }

  private static void awaitAnswer(RestartLoad load, String name) {
    long before = load.answersOf(name);
    Await.until(name + " answers", () -> load.answersOf(name) > before);
  }

  @Test
  void losesNothingInRestartsUnderLoad() throws Exception {
    Child running = start("0");
    RestartLoad load = load(4, 4);
    for (int i = 1; i <= RESTARTS; i++) {
      Child next = start(String.valueOf(i));
      awaitAnswer(load, String.valueOf(i));
      assertThat(running.awaitEnd()).as("%s", running.errors).isZero();
      children.remove(running);
      running.close();
      running = next;
    }
    load.stop();
    System.out.println(RESTARTS + " restarts: " + load);
    assertThat(load.failures).isEmpty();
    assertThat(load.refused.sum()).isZero();
    assertThat(load.repeatable.sum()).isZero();
    assertThat(load.connections.sum()).isPositive();
  }

  @Test
  void continuesIfTheNewProcessIsKilledBeforeItIsReady() throws Exception {
    Child old = start("old");
    Child killed = launch("killed", "before");
    assertThat(killed.line()).isEqualTo("waiting");

    killed.kill();

    Await.until(
        () -> "the old process has noticed, not only " + old.errors,
        () -> old.errors.stream().anyMatch(line -> line.contains("ended before it was ready")));
    RestartLoad load = load(1, 1);
    awaitAnswer(load, "old");
    Child next = start("next");
    awaitAnswer(load, "next");
    assertThat(old.awaitEnd()).isZero();
    load.stop();
    assertThat(load.failures).isEmpty();
    assertThat(load.refused.sum() + load.repeatable.sum()).isZero();
    assertThat(next.pid()).isPositive();
  }

  @Test
  void continuesIfTheOldProcessIsKilledMeanwhile() throws Exception {
    Child old = start("old");
    Child next = launch("next", "before");
    assertThat(next.line()).isEqualTo("waiting");

    old.kill();
    String line = next.ask("continue");

    assertThat(line).isEqualTo(String.valueOf(port));
    RestartLoad load = load(1, 1);
    awaitAnswer(load, "next");
    Child third = start("third");
    awaitAnswer(load, "third");
    assertThat(third.pid()).isPositive();
    assertThat(next.awaitEnd()).isZero();
    load.stop();
    assertThat(load.failures).isEmpty();
  }
}
