package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.ServingProgram.Kind.CREATES;
import static dev.peregrine.jdk.httpserver.ServingProgram.Kind.STARTS;
import static dev.peregrine.jdk.httpserver.ServingProgram.Kind.STARTS_ON_A_DAEMON_THREAD;
import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads keep a program running. */
@Timeout(60)
class ServerThreadsIT {
  private Set<Thread> before = Set.of();

  private static Set<Thread> nonDaemons() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(Thread::isDaemon);
    return threads;
  }

  /** Called within a test, because JUnit starts the thread of its time limits before the first. */
  private void noteThreads() {
    before = nonDaemons();
  }

  private Set<Thread> added() {
    Set<Thread> added = nonDaemons();
    added.removeAll(before);
    return added;
  }

  @Test
  void hasNoNonDaemonThreadBeforeItsStart() throws IOException {
    noteThreads();
    try (TestServer server = TestServer.bound()) {
      assertThat(server.port()).isPositive();
      assertThat(added()).isEmpty();
    }
  }

  @Test
  void hasOneNonDaemonThreadUntilItIsStopped() throws Exception {
    noteThreads();
    try (TestServer server = TestServer.start(answering("served"))) {
      assertThat(server.get("/").content()).isEqualTo("served");
      assertThat(added()).hasSize(1);
      Thread keeper = added().iterator().next();
      keeper.interrupt(); // by a program that interrupts all threads
      assertThat(server.get("/").content()).isEqualTo("served");
      assertThat(keeper.isAlive()).isTrue();

      server.http.stop(0);

      keeper.join();
      assertThat(added()).isEmpty();
    }
  }

  @Test
  void hasOnlyDaemonsIfADaemonThreadStartsIt() throws Exception {
    noteThreads();
    try (TestServer server = TestServer.bound()) {
      server.http.createContext("/", answering("served"));
      Thread.ofPlatform().daemon().start(server.http::start).join();

      assertThat(server.get("/").content()).isEqualTo("served");
      assertThat(added()).isEmpty();
    }
  }

  @Test
  void keepsAProgramRunningUntilItIsStopped() throws Exception {
    Process program = ServingProgram.start(STARTS);
    try {
      int port = ServingProgram.port(program);
      try (RawClient client = RawClient.connect(port).request("GET", "/stop")) {
        assertThat(client.receive().content()).isEqualTo("stopping");
      }
      assertThat(ServingProgram.exitCode(program)).isZero();
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void letsAProgramEndThatOnlyCreatesAServer() throws Exception {
    assertThat(ServingProgram.exitCode(ServingProgram.start(CREATES))).isZero();
  }

  @Test
  void letsAProgramEndWhoseServerWasStartedByADaemonThread() throws Exception {
    Process program = ServingProgram.start(STARTS_ON_A_DAEMON_THREAD);

    assertThat(ServingProgram.exitCode(program)).isZero();
  }
}
