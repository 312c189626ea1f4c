package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.SystemBuffers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and parts of them as content; every channel is closed in the end. */
final class FileResponseIT extends SentFiles {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 256 * 1024, 256 * 1024 + 1, 2_999_999})
  void sendsAPartOfEverySize(int bytes) {
    RawClient client = servers.connect(servers.start(sending(1, bytes)));

    for (int i = 0; i < 3; i++) {
      RawResponse response = client.get("/").read();
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
      assertThat(response.content()).isEqualTo(part(1, 1 + bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendsAFileFromAThreadThatIsInterrupted(boolean blocking) throws IOException {
    Files.write(dir.resolve("small"), part(0, 100));
    Handler site = StaticFiles.of(dir);
    Map<String, Handler> ways =
        Map.of(
            "/part",
            sending(0, 100),
            "/all",
            sending(0, CONTENT.length),
            "/path",
            (request, response) -> response.send(file),
            "/content",
            site,
            "/small",
            site,
            "/stream",
            (request, response) -> response.stream().write(open(), 0, 100).complete());
    Handler interrupted =
        (request, response) -> {
          Thread.currentThread().interrupt();
          Objects.requireNonNull(ways.get(request.path())).handle(request, response);
          assertThat(Thread.interrupted()).as(request.path()).isTrue();
        };
    HttpServer server = servers.start(blocking ? Handlers.blocking(interrupted) : interrupted);

    for (String way : ways.keySet()) {
      RawResponse response = servers.connect(server).get(way).read();
      assertThat(response.status()).as(way).isEqualTo(200);
      assertThat(response.content()).as(way).isEqualTo(part(0, response.content().length));
    }
  }

  @Test
  void compressesAFileOnAThreadThatIsInterrupted() {
    Handler interrupted =
        (request, response) -> {
          Thread.currentThread().interrupt();
          response.contentType(ContentType.TEXT_PLAIN_UTF_8).stream()
              .write(open(), 0, CONTENT.length)
              .complete();
          assertThat(Thread.interrupted()).isTrue();
        };
    HttpServer server = servers.start(Handlers.blocking(Compression.of(interrupted)));
    byte[] request =
        Requests.lines("GET / HTTP/1.1", "Host: a", "Accept-Encoding: gzip", "Connection: close");

    assertThat(servers.connect(server).send(request).read().status()).isEqualTo(200);
  }

  /** As {@code catch (InterruptedException e) { Thread.currentThread().interrupt(); }} does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16 * 1024 + 1, 2_999_999})
  void sendsFilesAfterAHandlerHasLeftAnInterrupt(int bytes) {
    Handler sending = sending(1, bytes);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/interrupt")) {
                Thread.currentThread().interrupt();
                response.text("interrupted");
              } else if (request.pathIs("/both")) {
                sending.handle(request, response);
                Thread.currentThread().interrupt();
              } else {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                sending.handle(request, response);
              }
            },
            options -> options.loops(1));
    RawClient interrupting = servers.connect(server);
    RawClient neighbour = servers.connect(server);

    assertThat(interrupting.get("/interrupt").read().text()).isEqualTo("interrupted");
    assertThat(neighbour.get("/file").read().content()).isEqualTo(part(1, 1 + bytes));

    interrupting.get("/interrupt").get("/file");
    assertThat(interrupting.read().text()).isEqualTo("interrupted");
    assertThat(interrupting.read().content()).isEqualTo(part(1, 1 + bytes));

    assertThat(interrupting.get("/both").read().content()).isEqualTo(part(1, 1 + bytes));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendsAPathFromTheLoopAndFromAThread(boolean blocking) {
    Handler handler = (request, response) -> response.send(file);
    RawClient client =
        servers.connect(servers.start(blocking ? Handlers.blocking(handler) : handler));

    assertThat(client.get("/").read().content()).isEqualTo(CONTENT);
    assertThat(client.get("/").read().content()).isEqualTo(CONTENT);
  }

  @Test
  void sendsWhatAPathLeadsTo() throws IOException {
    Files.createSymbolicLink(dir.resolve("link"), file);
    Files.write(dir.resolve("empty"), new byte[0]);
    HttpServer server =
        servers.start(
            (request, response) -> response.send(dir.resolve(request.path().substring(1))));
    RawClient client = servers.connect(server);

    assertThat(client.get("/link").read().content()).isEqualTo(CONTENT);
    assertThat(client.get("/empty").read().content()).isEmpty();
  }

  @Test
  void sendsNoContentForHead() {
    RawClient client = servers.connect(servers.start(sending(0, CONTENT.length)));

    RawResponse head = client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n").read("HEAD");

    assertThat(head.header("Content-Length")).isEqualTo("" + CONTENT.length);
    assertThat(client.get("/").read().content()).isEqualTo(CONTENT);
  }

  @Test
  void keepsTheOrderOfPipelinedResponses() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/file" -> response.send(open(), 0, CONTENT.length);
                case "/part" -> response.send(open(), 5, 100_000);
                case "/small" -> response.send(open(), 7, 10);
                case "/path" -> response.send(file);
                case "/bytes" -> response.send(part(1, 50_000));
                default -> response.text("text");
              }
            });
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES);
    List<String> paths =
        List.of("/text", "/file", "/small", "/part", "/bytes", "/path", "/file", "/text");

    for (String path : paths) {
      client.get(path);
    }

    for (String path : paths) {
      byte[] expected =
          switch (path) {
            case "/file", "/path" -> CONTENT;
            case "/part" -> part(5, 100_005);
            case "/small" -> part(7, 17);
            case "/bytes" -> part(1, 50_000);
            default -> Requests.bytes("text");
          };
      assertThat(client.read().content()).as(path).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void streamsPartsOfOneFileAmongBytes(boolean chunked) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (!chunked) {
                response.header("Content-Length", "" + (3 + 1_000_000 + 2 + 10 + 70_000));
              }
              writeParts(response.stream(), open());
            });
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES);

    for (int i = 0; i < 2; i++) {
      RawResponse response = client.get("/").read();
      assertThat(response.framing()).isEqualTo(chunked ? Framing.CHUNKED : Framing.LENGTH);
      assertThat(response.content()).isEqualTo(parts());
    }
  }

  @Test
  void streamsPartsFromAThread() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  ResponseStream stream = response.stream();
                  writeParts(stream, open());
                }));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().content()).isEqualTo(parts());
  }

  private static void writeParts(ResponseStream stream, FileChannel channel) {
    stream.write(Requests.bytes("one"));
    stream.write(channel, 1_000_000, 1_000_000);
    stream.write(Requests.bytes("22"));
    stream.write(channel, 5, 10);
    stream.write(channel, 9, 0);
    stream.write(channel, 0, 70_000);
    stream.complete();
  }

  private static byte[] parts() {
    return Requests.join(
        Requests.bytes("one"),
        part(1_000_000, 2_000_000),
        Requests.bytes("22"),
        part(5, 15),
        part(0, 70_000));
  }

  @Test
  void streamsPartsOfSeveralFilesAsTheClientTakesThem() {
    AtomicInteger left = new AtomicInteger(10);
    HttpServer server =
        servers.start((request, response) -> next(response.async(), response.stream(), left));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES);

    byte[] content = client.get("/").read().content();

    assertThat(content).hasSize(10 * 300_000);
    for (int i = 0; i < 10; i++) {
      assertThat(Arrays.copyOfRange(content, i * 300_000, (i + 1) * 300_000))
          .isEqualTo(part(0, 300_000));
    }
  }

  private void next(Response response, ResponseStream stream, AtomicInteger left) {
    try {
      if (left.getAndDecrement() == 0) {
        stream.complete();
      } else {
        stream.write(open(), 0, 300_000);
        assertThat(stream.isWritable()).isFalse();
        stream.onWritable(() -> next(response, stream, left));
      }
    } catch (IOException failure) {
      response.fail(failure);
    }
  }

  @OnlyHttp1("HTTP/1.0")
  @Test
  void answersHttp10() {
    RawClient client = servers.connect(servers.start(sending(0, CONTENT.length)));

    RawResponse response = client.send("GET / HTTP/1.0\r\n\r\n").read();

    assertThat(response.content()).isEqualTo(CONTENT);
    client.expectEnd();
  }

  @Test
  void takesNoMemoryAndServesOthersWhileAClientIsSlow() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/file")) {
                response.send(open(), 0, CONTENT.length);
              } else {
                response.text("other");
              }
            },
            options -> options.loops(1));
    RawClient slow = servers.connect(server, SMALL_WINDOW_BYTES).get("/file").get("/text");
    slow.readUntil("\r\n\r\n");
    RawClient other = servers.connect(server);

    for (int i = 0; i < 50; i++) {
      assertThat(other.get("/").read().text()).isEqualTo("other");
    }
    // Inbound buffer, and at most one block for each of two queues. A turn under way may use more.
    Await.until("little memory is in use", () -> server.bufferBytesInUse() < 300_000);

    assertThat(slow.readBytes(CONTENT.length)).isEqualTo(CONTENT);
    assertThat(slow.read().text()).isEqualTo("other");
  }

  @Test
  void opensNoMoreFilesThanTheClientTakes() throws IOException {
    lengthen();
    HttpServer server = servers.start(sending(0, SystemBuffers.MORE_BYTES));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES);

    client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n".repeat(100));
    client.readUntil("\r\n\r\n");

    assertThat(channels).hasSize(1);
    client.close();
  }

  @Test
  void finishesTheFileAtAShutdown() {
    HttpServer server = servers.start(sending(0, CONTENT.length));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/");
    client.readUntil("\r\n\r\n");

    Thread stopping = Thread.ofVirtual().start(() -> server.shutdown(Duration.ofSeconds(30)));

    assertThat(client.readBytes(CONTENT.length)).isEqualTo(CONTENT);
    client.close();
    Await.until("the server has stopped", () -> !stopping.isAlive());
  }

  @Test
  void endsWithTheLastByteOfAFileThoughAnotherOneFollows() {
    Handler handler =
        (request, response) -> {
          ResponseStream stream = response.contentLength(10).stream();
          stream.write(open(), 0, 10);
          stream.write(open(), 0, 0);
          stream.complete();
        };

    RawClient client = servers.connect(servers.start(handler));

    for (int i = 0; i < 2; i++) {
      assertThat(client.get("/").read().content()).isEqualTo(part(0, 10));
    }
  }
}
