package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.UnixSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers that hand their listening sockets over, within one process. */
final class HandOverIT {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  private Path directory = Path.of("");
  private Path path = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio hides the sockets' descriptors");
    directory = Files.createTempDirectory("ho"); // short: an address has 107 bytes at most
    path = directory.resolve("hand-over.sock");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    if (path.isAbsolute()) {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private HandOver handOver() {
    return HandOver.at(path).withPatience(Duration.ofSeconds(30));
  }

  private HttpServer start(String name, HandOver handOver) {
    return start(name, handOver, options -> {});
  }

  private HttpServer start(String name, HandOver handOver, Consumer<HttpServerBuilder> options) {
    return servers.start(
        (request, response) -> response.text(name),
        builder -> {
          builder.with(handOver);
          options.accept(builder);
        });
  }

  private String answer(HttpServer server) {
    return servers.connect(server).get("/").read().text();
  }

  private String answerAt(Path socket) throws IOException {
    try (UnixSocket client = new UnixSocket(socket)) {
      client.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
      String response =
          new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }

  @Test
  void givesItsPortToTheNextServer() throws Exception {
    CompletableFuture<Void> left = new CompletableFuture<>();
    HttpServer old = start("old", handOver().onHandedOver(() -> left.complete(null)));
    RawClient early = servers.connect(old);
    assertThat(early.get("/").read().text()).isEqualTo("old");

    HttpServer next = start("next", handOver());

    assertThat(next.port()).isEqualTo(old.port());
    assertThat(answer(next)).isEqualTo("next");
    early.expectEnd();
    left.get(120, TimeUnit.SECONDS);
    assertThat(answer(next)).isEqualTo("next");
  }

  @Test
  void answersEveryRequestOnAConnectionUntilItsEnd() {
    ServerLimits limits =
        Servers.LIMITS.toBuilder().shutdownIdleTime(Duration.ofMinutes(1)).build();
    HttpServer old = start("old", handOver(), options -> options.limits(limits));
    RawClient early = servers.connect(old);
    assertThat(early.get("/").read().text()).isEqualTo("old");
    start("next", handOver());

    RawResponse response;
    do {
      response = early.get("/").read();
      assertThat(response.text()).isEqualTo("old");
    } while (!response.saysClose());
    early.expectEnd();
  }

  @Test
  void isHandedOverRepeatedlyWithoutLosingDescriptors() {
    HttpServer first = start("0", handOver());
    int port = first.port();
    HttpServer last = start("1", handOver());
    awaitClosed(first);
    List<String> before = Descriptors.ofTransports();
    for (int i = 2; i < 12; i++) {
      HttpServer previous = last;
      last = start(String.valueOf(i), handOver());
      assertThat(last.port()).isEqualTo(port);
      awaitClosed(previous);
    }
    assertThat(answer(last)).isEqualTo("11");
    Await.until(
        () -> before.size() + " descriptors, not " + Descriptors.ofTransports().size(),
        () -> Descriptors.ofTransports().size() <= before.size() + 2); // the client just closed
  }

  private static void awaitClosed(HttpServer server) {
    Await.until("the old server has ended", server.running().end()::isClosed);
  }

  @Test
  void bindsItsEndpointsIfNoProcessListensAtThePath() throws Exception {
    HttpServer server = start("one", handOver());

    assertThat(answer(server)).isEqualTo("one");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    server.close();
    assertThat(path).doesNotExist();
  }

  @Test
  void continuesIfTheNextServerFailsBeforeItIsReady() {
    HttpServer old = start("old", handOver());
    HandOver failing =
        handOver()
            .beforeReady(
                () -> {
                  throw new IllegalStateException("intended");
                });

    assertThatThrownBy(() -> start("next", failing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("intended");

    Await.until("the old server has noticed", () -> !servers.log().take(Level.WARNING).isEmpty());
    assertThat(answer(old)).isEqualTo("old");
    HttpServer next = start("next", handOver());
    assertThat(answer(next)).isEqualTo("next");
  }

  @Test
  void refusesASecondServerMeanwhile() {
    HttpServer old = start("old", handOver());
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    HandOver contended =
        handOver()
            .beforeReady(
                () -> {
                  try {
                    start("second", handOver());
                    refused.completeExceptionally(new AssertionError("it was started"));
                  } catch (UncheckedIOException expected) {
                    refused.complete(expected);
                  }
                });

    HttpServer next = start("next", contended);

    assertThat(refused.join())
        .hasMessageContaining("keeps its sockets: process " + ProcessHandle.current().pid())
        .hasMessageContaining("is taking the sockets over at present");
    awaitClosed(old);
    assertThat(answer(next)).isEqualTo("next");
    servers.log().expectOne(Level.WARNING, "was refused a hand-over");
  }

  @Test
  void refusesAServerThatIsNotReadyInTime() {
    HttpServer old = start("old", handOver().withReadyTime(Duration.ofMillis(1)));
    CountDownLatch reported = new CountDownLatch(1); // by the old server
    Runnable awaitReport =
        () ->
            Await.until(
                "it is too late",
                () -> {
                  if (!servers.log().take(Level.WARNING).isEmpty()) {
                    reported.countDown();
                  }
                  return reported.getCount() == 0;
                });
    HandOver late = handOver().beforeReady(awaitReport);

    assertThatThrownBy(() -> start("next", late))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("keeps its sockets: its time is over");
    awaitReport.run(); // on a slow machine its time is over before the server would be ready
    assertThat(answer(old)).isEqualTo("old");
  }

  @Test
  void refusesAServerWithOtherEndpoints() {
    HttpServer old = start("old", handOver(), options -> options.host("127.0.0.1"));

    assertThatThrownBy(() -> start("next", handOver(), options -> options.host("localhost")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("listens on [host 127.0.0.1, port 0]")
        .hasMessageContaining("should on [host localhost, port 0]");

    assertThat(answer(old)).isEqualTo("old");
    Await.until("the old server has noticed", () -> !servers.log().take(Level.WARNING).isEmpty());
  }

  @Test
  void leavesItsSocketsToTheNextServerIfItIsShutDownMeanwhile() {
    HttpServer old = start("old", handOver());

    HttpServer next =
        start(
            "next",
            handOver()
                .beforeReady(
                    () -> assertThat(old.shutdown(Duration.ofSeconds(30)).isComplete()).isTrue()));

    assertThat(answer(next)).isEqualTo("next");
    assertThat(path).exists();
    HttpServer third = start("third", handOver());
    assertThat(answer(third)).isEqualTo("third");
  }

  @Test
  void leavesItsSocketsToTheNextServerIfItIsClosedMeanwhile() {
    HttpServer old = start("old", handOver());

    HttpServer next = start("next", handOver().beforeReady(old::close));

    assertThat(answer(next)).isEqualTo("next");
  }

  @Test
  void givesEverySocketOfAPort() {
    HttpServer old = start("old", handOver(), options -> options.reusePort(true));

    HttpServer next = start("next", handOver(), options -> options.reusePort(true).loops(3));

    assertThat(next.port()).isEqualTo(old.port());
    for (int i = 0; i < 20; i++) {
      assertThat(answer(next)).isEqualTo("next");
    }
    HttpServer third = start("third", handOver(), options -> options.loops(1));
    for (int i = 0; i < 20; i++) {
      assertThat(answer(third)).isEqualTo("third");
    }
  }

  @Test
  void givesAUnixDomainSocketWithItsFile() throws Exception {
    Path socket = directory.resolve("http.sock");
    List<Endpoint> both = List.of(Endpoint.unix(socket), Endpoint.tcp("::1", 0));
    HttpServer old = startOn("old", both);
    assertThat(answerAt(socket)).isEqualTo("old");

    HttpServer next = startOn("next", both.reversed());

    awaitClosed(old);
    assertThat(next.port()).isEqualTo(old.port());
    assertThat(answerAt(socket)).isEqualTo("next");
    assertThat(answer(next)).isEqualTo("next");
    next.close();
    assertThat(socket).doesNotExist();
    assertThat(path).doesNotExist();
  }

  private HttpServer startOn(String name, List<Endpoint> endpoints) {
    HttpServerBuilder builder =
        Peregrine.builder()
            .transport(Servers.TRANSPORT)
            .limits(Servers.LIMITS)
            .with(handOver())
            .handler((request, response) -> response.text(name));
    endpoints.forEach(builder::endpoint);
    return servers.watch(builder.start());
  }
}
