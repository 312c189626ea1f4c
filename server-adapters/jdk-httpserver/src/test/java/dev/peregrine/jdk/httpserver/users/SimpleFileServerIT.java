package dev.peregrine.jdk.httpserver.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's file server and its program, {@code java -m jdk.httpserver}. */
@Timeout(120)
class SimpleFileServerIT {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int LARGE = 3_000_000;
  private static final long NANOS_MAX = Client.PATIENCE.toNanos();

  @TempDir Path folder;

  private HttpServer server;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    Provider.requirePeregrine();
    Files.writeString(folder.resolve("a ä.txt"), "text ä");
    Files.write(folder.resolve("large.bin"), new byte[LARGE]);
    Files.createFile(folder.resolve("empty"));
    Files.createFile(folder.resolve(".hidden"));
    Files.createDirectory(folder.resolve("plain"));
    Path site = Files.createDirectory(folder.resolve("site"));
    Files.writeString(site.resolve("index.html"), "<p>index");
    server = SimpleFileServer.createFileServer(ANY_PORT, folder, OutputLevel.NONE);
    server.start();
    client = Client.http(server.getAddress().getPort());
    Provider.requirePeregrine(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void sendsFiles() throws Exception {
    HttpResponse<String> text = client.get("/a%20%C3%A4.txt");
    HttpResponse<byte[]> large =
        client.send(client.request("/large.bin"), BodyHandlers.ofByteArray());

    assertThat(text.statusCode()).isEqualTo(200);
    assertThat(text.body()).isEqualTo("text ä");
    assertThat(text.headers().firstValue("Content-Type")).contains("text/plain");
    assertThat(text.headers().firstValue("Last-Modified")).isPresent();
    assertThat(text.headers().allValues("Date")).hasSize(1);
    assertThat(large.headers().allValues("Content-Length")).containsExactly("" + LARGE);
    assertThat(large.body()).hasSize(LARGE);
    assertThat(client.get("/empty").body()).isEmpty();
  }

  @Test
  void answersHeadWithTheLength() throws Exception {
    HttpResponse<String> file = client.method("HEAD", "/large.bin");
    HttpResponse<String> missing = client.method("HEAD", "/missing");

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(file.headers().allValues("Content-Length")).containsExactly("" + LARGE);
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().allValues("Content-Length"))
        .containsExactly("" + client.get("/missing").body().length());
  }

  /** It knows neither ranges nor conditions. */
  @Test
  void sendsTheWholeFileEachTime() throws Exception {
    String modified =
        client.get("/a%20%C3%A4.txt").headers().firstValue("Last-Modified").orElseThrow();
    HttpResponse<String> again =
        client.get("/a%20%C3%A4.txt", "Range", "bytes=1-2", "If-Modified-Since", modified);

    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo("text ä");
  }

  @Test
  void listsDirectories() throws Exception {
    HttpResponse<String> listing = client.get("/");
    HttpResponse<String> moved = client.get("/plain?a=b");

    assertThat(listing.headers().firstValue("Content-Type")).contains("text/html; charset=UTF-8");
    assertThat(listing.body())
        .contains("a%20%C3%A4.txt", "large.bin", "plain/", "site/")
        .doesNotContain("hidden");
    assertThat(moved.statusCode()).isEqualTo(301);
    assertThat(moved.headers().firstValue("Location")).contains("/plain/?a=b");
    assertThat(moved.body()).isEmpty();
    assertThat(client.get("/site/").body()).isEqualTo("<p>index");
    assertThat(client.get("/favicon.ico").statusCode()).isEqualTo(200);
  }

  @Test
  void refusesWhatItDoesNotHaveOrDo() throws Exception {
    assertThat(client.get("/missing").statusCode()).isEqualTo(404);
    assertThat(client.get("/.hidden").statusCode()).isEqualTo(404);
    for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
      HttpResponse<String> response = client.method(method, "/");
      assertThat(response.statusCode()).as(method).isEqualTo(405);
      assertThat(response.headers().firstValue("Allow")).contains("HEAD, GET");
    }
    assertThat(client.post("/", "text/plain", "x".repeat(50_000)).statusCode()).isEqualTo(405);
    assertThat(client.method("FROBNICATE", "/").statusCode()).isEqualTo(501);
    assertThat(client.get("/a%20%C3%A4.txt").statusCode()).isEqualTo(200);
  }

  @Test
  void writesWhatItHasDone() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    HttpServer logging =
        HttpServer.create(
            ANY_PORT,
            0,
            "/files/",
            SimpleFileServer.createFileHandler(folder),
            SimpleFileServer.createOutputFilter(log, OutputLevel.VERBOSE));
    logging.start();
    try (Client ofLogging = Client.http(logging.getAddress().getPort())) {
      assertThat(ofLogging.get("/files/site/index.html?a", "X-Test", "1").statusCode())
          .isEqualTo(200);
      assertThat(ofLogging.get("/files/missing").statusCode()).isEqualTo(404);
      assertThat(ofLogging.get("/").statusCode()).isEqualTo(404);
      // The filter writes after the response, and several lines for each.
      awaitText(log, "< Last-modified: ");
      awaitText(log, "\"GET /files/missing HTTP/1.1\" 404 -");
    } finally {
      logging.stop(30);
    }
    assertThat(log.toString(UTF_8))
        .containsPattern(
            "127\\.0\\.0\\.1 - - \\[.*] \"GET /files/site/index\\.html\\?a HTTP/1\\.1\" 200 -")
        .contains("Resource requested: " + folder.resolve("site").resolve("index.html"))
        .contains("> X-test: 1", "< Content-type: text/html", "< Last-modified: ")
        .contains("\"GET /files/missing HTTP/1.1\" 404 -");
  }

  private static void awaitText(ByteArrayOutputStream log, String text) {
    long begun = System.nanoTime();
    while (!log.toString(UTF_8).contains(text)) {
      assertThat(System.nanoTime() - begun).as("no %s in %s", text, log).isLessThan(NANOS_MAX);
      Thread.onSpinWait();
    }
  }

  /** The thread that has started the server ends then, so another one has to keep it alive. */
  @Test
  void runsAsAProgramOfItsOwn() throws Exception {
    try (ChildJvm program =
        ChildJvm.start(
            "-m", "jdk.httpserver", "-b", "127.0.0.1", "-p", "0", "-d", folder.toString())) {
      int port = program.awaitPort(Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/"));
      Provider.requirePeregrine(port);
      try (Client ofProgram = Client.http(port)) {
        assertThat(ofProgram.get("/site/").body()).isEqualTo("<p>index");
        program.await(Pattern.compile("\"GET /site/ HTTP/1.1\" 200 -"));
        assertThat(program.isAlive()).isTrue();
      }
    }
  }
}
