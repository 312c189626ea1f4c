package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.EndpointSource;
import dev.peregrine.server.config.ServerPart;
import dev.peregrine.server.testing.TestRequest;
import dev.peregrine.server.testing.TestResponse;
import dev.peregrine.testing.OwnCode;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Requests;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is built from three artifacts, and what such a server says that it lacks. */
final class EmbedderIT {
  private static final Pattern ARTIFACT = Pattern.compile("(peregrine-\\w+?)-\\d.*\\.jar");
  private static final Pattern RESOLVED =
      Pattern.compile("(?m)^(?:root|[\\w.]+ requires) ([\\w.]+) ");

  private static final byte HTTP_1_1_REQUIRED = 0xd; // RFC 9113 section 7

  /** The most kilobytes of each jar. */
  private static final Map<String, Integer> KILOBYTES_MAX =
      Map.of("peregrine-parser", 200, "peregrine-http", 260, "peregrine-server", 600);

  private static final String PROGRAM =
      """
      package app;

      import dev.peregrine.server.HttpServer;
      import java.net.URI;
      import java.net.http.HttpClient;
      import java.net.http.HttpRequest;
      import java.net.http.HttpResponse.BodyHandlers;

      public final class Main {
        public static void main(String[] arguments) throws Exception {
          try (HttpServer server =
                  HttpServer.builder()
                      .port(0)
                      .handler((request, response) -> response.text("embedded"))
                      .start();
              HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port());
            System.out.println(
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body());
          }
        }
      }
      """;

  @TempDir private Path folder;

  private static Set<Path> artifacts() {
    Set<Path> jars = OwnCode.origins(List.of(RequestParser.class, Request.class, HttpServer.class));
    assumeTrue(jars.stream().allMatch(Files::isRegularFile), "the artifacts are jars");
    return jars;
  }

  @Test
  void answersAsAModularProgramOnThreeArtifacts() throws Exception {
    Path source = Files.createDirectories(folder.resolve("source/app"));
    Files.writeString(source.resolve("Main.java"), PROGRAM);
    Path descriptor =
        Files.writeString(
            folder.resolve("source/module-info.java"),
            "module app { requires dev.peregrine.server; requires java.net.http; }");
    String path = OwnCode.path(artifacts());
    Path classes = folder.resolve("classes");
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-Xlint:all,-incubating",
                "-Werror",
                "--module-path",
                path
                    + File.pathSeparator
                    + OwnCode.path(OwnCode.origins(List.of(NullMarked.class))),
                "-d",
                classes.toString(),
                descriptor.toString(),
                source.resolve("Main.java").toString());
    assertThat(code).as("javac").isZero();

    String output =
        Processes.run(
            folder,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "app", // no module that isn't required
                "--show-module-resolution",
                "--module-path",
                path + File.pathSeparator + classes,
                "--module",
                "app/app.Main"));

    assertThat(output).contains("embedded");
    assertThat(RESOLVED.matcher(output).results().map(found -> found.group(1)).distinct())
        .containsExactlyInAnyOrder(
            "app",
            "dev.peregrine.server",
            "dev.peregrine.http",
            "dev.peregrine.parser",
            "java.management",
            "java.net.http");
  }

  @Test
  void carriesOnlyItsArtifacts() throws IOException {
    Map<String, Integer> kilobytes = new TreeMap<>();
    for (Path jar : artifacts()) {
      var name = ARTIFACT.matcher(jar.getFileName().toString());
      assertThat(name.matches()).as(jar.toString()).isTrue();
      kilobytes.put(name.group(1), (int) (Files.size(jar) / 1024));
    }

    assertThat(kilobytes.keySet()).isEqualTo(new TreeSet<>(KILOBYTES_MAX.keySet()));
    kilobytes.forEach(
        (name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(KILOBYTES_MAX.get(name)));
  }

  private static HttpServerBuilder plain() {
    return HttpServer.builder().port(0).handler((request, response) -> response.text("plain"));
  }

  @Test
  void speaksHttp1WithoutParts() throws Exception {
    try (HttpServer server = plain().start();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(server.transport()).isEqualTo(TransportKind.NIO);

      client.getOutputStream().write(Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));

      byte[] goAway = {0, 0, 0, HTTP_1_1_REQUIRED};
      assertThat(client.getInputStream().readAllBytes()).endsWith(goAway);
    }
  }

  @Test
  void namesThePartThatIsMissing() {
    assertThatThrownBy(() -> plain().transport(TransportKind.EPOLL).start())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("with(Epoll.create())");
    assertThatThrownBy(
            () ->
                HttpServer.builder()
                    .endpoint(Endpoint.tcp("127.0.0.1", 0).withHttp2Only())
                    .handler((request, response) -> response.text("never"))
                    .start())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("with(Http2.create())");
    assertThatThrownBy(() -> plain().logPinned(Duration.ofSeconds(1)).start())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("with(FlightEvents.create())");
  }

  @Test
  void namesThePartThatAHandlerMisses() throws Exception {
    Handler sockets =
        (request, response) -> {
          try {
            response.webSocket(new WebSocketListener() {});
          } catch (UnsupportedOperationException missing) {
            response.text(String.valueOf(missing.getMessage()));
          }
        };

    TestResponse answer =
        TestRequest.get("/")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("Sec-WebSocket-Version", "13")
            .send(HttpServer.builder().handler(sockets));

    assertThat(answer.text()).endsWith("with(WebSocketProtocol.create())");
  }

  @Test
  void refusesPartsOfOthers() {
    assertThatThrownBy(() -> plain().with(new ServerPart() {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a part of Peregrine");
    assertThatThrownBy(() -> plain().with(new EndpointLayer() {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a layer of Peregrine");
    assertThatThrownBy(() -> Endpoint.of(new EndpointSource() {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a source of Peregrine");
  }
}
