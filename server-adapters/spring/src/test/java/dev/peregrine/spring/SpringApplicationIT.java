package dev.peregrine.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application of WebFlux over real sockets. Its buffers and the server's are counted. */
@Timeout(120)
class SpringApplicationIT {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(120);
  private static final int UPLOAD_BYTES = 64 * 1024 * 1024;
  private static final long IDLE_MAX = 256 * 1024; // what two loops keep to read
  private static final long IN_USE_MAX = 8 * 1024 * 1024;

  @TempDir Path folder;
  private final CountedBuffers buffers = new CountedBuffers();

  @SuppressWarnings("NullAway.Init") // set by start
  private Application application;

  @SuppressWarnings("NullAway.Init")
  private HttpServer server;

  @SuppressWarnings("NullAway.Init")
  private HttpClient client;

  private void start(Wire wire) {
    application = new Application(folder);
    ServerLimits limits = ServerLimits.builder().bodyBytesMax(2L * UPLOAD_BYTES).build();
    server =
        wire.start(
            new PeregrineHttpHandlerAdapter(application.handler(), buffers),
            Peregrine.builder().limits(limits));
    client = wire.client();
  }

  @AfterEach
  void leaksNothing() {
    awaitZero();
    client.close();
    server.close();
  }

  /** Waits until no buffer is kept, and the loops keep only what they read into. */
  private void awaitZero() {
    long began = System.nanoTime();
    while (buffers.live() != 0 || server.bufferBytesInUse() > IDLE_MAX) {
      assertThat(System.nanoTime() - began)
          .as("%s buffers and %s bytes are kept", buffers.live(), server.bufferBytesInUse())
          .isLessThan(NANOS_MAX);
      Thread.onSpinWait();
    }
  }

  private HttpRequest.Builder to(Wire wire, String path) {
    return HttpRequest.newBuilder(wire.uri(server, path)).timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<String> get(Wire wire, String path) throws Exception {
    return client.send(to(wire, path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<byte[]> post(Wire wire, String path, String type, BodyPublisher content)
      throws Exception {
    HttpRequest request = to(wire, path).header("Content-Type", type).POST(content).build();
    return client.send(request, BodyHandlers.ofByteArray());
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void mirrorsJson(Wire wire) throws Exception {
    start(wire);
    HttpResponse<byte[]> response =
        post(wire, "/json", "application/json", BodyPublishers.ofString("{\"x\":1,\"y\":2}"));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).asString().isEqualTo("{\"x\":2,\"y\":1}");
    assertThat(response.headers().firstValue("Content-Length")).hasValue("13");
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void echoesContentOfBothKindsOfBuffers(Wire wire) throws Exception {
    start(wire);
    byte[] content = new byte[200_001]; // the client reads nothing before it has sent all
    new Random(47).nextBytes(content);
    HttpResponse<byte[]> response =
        post(wire, "/echo", "application/octet-stream", BodyPublishers.ofByteArray(content));
    assertThat(response.body()).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void readsAnUploadInBoundedMemory(Wire wire) throws Exception {
    start(wire);
    byte[] chunk = new byte[1024 * 1024];
    long[] most = new long[1];
    BodyPublisher content =
        BodyPublishers.ofByteArrays(
            () ->
                IntStream.range(0, UPLOAD_BYTES / chunk.length)
                    .mapToObj(
                        index -> {
                          most[0] = Math.max(most[0], server.bufferBytesInUse());
                          return chunk;
                        })
                    .iterator());
    HttpResponse<byte[]> response = post(wire, "/count", "application/octet-stream", content);
    assertThat(response.body()).asString().isEqualTo(UPLOAD_BYTES + " bytes");
    assertThat(most[0]).isLessThan(IN_USE_MAX);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void demandsContentAsTheClientTakesItAndCancelsItWithTheClient(Wire wire) throws Exception {
    start(wire);
    HttpResponse<InputStream> response =
        client.send(to(wire, "/endless").build(), BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      assertThat(in.readNBytes(1_000_000)).hasSize(1_000_000);
    } // cancels
    assertThat(application.cancelled.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(application.emitted.get()).isLessThan(100L * 1024 * 1024);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void writesTinyBuffersOfAnotherThreadInOrder(Wire wire) throws Exception {
    start(wire);
    StringBuilder expected = new StringBuilder();
    for (int index = 0; index < 10_000; index++) {
      expected.append((char) ('a' + index % 26));
    }
    assertThat(get(wire, "/tiny").body()).isEqualTo(expected.toString());
    assertThat(buffers.made()).isGreaterThanOrEqualTo(10_000);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void sendsEachEventAtOnce(Wire wire) throws Exception {
    start(wire);
    application.news.tryEmitNext("one");
    HttpResponse<InputStream> response =
        client.send(to(wire, "/events").build(), BodyHandlers.ofInputStream());
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      assertThat(in.readLine()).isEqualTo("data:one");
      assertThat(in.readLine()).isEmpty();
      application.news.tryEmitNext("two");
      assertThat(in.readLine()).isEqualTo("data:two");
      application.news.tryEmitComplete();
      assertThat(in.readLine()).isEmpty();
      assertThat(in.readLine()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void readsForms(Wire wire) throws Exception {
    start(wire);
    String form =
        """
        --b
        Content-Disposition: form-data; name="title"

        Falcons
        --b
        Content-Disposition: form-data; name="file"; filename="a.bin"
        Content-Type: application/octet-stream

        %s
        --b--
        """
            .replace("\n", "\r\n")
            .formatted("x".repeat(100_000));
    HttpResponse<byte[]> response =
        post(wire, "/form", "multipart/form-data; boundary=b", BodyPublishers.ofString(form));
    assertThat(response.body()).asString().isEqualTo("Falcons a.bin 100000");
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void servesFilesWholeInPartsAndTheirHeads(Wire wire) throws Exception {
    start(wire);
    String text = "0123456789".repeat(100_000);
    Files.writeString(folder.resolve("a.txt"), text);
    assertThat(get(wire, "/files/a.txt").body()).isEqualTo(text);
    HttpRequest part = to(wire, "/files/a.txt").header("Range", "bytes=10-19").build();
    HttpResponse<String> ten = client.send(part, BodyHandlers.ofString());
    assertThat(ten.statusCode()).isEqualTo(206);
    assertThat(ten.body()).isEqualTo("0123456789");
    HttpRequest head = to(wire, "/files/a.txt").HEAD().build();
    HttpResponse<String> none = client.send(head, BodyHandlers.ofString());
    assertThat(none.headers().firstValue("Content-Length")).hasValue("1000000");
    assertThat(get(wire, "/files/b.txt").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void passesHeadsOn(Wire wire) throws Exception {
    start(wire);
    HttpRequest request =
        to(wire, "/head?q=a%20b")
            .header("X-Several", "a")
            .header("x-several", "b")
            .header("Cookie", "other=1; id=\"7\"")
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.body())
        .contains("\"values\":[\"a\",\"b\"]")
        .contains("\"cookie\":\"7\"")
        .contains("\"query\":\"a b\"")
        .contains("\"scheme\":\"" + (wire.isSecure() ? "https" : "http") + "\"")
        .contains("\"port\":" + server.port())
        .contains("\"local\":" + server.port())
        .contains("\"loopback\":true")
        .contains("\"tls\":" + wire.isSecure());
    assertThat(response.headers().allValues("X-Several")).containsExactly("c", "d");
    assertThat(response.headers().allValues("Set-Cookie"))
        .containsExactlyInAnyOrder("id=8; HttpOnly", "other=9");
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void answersAFailureBeforeTheHeadAndBreaksOffAfterIt(Wire wire) throws Exception {
    start(wire);
    assertThat(get(wire, "/fails").statusCode()).isEqualTo(500);
    HttpRequest breaks = to(wire, "/breaks").build();
    try (InputStream in = client.send(breaks, BodyHandlers.ofInputStream()).body()) {
      assertThat(in.readNBytes(5)).asString().isEqualTo("first");
      application.untilReceived.tryEmitEmpty();
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
    }
    assertThat(get(wire, "/fails").statusCode()).isEqualTo(500);
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"NIO", "EPOLL"})
  void cancelsAHandlerWhoseClientResets(Wire wire) throws Exception {
    start(wire);
    reset("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(application.cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"NIO", "EPOLL"})
  void cancelsAHandlerWhoseClientClosesItsSide(Wire wire) throws Exception {
    start(wire);
    try (Socket socket = new Socket("localhost", server.port())) {
      socket
          .getOutputStream()
          .write("GET /never HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      assertThat(application.uploading.await(120, TimeUnit.SECONDS)).isTrue();
      socket.shutdownOutput();
      assertThat(application.cancelled.await(120, TimeUnit.SECONDS)).isTrue();
      assertThat(socket.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 499 ");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"NIO", "EPOLL"})
  void endsContentWhoseClientResets(Wire wire) throws Exception {
    start(wire);
    reset("POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegin");
    assertThat(application.cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  /** Sends a request, and resets the connection when its handler runs. */
  private void reset(String request) throws Exception {
    try (Socket socket = new Socket("localhost", server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(application.uploading.await(120, TimeUnit.SECONDS)).isTrue();
      socket.setSoLinger(true, 0);
    }
  }
}
