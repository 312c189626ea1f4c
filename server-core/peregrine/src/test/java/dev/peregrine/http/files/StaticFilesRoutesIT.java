package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.route.Routes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files behind routes: the part of the path that the routes have matched is the directory's prefix.
 */
final class StaticFilesRoutesIT extends ServedFiles {
  private RawClient routed() {
    StaticFiles files = files(root).revalidateAfter(Duration.ofDays(1)).build();
    Routes inner = Routes.builder().mount("/files", files).get("/index.html", files).build();
    return servers.connect(
        servers.start(
            Routes.builder()
                .mount("/assets", Compression.of(files))
                .get("/only/*", files)
                .mount("/of/{whom}", inner)
                .get("/hello.txt", files)
                .any("/*", files)
                .build()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/assets/hello.txt",
        "/%61ssets/hello.txt",
        "/assets/hell%6F.txt",
        "http://other/assets/hello.txt?query",
        "/only/hello.txt",
        "/of/a/files/hello.txt",
        "/of/%2F%2Fevil/files/hello.txt",
        "/of/a:b/%66iles/hello.txt",
        "/hello.txt"
      })
  void servesWhatFollows(String target) {
    RawClient client = routed();

    for (int i = 0; i < 2; i++) {
      RawResponse response = get(client, target);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.text()).isEqualTo("Hello, files!");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/assets/", "/only/", "/of/a/files/", "/"})
  void servesTheIndexOfTheDirectory(String target) {
    assertThat(get(routed(), target).text()).isEqualTo("<h1>Root</h1>");
  }

  /** A route without {@code *} leaves the path after the last {@code *} to the files. */
  @Test
  void servesAFileThatTheRouteNames() {
    assertThat(get(routed(), "/of/a/index.html").text()).isEqualTo("<h1>Root</h1>");
  }

  @ParameterizedTest
  @CsvSource({
    "/assets, /assets/",
    "/assets?a=b, /assets/?a=b",
    "/%61ssets/%73ub?//evil, /assets/sub/?//evil",
    "/assets/sub/deep, /assets/sub/deep/",
    "/of/a/files, /of/a/files/",
    "/of/%2F%2Fevil/files/sub, /of/%2F%2Fevil/files/sub/",
    "/of/%5Cevil/files, /of/%5Cevil/files/",
    "/of/a%3Fb/files/sub, /of/a%3Fb/files/sub/",
    "/sub, /sub/"
  })
  void redirectsToTheTrailingSlash(String target, String location) {
    expectRedirect(get(routed(), target), location);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/assets/none",
        "/assets//hello.txt",
        "/assets/assets/hello.txt",
        "/assets/../hello.txt",
        "/assets/..%2foutside.txt",
        "/assets/.hidden",
        "/assets%2Fhello.txt",
        "/assetshello.txt",
        "/of/a/hello.txt",
        "/of//files/hello.txt",
        "/of/../files/hello.txt"
      })
  void findsNothingElsewhere(String target) {
    RawResponse response = get(routed(), target);

    assertThat(response.status()).isIn(400, 404);
    assertThat(response.text()).doesNotContain("Hello", "secret");
  }

  @Test
  void isReachedBesideATemplateForOtherMethods() {
    RawClient client =
        servers.connect(
            servers.start(
                Routes.builder()
                    .put("/files/{name}", (request, response) -> response.text("put"))
                    .mount("/files", StaticFiles.of(root))
                    .build()));

    assertThat(get(client, "/files/hello.txt").text()).isEqualTo("Hello, files!");
    RawResponse delete = client.send("DELETE /files/hello.txt HTTP/1.1\r\nHost: a\r\n\r\n").read();
    assertThat(delete.status()).isEqualTo(405);
    assertThat(delete.header("Allow")).isEqualTo("GET, HEAD, PUT, OPTIONS");
  }

  @Test
  void readsAFileOnceWhereverItIsMounted() throws IOException {
    RawClient client = routed();
    assertThat(get(client, "/%61ssets/hello.txt").text()).isEqualTo("Hello, files!");

    file("hello.txt", "Hello, trick!");

    for (String target : List.of("/as%73ets/%68ello.txt", "/only/hello.txt", "/hello.txt")) {
      assertThat(get(client, target).text()).as(target).isEqualTo("Hello, files!");
    }
  }

  @Test
  void usesItsOwnPrefixIfItHasOne() {
    StaticFiles files = files(root).prefix("/assets/sub/").build();
    RawClient client =
        servers.connect(servers.start(Routes.builder().mount("/assets", files).build()));

    assertThat(get(client, "/assets/sub/hello.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/assets/sub").header("Location")).isEqualTo("/assets/sub/");
    assertThat(get(client, "/assets/hello.txt").status()).isEqualTo(404);
  }
}
