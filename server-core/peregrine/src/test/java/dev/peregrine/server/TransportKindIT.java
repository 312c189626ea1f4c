package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server on each transport, and the choice between them. */
final class TransportKindIT {
  private static final int LARGE_BYTES = 8 * 1024 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  static Stream<TransportKind> kinds() {
    return Epoll.problem() == null
        ? Stream.of(TransportKind.NIO, TransportKind.EPOLL)
        : Stream.of(TransportKind.NIO);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void servesOnTheRequestedTransport(TransportKind kind) {
    for (boolean reusePort : new boolean[] {false, true}) {
      HttpServer server =
          servers.start(
              Echo.PIECES.handler(), options -> options.transport(kind).reusePort(reusePort));
      assertThat(server.transport()).isEqualTo(kind);
      for (int i = 0; i < 20; i++) {
        RawClient client = servers.connect(server);
        byte[] content = Requests.content(i * 5_000);
        byte[] request = Requests.post("/", content);
        client.send(Requests.join(request, request));
        assertThat(client.read().content()).isEqualTo(content);
        assertThat(client.read().content()).isEqualTo(content);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void sendsMoreThanTheSocketTakes(TransportKind kind) {
    byte[] content = Requests.content(LARGE_BYTES);
    HttpServer server =
        servers.start(
            (request, response) -> response.send(content), options -> options.transport(kind));
    RawClient client = servers.connect(server);
    client.send(Requests.join(Requests.get("/"), Requests.get("/")));
    assertThat(client.read().content()).isEqualTo(content);
    assertThat(client.read().content()).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void leavesNoDescriptors(TransportKind kind) throws IOException {
    assumeTrue(Descriptors.areVisible(), "only Linux shows a process its descriptors");
    for (int i = 0; i < 3; i++) {
      List<String> before =
          i == 0 ? List.of() : Descriptors.ofTransports(); // the first loads classes
      List<RawClient> clients = new ArrayList<>();
      try (HttpServer server =
          Peregrine.builder()
              .loops(2)
              .transport(kind)
              .limits(Servers.LIMITS)
              .handler((request, response) -> response.text("hello"))
              .start()) {
        for (int c = 0; c < 10; c++) {
          RawClient client = RawClient.connect(server.address());
          clients.add(client);
          assertThat(client.get("/").read().text()).isEqualTo("hello");
        }
      }
      clients.forEach(RawClient::close);
      if (i > 0) {
        Descriptors.awaitNoMoreThan(before);
      }
    }
  }

  @Test
  void takesEpollByItselfWhereItCanBeUsed() {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("hello"),
            options -> options.transport(TransportKind.AUTO));
    TransportKind expected = Epoll.problem() == null ? TransportKind.EPOLL : TransportKind.NIO;
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("hello");
    Await.until("it has moved", () -> server.transport() == expected);
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("hello");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void namesTheTransportInTheLog(TransportKind kind) {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("hello"), options -> options.transport(kind));
    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("hello");

    List<String> lines = new ArrayList<>();
    Await.until(
        "the transport is logged",
        () -> {
          servers.log().take(Level.INFO).forEach(record -> lines.add(record.getMessage()));
          return lines.contains("transport: " + kind.name().toLowerCase(Locale.ROOT));
        });
  }

  @Test
  void fallsBackWithoutAWarningWhereNativeAccessIsNotEnabled() throws IOException {
    String output = startInAnotherVm(TransportKind.AUTO);
    assertThat(output).contains("started on NIO").contains("transport: nio");
    if (System.getProperty("os.name").equals("Linux")) {
      assertThat(output).contains("--enable-native-access=ALL-UNNAMED");
    }
    assertThat(output).doesNotContain("WARNING");
  }

  @Test
  void reportsWhyARequestedTransportCannotBeUsed() throws IOException {
    String output = startInAnotherVm(TransportKind.EPOLL);
    assertThat(output)
        .contains("UnsupportedOperationException: the epoll transport can't be used: ")
        .doesNotContain("WARNING")
        .doesNotContain("started on");
  }

  /** Starts and closes a server in a VM without native access; returns what the VM printed. */
  private static String startInAnotherVm(TransportKind kind) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName(),
                kind.name())
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The main of the other VM. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) {
      try (HttpServer server =
          Peregrine.builder()
              .transport(TransportKind.valueOf(args[0]))
              .handler((request, response) -> response.send())
              .start()) {
        System.out.println("started on " + server.transport());
      }
    }
  }
}
