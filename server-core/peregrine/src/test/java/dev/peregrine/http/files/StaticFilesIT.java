package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole files, their indexes and the options. */
final class StaticFilesIT extends ServedFiles {
  @Test
  void servesAFileAgainAndAgain() {
    RawClient client = serve();

    for (int i = 0; i < 3; i++) {
      RawResponse response = get(client, "/hello.txt");
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.text()).isEqualTo("Hello, files!");
      assertThat(response.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
      assertThat(response.header("Last-Modified")).isEqualTo(LONG_AGO_FIELD);
      assertThat(response.header("Accept-Ranges")).isEqualTo("bytes");
      assertThat(tag(response)).matches("\"[0-9a-f]+-d\"");
      assertThat(response.header("Vary")).isNull();
      assertThat(response.header("Cache-Control")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/empty.txt", "/large.bin", "/", "/none", "/sub"})
  void answersHeadAsGetWithoutContent(String target) {
    RawClient client = serve();

    for (int i = 0; i < 2; i++) {
      RawResponse head = ask(client, "HEAD", target);
      RawResponse get = get(client, target);
      assertThat(head.status()).isEqualTo(get.status());
      for (String field :
          List.of("Content-Type", "Content-Length", "ETag", "Last-Modified", "Location")) {
        assertThat(head.header(field)).as(field).isEqualTo(get.header(field));
      }
    }
  }

  @Test
  void servesLargeAndEmptyFiles() {
    RawClient client = serve();

    for (int i = 0; i < 2; i++) {
      assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);
      assertThat(get(client, "/empty.txt").content()).isEmpty();
      assertThat(get(client, "/large.bin").header("Content-Type"))
          .isEqualTo("application/octet-stream");
    }
  }

  @Test
  void servesOnAThreadThatMayBlock() {
    HttpServer server = servers.start(Handlers.blocking(files(root).build()));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
      assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);
      assertThat(get(client, "/none").status()).isEqualTo(404);
    }
  }

  @Test
  void keepsTheOrderOfPipelinedRequests() {
    RawClient client = serve();
    List<String> targets =
        List.of("/hello.txt", "/large.bin", "/none", "/hello.txt", "/sub/", "/large.bin");
    for (int round = 0; round < 2; round++) {
      targets.forEach(client::get);
      for (String target : targets) {
        RawResponse response = client.read();
        switch (target) {
          case "/none" -> assertThat(response.status()).isEqualTo(404);
          case "/sub/" -> assertThat(response.text()).isEqualTo("<h1>Sub</h1>");
          case "/large.bin" -> assertThat(response.content()).isEqualTo(LARGE);
          default -> assertThat(response.text()).isEqualTo("Hello, files!");
        }
      }
    }
  }

  @Test
  void servesTheIndexOfADirectory() {
    RawClient client = serve();

    for (int i = 0; i < 2; i++) {
      assertThat(get(client, "/").text()).isEqualTo("<h1>Root</h1>");
      assertThat(get(client, "/sub/").text()).isEqualTo("<h1>Sub</h1>");
      assertThat(get(client, "/sub/").header("Content-Type")).isEqualTo("text/html; charset=utf-8");
      assertThat(get(client, "/sub/deep/").status()).isEqualTo(404);
      assertThat(get(client, "/hello.txt/").status()).isEqualTo(404);
      assertThat(get(client, "/hello.txt/x").status()).isEqualTo(404);
      assertThat(get(client, "http://other/sub/").text()).isEqualTo("<h1>Sub</h1>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "GETS"})
  void rejectsOtherMethods(String method) {
    RawResponse response = ask(serve(), method, "/hello.txt", "Content-Length: 0");

    assertThat(response.status()).isEqualTo(405);
    assertThat(response.header("Allow")).isEqualTo("GET, HEAD");
  }

  @ParameterizedTest
  @CsvSource({
    "a.html, text/html; charset=utf-8",
    "a.HTM, text/html; charset=utf-8",
    "a.css, text/css; charset=utf-8",
    "a.js, text/javascript; charset=utf-8",
    "a.mjs, text/javascript; charset=utf-8",
    "a.json, application/json",
    "a.svg, image/svg+xml",
    "a.png, image/png",
    "a.wasm, application/wasm",
    "a.woff2, font/woff2",
    "a.tar.gz, application/gzip",
    "a.unknown, application/octet-stream",
    "a, application/octet-stream",
    "a.own, text/x-own",
  })
  void sendsTheContentType(String name, String type) throws IOException {
    file(name, "x");
    RawClient client = serve(options -> options.contentType("OWN", ContentType.of("text/x-own")));

    assertThat(get(client, "/" + name).header("Content-Type")).isEqualTo(type);
  }

  @Test
  void takesOptions() {
    RawClient client =
        serve(
            options ->
                options
                    .prefix("/static/v1/")
                    .cacheControl("max-age=60")
                    .textCharset("")
                    .index("hello.txt")
                    .hidden(true));

    RawResponse response = get(client, "/static/v1/");
    assertThat(response.text()).isEqualTo("Hello, files!");
    assertThat(response.header("Content-Type")).isEqualTo("text/plain");
    assertThat(response.header("Cache-Control")).isEqualTo("max-age=60");
    assertThat(get(client, "/static/v1/.hidden").text()).isEqualTo("secret");
    assertThat(get(client, "/static/v1/sub/").status()).isEqualTo(404);
    assertThat(get(client, "/static/v1").header("Location")).isEqualTo("/static/v1/");
    for (String target : List.of("/hello.txt", "/static/hello.txt", "/static/v1x/hello.txt")) {
      assertThat(get(client, target).status()).as(target).isEqualTo(404);
    }
  }

  @Test
  void rejectsInvalidOptions() {
    StaticFiles.Builder options = StaticFiles.builder(root);
    for (String prefix : List.of("", "a/", "/a", "//a/", "/a b/", "/a?/", "/\\a/")) {
      assertThatThrownBy(() -> options.prefix(prefix)).hasMessageContaining("prefix");
    }
    assertThatThrownBy(() -> options.cacheBytesMax(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> options.cachedFileBytesMax(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> options.cacheControl("a\r\nb")).hasMessageContaining("Cache-Control");
    assertThatThrownBy(() -> options.revalidateAfter(Duration.ofNanos(-1)))
        .hasMessageContaining("revalidateAfter");
    assertThatThrownBy(() -> StaticFiles.of(root.resolve("none")))
        .isInstanceOf(UncheckedIOException.class);
  }
}
