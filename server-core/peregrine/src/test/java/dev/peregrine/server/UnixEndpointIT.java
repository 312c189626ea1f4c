package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers on Unix domain sockets, alone and beside TCP. */
final class UnixEndpointIT {
  private static final String GET = "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  private Path directory = Path.of("");
  private Path path = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("un"); // short: an address has 107 bytes at most
    path = directory.resolve("http.sock");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    for (Path file : list()) {
      Files.deleteIfExists(file);
    }
    Files.delete(directory);
  }

  private Path[] list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toArray(Path[]::new);
    }
  }

  private HttpServer serve(Handler handler) {
    return serve(handler, Endpoint.unix(path));
  }

  private HttpServer serve(Handler handler, Endpoint... endpoints) {
    HttpServerBuilder builder =
        Peregrine.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .handler(handler);
    for (Endpoint endpoint : endpoints) {
      builder.endpoint(endpoint);
    }
    return servers.watch(builder.start());
  }

  private SocketChannel connect() {
    try {
      return SocketChannel.open(UnixDomainSocketAddress.of(path));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private String exchange(byte[] request) throws IOException {
    try (SocketChannel client = connect()) {
      send(client, request);
      return read(client);
    }
  }

  private static void send(SocketChannel client, byte[] bytes) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining()) {
      int ignored = client.write(source);
    }
  }

  private static String read(SocketChannel client) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
    while (client.read(buffer.clear()) >= 0) {
      received.write(buffer.array(), 0, buffer.position());
    }
    return received.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void answersLikeAPort() throws IOException {
    HttpServer server =
        serve(
            (request, response) ->
                response.text(
                    request.path() + " " + request.localAddress() + "|" + request.remoteAddress()));

    assertThat(exchange(Requests.bytes(GET)))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .endsWith("/hello " + path + "|");
    assertThat(server.addresses()).containsExactly(UnixDomainSocketAddress.of(path));
    assertThatIllegalStateException().isThrownBy(server::port).withMessageContaining("TCP");
  }

  @Test
  void knowsItsAddressesOnOtherThreads() throws IOException {
    serve(
        (request, response) -> {
          response.async();
          Thread.ofVirtual()
              .start(() -> response.text(request.localAddress() + "|" + request.remoteAddress()));
        });

    assertThat(exchange(Requests.bytes(GET))).endsWith("\r\n" + path + "|");
  }

  @Test
  void takesAndSendsMoreThanTheSystemBuffers() throws Exception {
    byte[] content = Requests.content(3_000_000);
    serve(
        (request, response) ->
            request.body().receiveAll(content.length, read -> response.send(read)));
    byte[] head =
        Requests.bytes(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                + content.length
                + "\r\n\r\n");

    try (SocketChannel client = connect()) {
      send(client, head);
      send(client, content);
      String response = read(client);

      assertThat(response).startsWith("HTTP/1.1 200 OK\r\n");
      assertThat(response.substring(response.indexOf("\r\n\r\n") + 4))
          .isEqualTo(new String(content, StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void hasThePermissionsThatWereSet() throws IOException {
    serve((request, response) -> response.text("a"));
    assertThat(permissions()).isEqualTo("rw-------");
    assertThat(list()).containsExactly(path);

    Path other = directory.resolve("group.sock");
    HttpServer server =
        serve(
            (request, response) -> response.text("a"),
            Endpoint.unix(other).withPermissions("rw-rw----"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("rw-rw----");
    server.close();
  }

  private String permissions() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void replacesASocketOfAProcessThatHasEnded() throws IOException {
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();

    serve((request, response) -> response.text("new"));

    assertThat(exchange(Requests.bytes(GET))).endsWith("new");
  }

  @Test
  void leavesASocketAloneThatAnotherProcessListensOn() throws IOException {
    serve((request, response) -> response.text("first"));

    assertThatThrownBy(() -> serve((request, response) -> response.text("second")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContainingAll(path.toString(), "another process listens there");

    assertThat(exchange(Requests.bytes(GET))).endsWith("first");
    assertThat(list()).containsExactly(path);
  }

  @Test
  void keepsAFileThatIsNotASocket() throws IOException {
    Files.writeString(path, "precious");

    assertThatThrownBy(() -> serve((request, response) -> response.text("a")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContainingAll(path.toString(), "not a socket");

    assertThat(path).hasContent("precious");
    assertThat(list()).containsExactly(path);
  }

  @Test
  void reportsAPathThatIsTooLongOrHasNoDirectory() throws IOException {
    assertThatThrownBy(
            () ->
                serve(
                    (request, response) -> response.text("a"),
                    Endpoint.unix(directory.resolve("x".repeat(120)))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("too long");
    assertThatThrownBy(
            () ->
                serve(
                    (request, response) -> response.text("a"),
                    Endpoint.unix(directory.resolve("none").resolve("a.sock"))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("none");
    assertThat(list()).isEmpty();
  }

  @Test
  void deletesItsFileWhenItStopsToListen() throws IOException {
    HttpServer server = serve((request, response) -> response.text("a"));

    server.close();

    assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void leavesTheFileOfItsSuccessor() throws IOException {
    HttpServer first = serve((request, response) -> response.text("first"));
    Files.delete(path); // as a supervisor does that starts a successor
    serve((request, response) -> response.text("second"));

    first.close();

    assertThat(exchange(Requests.bytes(GET))).endsWith("second");
  }

  @Test
  void answersWhatHasConnectedWhenItShutsDown() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    HttpServer server =
        serve(
            Handlers.blocking(
                (request, response) -> {
                  begun.countDown();
                  end.await();
                  response.text("served");
                }));
    try (SocketChannel client = connect()) {
      send(client, Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
      begun.await();
      CompletableFuture<Boolean> drained =
          CompletableFuture.supplyAsync(
              () -> server.shutdown(Duration.ofSeconds(30)).isComplete(),
              work -> Thread.ofVirtual().start(work));
      Await.until("connections drain", server.running().end()::isDraining);
      assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).isFalse();
      end.countDown();

      assertThat(read(client)).contains("Connection: close\r\n").endsWith("served");
      assertThat(drained.join()).isTrue();
    }
  }

  @Test
  void listensBesideTcp() throws IOException {
    HttpServer server =
        serve(
            (request, response) -> response.text(request.localAddress().getClass().getSimpleName()),
            Endpoint.unix(path),
            Endpoint.tcp("127.0.0.1", 0),
            Endpoint.tcp("127.0.0.1", 0));

    assertThat(server.addresses()).hasSize(3);
    assertThat(server.address()).isEqualTo(server.addresses().get(1));
    assertThat(exchange(Requests.bytes(GET))).endsWith("UnixDomainSocketAddress");
    for (int i = 1; i < 3; i++) {
      InetSocketAddress tcp = (InetSocketAddress) server.addresses().get(i);
      assertThat(servers.connect(tcp).get("/").read().text()).isEqualTo("InetSocketAddress");
    }
  }

  @Test
  void deletesItsFileIfAnotherEndpointFails() throws IOException {
    HttpServer occupying =
        serve((request, response) -> response.text("a"), Endpoint.tcp("127.0.0.1", 0));

    assertThatThrownBy(
            () ->
                serve(
                    (request, response) -> response.text("b"),
                    Endpoint.unix(path),
                    Endpoint.tcp("127.0.0.1", occupying.port())))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("port " + occupying.port());

    assertThat(list()).isEmpty();
  }

  @Test
  void rejectsEndpointsBesideTheirShortForm() {
    assertThatIllegalStateException()
        .isThrownBy(() -> serve(builder -> builder.port(0).endpoint(Endpoint.unix(path))))
        .withMessageStartingWith("port is set beside endpoints");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                serve(builder -> builder.reusePort(true).backlog(9).endpoint(Endpoint.unix(path))))
        .withMessageStartingWith("reusePort, backlog are set beside endpoints");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Endpoint.unix(path).withPermissions("everyone"));
    assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.unix(path).withBacklog(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.tcp("127.0.0.1", 65_536));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Endpoint.unix(Path.of("/")))
        .withMessageContaining("socket");
  }

  private static void serve(UnaryOperator<HttpServerBuilder> options) {
    HttpServerBuilder builder =
        options.apply(Peregrine.builder().handler((request, response) -> response.text("a")));
    builder.start().close();
  }
}
