package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.SystemBuffers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that turn out shorter, closed or unreadable, and clients that vanish: every channel is
 * closed.
 */
final class FailingFileIT extends SentFiles {
  @Test
  void answers500ForAPathThatIsNotAFile() {
    RawClient client =
        servers.connect(servers.start((request, response) -> response.send(dir.resolve("none"))));

    assertThat(client.get("/").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void opensNothingButRegularFiles() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(dir.resolve(request.path().substring(1))));

    for (String path : List.of("/pipe", "/")) {
      assertThat(servers.connect(server).get(path).read().status()).isEqualTo(500);
    }
    assertThat(servers.log().await(Level.SEVERE)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cutsTheResponseShortWhenTheFileIsTruncated(boolean byPath) throws IOException {
    Handler handler =
        byPath ? (request, response) -> response.send(file) : sending(0, SystemBuffers.MORE_BYTES);
    lengthen();
    HttpServer server = servers.start(handler);
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/").get("/");
    Await.until("the response has begun", client::hasMore);

    try (FileChannel writer = FileChannel.open(file, StandardOpenOption.WRITE)) {
      writer.truncate(1000);
    }

    client.expectCutShort();
    assertThat(servers.log().await(Level.WARNING).getFirst().getThrown())
        .hasMessageContaining("truncated");
  }

  @Test
  void closesTheFileAtAPathWhenTheClientResets() {
    HttpServer server = servers.start((request, response) -> response.send(file));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/").get("/");
    client.readUntil("\r\n\r\n");

    client.reset();
  }

  @Test
  void sendsAFileThatGrowsAsItWas() throws IOException {
    HttpServer server = servers.start((request, response) -> response.send(file));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/");
    client.readUntil("\r\n\r\n");

    Files.write(file, CONTENT, StandardOpenOption.APPEND);

    assertThat(client.readBytes(CONTENT.length)).isEqualTo(CONTENT);
    assertThat(client.get("/").read().content()).hasSize(2 * CONTENT.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void cutsTheResponseShortWhenTheFileIsShorter(int over) {
    HttpServer server = servers.start(sending(CONTENT.length - 5, over));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/"), Requests.get("/")));

    client.expectCutShort();
    servers.log().await(Level.WARNING);
  }

  /** As {@code try (FileChannel file = …) { response.send(file, …); }} does. */
  @ParameterizedTest
  @ValueSource(ints = {3, 16 * 1024, 16 * 1024 + 1, 2_999_999})
  void logsThatTheHandlerHasClosedTheFile(int bytes) throws Exception {
    Handler closing =
        (request, response) -> {
          try (FileChannel channel = open()) {
            response.async();
            Thread sender = Thread.ofVirtual().unstarted(() -> response.send(channel, 0, bytes));
            sender.start();
            sender.join(); // so that the loop sends it when it is closed
          }
        };
    RawClient client = servers.connect(servers.start(closing)).get("/");

    client.expectCutShort();
    assertThat(servers.log().await(Level.WARNING).getFirst().getThrown())
        .hasMessageContaining("the file was closed before it was sent");
  }

  @Test
  void closesTheFileWhenTheClientResets() {
    HttpServer server = servers.start(sending(0, CONTENT.length));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/").get("/");
    client.readUntil("\r\n\r\n");

    client.reset();
  }

  @Test
  void closesTheFileOfAStreamThatIsNeverEnded() {
    HttpServer server =
        servers.start(
            (request, response) -> response.async().stream().write(open(), 0, CONTENT.length));
    RawClient client = servers.connect(server).get("/");
    client.readUntil("\r\n\r\n");

    client.reset();
  }

  @Test
  void closesFilesThatAreWrittenWhenTheClientHasGone() throws Exception {
    CopyOnWriteArrayList<Response> held = new CopyOnWriteArrayList<>();
    CountDownLatch gone = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> held.add(response.async().onAbort(cause -> gone.countDown())));
    RawClient client = servers.connect(server).get("/");
    Await.until("the handler runs", () -> !held.isEmpty());
    client.reset();
    gone.await();

    try (FileChannel channel = open()) {
      assertThatThrownBy(() -> held.getFirst().send(channel, 0, 5))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closesTheFileWhenTheServerCloses() {
    HttpServer server = servers.start(sending(0, CONTENT.length));
    RawClient client = servers.connect(server, SMALL_WINDOW_BYTES).get("/");
    client.readUntil("\r\n\r\n");

    server.close();

    client.expectClosed();
  }

  @Test
  void rejectsRangesThatAreNotInTheFile() throws IOException {
    try (FileChannel channel = open()) {
      HttpServer server =
          servers.start(
              (request, response) -> {
                assertThatThrownBy(() -> response.send(channel, -1, 1))
                    .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> response.send(channel, 0, -1))
                    .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> response.send(channel, 2, Long.MAX_VALUE - 1))
                    .isInstanceOf(IllegalArgumentException.class);
                response.header("Content-Length", "4");
                assertThatThrownBy(() -> response.stream().write(channel, 0, 5))
                    .hasMessageContaining("Content-Length");
                response.complete();
              });
      RawClient client = servers.connect(server);

      client.get("/").expectClosed();
      servers.log().await(Level.SEVERE);
      assertThat(channel.isOpen()).isTrue();
    }
  }

  @Test
  void sendsAFileThoughItsHandlerThrowsAfterwards() {
    Handler handler =
        (request, response) -> {
          response.send(file);
          throw new IllegalStateException("intended");
        };

    RawResponse response = servers.connect(servers.start(handler)).get("/").read();

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.content()).isEqualTo(CONTENT);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void rejectsAFileThatCannotBeRead() throws IOException {
    Path own = Files.createFile(dir.resolve("written"));
    Handler handler =
        (request, response) -> {
          FileChannel closed = open();
          closed.close();
          try (FileChannel written = FileChannel.open(own, StandardOpenOption.WRITE)) {
            for (FileChannel unreadable : List.of(closed, written)) {
              assertThatThrownBy(() -> response.send(unreadable, 0, 1))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("can't be read");
            }
          }
          response.text("refused");
        };

    assertThat(servers.connect(servers.start(handler)).get("/").read().text()).isEqualTo("refused");
  }
}
