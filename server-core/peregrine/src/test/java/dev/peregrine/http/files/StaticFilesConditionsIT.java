package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditional requests, and the validators that they compare. */
final class StaticFilesConditionsIT extends ServedFiles {
  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin"})
  void answersConditionsInTheirOrder(String target) {
    RawClient client = serve();
    RawResponse whole = get(client, target);
    String tag = tag(whole);
    String earlier = "Mon, 03 Feb 2020 04:05:05 GMT";
    String later = "Mon, 03 Feb 2020 04:05:07 GMT";
    record Case(int status, List<String> fields) {
      Case(int status, String... fields) {
        this(status, List.of(fields));
      }
    }
    List<Case> cases =
        List.of(
            new Case(304, "If-None-Match: " + tag),
            new Case(304, "If-None-Match: W/" + tag),
            new Case(304, "If-None-Match: \"x\", " + tag),
            new Case(304, "If-None-Match: \"x\"", "If-None-Match: " + tag),
            new Case(304, "If-None-Match: *"),
            new Case(200, "If-None-Match: \"x\""),
            new Case(304, "If-Modified-Since: " + LONG_AGO_FIELD),
            new Case(304, "If-Modified-Since: " + later),
            new Case(304, "If-Modified-Since: Monday, 03-Feb-20 04:05:06 GMT"),
            new Case(304, "If-Modified-Since: Mon Feb  3 04:05:06 2020"),
            new Case(200, "If-Modified-Since: " + earlier),
            new Case(200, "If-Modified-Since: nonsense"),
            new Case(200, "If-None-Match: \"x\"", "If-Modified-Since: " + later),
            new Case(304, "If-None-Match: " + tag, "If-Modified-Since: " + earlier),
            new Case(200, "If-Match: " + tag),
            new Case(200, "If-Match: \"x\", " + tag),
            new Case(200, "If-Match: *"),
            new Case(412, "If-Match: \"x\""),
            new Case(412, "If-Match: W/" + tag),
            new Case(200, "If-Unmodified-Since: " + LONG_AGO_FIELD),
            new Case(200, "If-Unmodified-Since: " + later),
            new Case(412, "If-Unmodified-Since: " + earlier),
            new Case(200, "If-Unmodified-Since: nonsense"),
            new Case(200, "If-Match: " + tag, "If-Unmodified-Since: " + earlier),
            new Case(412, "If-Match: \"x\"", "If-None-Match: " + tag),
            new Case(304, "If-Match: " + tag, "If-None-Match: " + tag),
            new Case(412, "If-Match: \"x\"", "Range: bytes=0-0"),
            new Case(304, "If-None-Match: " + tag, "Range: bytes=0-0"),
            new Case(206, "If-Match: " + tag, "Range: bytes=0-0"),
            new Case(206, "Range: bytes=0-0", "If-Range: " + tag),
            new Case(200, "Range: bytes=0-0", "If-Range: \"x\""),
            new Case(200, "Range: bytes=0-0", "If-Range: W/" + tag),
            new Case(206, "Range: bytes=0-0", "If-Range: " + LONG_AGO_FIELD),
            new Case(200, "Range: bytes=0-0", "If-Range: " + later),
            new Case(200, "Range: bytes=0-0", "If-Range: nonsense"),
            new Case(200, "If-Range: " + tag));
    for (Case each : cases) {
      for (String method : List.of("GET", "HEAD")) {
        RawResponse response = ask(client, method, target, each.fields.toArray(String[]::new));
        boolean ranged = each.status == 206 && method.equals("HEAD");
        assertThat(response.status())
            .as(method + each.fields)
            .isEqualTo(ranged ? 200 : each.status);
        if (each.status != 412) {
          assertThat(tag(response)).isEqualTo(tag);
          assertThat(response.header("Last-Modified")).isEqualTo(LONG_AGO_FIELD);
        }
        if (each.status == 200 && method.equals("GET")) {
          assertThat(response.content()).isEqualTo(whole.content());
        }
      }
    }
  }

  @Test
  void marksTheTagOfAFileThatMayStillChangeAsWeak() throws IOException {
    RawClient client = serveAsBuilt(options -> options);
    String path = "/new";
    RawResponse response;
    long changed;
    do {
      path += "1";
      changed = System.currentTimeMillis();
      file(path.substring(1), "new"); // changed just now, with an older modification time
      response = get(client, path);
    } while (maySettle(changed));

    assertThat(tag(response)).startsWith("W/");
    assertThat(get(client, path, "If-None-Match: " + tag(response)).status()).isEqualTo(304);
    assertThat(get(client, path, "If-Match: " + tag(response)).status()).isEqualTo(412);
  }

  @Test
  void evaluatesConditionsOfFilesOnly() {
    RawClient client = serve();

    assertThat(get(client, "/none", "If-Match: \"x\"").status()).isEqualTo(404);
    assertThat(get(client, "/none", "If-None-Match: *").status()).isEqualTo(404);
    assertThat(get(client, "/sub", "If-None-Match: *", "Range: bytes=0-0").status()).isEqualTo(301);
    assertThat(ask(client, "POST", "/hello.txt", "Content-Length: 0", "If-Match: \"x\"").status())
        .isEqualTo(405);
  }

  @Test
  void reportsNoTimeInTheFuture() throws IOException {
    Files.setLastModifiedTime(
        file("new.txt", "new"), FileTime.from(Instant.now().plus(Duration.ofDays(1))));

    RawResponse response = get(serve(), "/new.txt");

    assertThat(HttpDate.parse(String.valueOf(response.header("Last-Modified"))))
        .isBetween(LONG_AGO.getEpochSecond(), Instant.now().getEpochSecond());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void rendersErrorsWithTheValidatorsOfTheFile(String method) {
    HttpServer server =
        servers.start(
            files(root).cacheControl("max-age=60").build(),
            options -> options.errors(ErrorRenderer.PROBLEM_JSON));
    RawClient client = servers.connect(server);
    RawResponse whole = get(client, "/hello.txt");

    RawResponse failed = ask(client, method, "/hello.txt", "If-Match: \"x\"");
    assertThat(failed.status()).isEqualTo(412);
    assertProblem(failed, whole);
    if (method.equals("GET")) {
      RawResponse beyond = get(client, "/hello.txt", "Range: bytes=13-");
      assertThat(beyond.status()).isEqualTo(416);
      assertThat(beyond.header("Content-Range")).isEqualTo("bytes */13");
      assertThat(beyond.text()).contains("\"status\":416");
      assertProblem(beyond, whole);
    }
  }

  private static void assertProblem(RawResponse problem, RawResponse whole) {
    assertThat(problem.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(problem.header("ETag")).isEqualTo(whole.header("ETag"));
    assertThat(problem.header("Last-Modified")).isEqualTo(whole.header("Last-Modified"));
    assertThat(problem.header("Cache-Control")).isNull();
  }

  /**
   * Compression can't see a file's type and length at a 304, so the handler declares them. It reads
   * the length at a 206 from Content-Range.
   */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity"})
  void sendsWith304And206TheFieldsOfTheContent(String coding) throws IOException {
    file("text.txt", "text ".repeat(1000));
    file("page.png", "image ".repeat(1000));
    file("long.txt", "text ".repeat(50_000));
    HttpServer server =
        servers.start(Compression.of(files(root).compressedFileBytesMax(0).build()));
    RawClient client = servers.connect(server);
    String accepted = "Accept-Encoding: " + coding;

    for (String name : List.of("/hello.txt", "/text.txt", "/page.png", "/long.txt")) {
      for (int i = 0; i < 2; i++) { // from disk, then from memory
        String date = "If-Modified-Since: " + LONG_AGO_FIELD;
        RawResponse unchanged = get(client, name, accepted, date);
        RawResponse whole = get(client, name, accepted);

        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.header("Content-Type")).isNull();
        assertThat(unchanged.header("ETag")).as(name).isEqualTo(whole.header("ETag"));
        assertThat(unchanged.header("Vary")).as(name).isEqualTo(whole.header("Vary"));

        RawResponse part = get(client, name, accepted, "Range: bytes=0-3");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.header("Vary")).as(name).isEqualTo(whole.header("Vary"));
      }
    }
  }
}
