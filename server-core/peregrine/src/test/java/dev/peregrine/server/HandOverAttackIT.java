package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.linux.LocalMessage;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes at the hand-over socket that stop, or don't keep to the protocol. */
final class HandOverAttackIT {
  /** For an old process of the tests that must answer in time, and then stops. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(10);

  @RegisterExtension final Servers servers = new Servers();

  private Path directory = Path.of("");
  private String path = "";

  @BeforeEach
  void makeDirectory() throws IOException {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio hides the sockets' descriptors");
    directory = Files.createTempDirectory("ha");
    path = directory.resolve("s").toString();
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    if (!path.isEmpty()) {
      Files.deleteIfExists(Path.of(path));
      Files.delete(directory);
    }
  }

  private HttpServer start(Duration readyTime) {
    return start(readyTime, () -> {});
  }

  private HttpServer start(Duration readyTime, Runnable onHandedOver) {
    return start(HandOver.at(Path.of(path)).withReadyTime(readyTime).onHandedOver(onHandedOver));
  }

  private HttpServer startAt(Path handOver, Duration readyTime) {
    return start(HandOver.at(handOver).withReadyTime(readyTime));
  }

  private HttpServer start(HandOver handOver) {
    return servers.start(
        (request, response) -> response.text("served"), options -> options.with(handOver));
  }

  private LocalSocket connect() throws IOException {
    return Objects.requireNonNull(LocalSocket.connect(path));
  }

  private static LocalMessage receive(LocalSocket from) throws IOException {
    List<LocalMessage> received = new ArrayList<>();
    Await.until(
        "a message arrives",
        () -> {
          try {
            LocalMessage message = from.receive();
            return message != null && received.add(message);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
    return received.getFirst();
  }

  private void expectUnharmed(HttpServer server) {
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("served");
    HttpServer next = start(Duration.ofSeconds(30));
    assertThat(next.port()).isEqualTo(server.port());
    assertThat(servers.connect(next).get("/").read().text()).isEqualTo("served");
    servers.log().take(Level.WARNING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "take", "take 2", "take 1 ", "\0", "GET / HTTP/1.1\r\n\r\n"})
  void refusesARequestThatIsNotOne(String request) throws Exception {
    HttpServer server = start(Duration.ofSeconds(30));
    try (LocalSocket peer = connect()) {
      assertThat(peer.send(request)).isTrue();
      LocalMessage answer = receive(peer);
      assertThat(answer.text()).isEqualTo("refused the hand-over failed");
      assertThat(answer.descriptors()).isEmpty();
      assertThat(receive(peer).isEnd()).isTrue();
    }
    expectUnharmed(server);
  }

  @Test
  void closesDescriptorsThatItDidNotAskFor() throws Exception {
    HttpServer server = start(Duration.ofSeconds(30));
    try (LocalSocket peer = connect()) {
      int before = Descriptors.ofTransports().size();
      assertThat(peer.send("take 2", peer.descriptor(), peer.descriptor())).isTrue();
      assertThat(receive(peer).text()).startsWith("refused ");
      Await.until("the descriptors are closed", () -> Descriptors.ofTransports().size() <= before);
    }
    expectUnharmed(server);
  }

  @Test
  void doesNotWaitForAProcessThatAsksForNothing() throws Exception {
    HttpServer server = start(Duration.ofSeconds(30));
    try (LocalSocket peer = connect()) {
      assertThat(receive(peer).text()).isEqualTo("refused its time is over");
    }
    expectUnharmed(server);
  }

  @Test
  void doesNotWaitForAProcessThatIsNeverReady() throws Exception {
    HttpServer server = start(Duration.ofMillis(50));
    try (LocalSocket peer = connect()) {
      assertThat(peer.send("take 1")).isTrue();
      LocalMessage socket = receive(peer);
      assertThat(socket.text()).isEqualTo("socket 0 own host 127.0.0.1, port 0");
      assertThat(socket.descriptors()).hasSize(1);
      LocalMessage listener = receive(peer);
      assertThat(listener.text()).isEqualTo("path");
      assertThat(receive(peer).text()).isEqualTo("end 1");
      assertThat(receive(peer).text()).isEqualTo("refused its time is over");
      socket.discard();
      listener.discard();
    }
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("served");
    try (LocalSocket next = connect()) {
      assertThat(next.send("take 1")).isTrue();
      LocalMessage socket = receive(next);
      assertThat(socket.text()).startsWith("socket 0 own ");
      socket.discard();
    }
    List<LogRecord> warnings = new ArrayList<>();
    Await.until(
        "the end of both is noticed",
        () -> {
          warnings.addAll(servers.log().take(Level.WARNING));
          return warnings.size() == 2;
        });
  }

  @Test
  void continuesIfAProcessEndsBeforeItIsReady() throws Exception {
    HttpServer server = start(Duration.ofSeconds(30));
    for (int i = 0; i < 20; i++) {
      try (LocalSocket peer = connect()) {
        assertThat(take(peer))
            .satisfiesAnyOf(
                last -> assertThat(last).isEqualTo("end 1"),
                last -> assertThat(last).startsWith("refused ")); // the one before is still served
      }
    }
    expectUnharmed(server);
  }

  /** Takes the sockets, and closes them. Returns the last message. */
  private static String take(LocalSocket peer) throws IOException {
    assertThat(peer.send("take 1")).isTrue();
    LocalMessage message;
    do {
      message = receive(peer);
      message.discard();
    } while (!message.text().startsWith("end ") && !message.text().startsWith("refused "));
    return message.text();
  }

  /** The old process either notices the end and continues, or has decided before, and ends. */
  @Test
  void eitherContinuesOrEndsIfAProcessEndsAsSoonAsItIsReady() throws Exception {
    for (int i = 0; i < 20; i++) {
      AtomicInteger handedOver = new AtomicInteger();
      HttpServer server = start(Duration.ofSeconds(30), handedOver::incrementAndGet);
      try (LocalSocket peer = connect()) {
        assertThat(take(peer)).isEqualTo("end 1");
        assertThat(peer.send("ready")).isTrue();
      }
      Await.until(
          "the old process has decided",
          () -> handedOver.get() > 0 || !servers.log().take(Level.WARNING).isEmpty());
      if (handedOver.get() == 0) {
        assertThat(servers.connect(server).get("/").read().text()).isEqualTo("served");
        server.close();
        assertThat(Path.of(path)).doesNotExist();
      } else {
        assertThat(server.running().end().isClosed()).isTrue();
      }
    }
  }

  @Test
  void leavesThePathToTheNextProcessIfAProcessEndsOnceItHasTheSockets() throws Exception {
    CountDownLatch handedOver = new CountDownLatch(1);
    HttpServer server = start(Duration.ofSeconds(30), handedOver::countDown);
    RawClient early = servers.connect(server);
    assertThat(early.get("/").read().text()).isEqualTo("served");
    try (LocalSocket peer = connect()) {
      assertThat(take(peer)).isEqualTo("end 1");
      assertThat(peer.send("ready")).isTrue();
      assertThat(receive(peer).text()).isEqualTo("done");
    }
    early.expectEnd();
    handedOver.await();
    assertThat(server.running().end().isClosed()).isTrue();

    HttpServer next = start(Duration.ofSeconds(30));

    assertThat(servers.connect(next).get("/").read().text()).isEqualTo("served");
  }

  @Test
  void refusesManyProcessesMeanwhile() throws Exception {
    HttpServer server = start(Duration.ofSeconds(30));
    try (LocalSocket first = connect()) {
      assertThat(first.send("take 1")).isTrue();
      receive(first).discard();
      for (int i = 0; i < 200; i++) {
        try (LocalSocket further = connect()) {
          assertThat(receive(further).text())
              .startsWith("refused process ")
              .endsWith(" is taking the sockets over at present");
        }
      }
      assertThat(servers.connect(server).get("/").read().text()).isEqualTo("served");
    }
    expectUnharmed(server);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "socket",
        "socket x own a",
        "socket 0 mine a",
        "end 1",
        "refused for a reason",
      })
  void doesNotStartOnWhatIsNoHandOver(String answer) throws Exception {
    try (LocalSocket impostor = LocalSocket.listen(path, 1)) {
      int before = Descriptors.ofTransports().size();
      Thread answering = Thread.ofPlatform().start(() -> answer(impostor, answer));

      assertThatThrownBy(() -> start(Duration.ofSeconds(30)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("can't take sockets over at " + path)
          .hasMessageContaining(answer.startsWith("refused ") ? "for a reason" : answer);

      answering.join();
      Await.until("the descriptors are closed", () -> Descriptors.ofTransports().size() <= before);
    }
  }

  @Test
  void doesNotWaitForAnOldProcessThatHangs() throws Exception {
    try (LocalSocket impostor = LocalSocket.listen(path, 1)) {
      assertThat(impostor.descriptor()).isPositive();
      assertThatThrownBy(() -> start(Duration.ofMillis(50)))
          .hasMessageContaining("has not answered for 50 ms");
    }
  }

  /**
   * An old process that has stopped reads the word "ready" when it runs again. It continues to
   * accept connections if it finds the connection ended after that.
   */
  @Test
  void staysConnectedToAnOldProcessThatHasStopped() throws Exception {
    Path old = directory.resolve("old");
    HttpServer source = startAt(old, Duration.ofSeconds(30));
    try (LocalSocket stopped = LocalSocket.listen(path, 2)) {
      CompletableFuture<HttpServer> starting =
          CompletableFuture.supplyAsync(() -> start(ANSWER_TIME));
      try (LocalSocket peer = accept(stopped)) {
        offer(old, stopped, peer);
        assertThat(receive(peer).text()).isEqualTo("ready");
        HttpServer next = starting.join();

        assertThat(next.port()).isEqualTo(source.port());
        assertThat(peer.receive()).as("what came after ready").isNull();

        HttpServer third = start(Duration.ofSeconds(30));
        assertThat(receive(peer).isEnd()).as("an end with nothing before it").isFalse();
        assertThat(receive(peer).isEnd()).isTrue();
        assertThat(servers.connect(third).get("/").read().text()).isEqualTo("served");
      }
    }
    servers.log().take(Level.WARNING);
    source.close();
  }

  @Test
  void letsAnOldProcessThatHasStoppedContinueAfterTheEnd() throws Exception {
    Path old = directory.resolve("old");
    HttpServer source = startAt(old, Duration.ofSeconds(30));
    try (LocalSocket stopped = LocalSocket.listen(path, 2)) {
      CompletableFuture<HttpServer> starting =
          CompletableFuture.supplyAsync(() -> start(ANSWER_TIME));
      try (LocalSocket peer = accept(stopped)) {
        offer(old, stopped, peer);
        assertThat(receive(peer).text()).isEqualTo("ready");
        starting.join().close();

        assertThat(receive(peer).isEnd()).isTrue();
      }
    }
    servers.log().take(Level.WARNING);
    source.close();
  }

  /** Offers the socket of the server at a path, as a process does that stops after that. */
  private static void offer(Path old, LocalSocket listener, LocalSocket peer) throws IOException {
    assertThat(receive(peer).text()).isEqualTo("take 1");
    try (LocalSocket giving = Objects.requireNonNull(LocalSocket.connect(old.toString()))) {
      assertThat(giving.send("take 1")).isTrue();
      LocalMessage socket = receive(giving);
      assertThat(peer.send(socket.text(), socket.descriptors().getFirst())).isTrue();
      socket.discard();
      receive(giving).discard();
    }
    assertThat(peer.send("path", listener.descriptor())).isTrue();
    assertThat(peer.send("end 1")).isTrue();
  }

  private static LocalSocket accept(LocalSocket listener) {
    List<LocalSocket> accepted = new ArrayList<>();
    Await.until(
        "a process connects",
        () -> {
          try {
            LocalSocket peer = listener.accept();
            return peer != null && accepted.add(peer);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
    return accepted.getFirst();
  }

  private static void answer(LocalSocket impostor, String text) {
    try (LocalSocket peer = accept(impostor)) {
      // with a descriptor that is not a listening socket
      assertThat(peer.send(text, peer.descriptor())).isTrue();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
