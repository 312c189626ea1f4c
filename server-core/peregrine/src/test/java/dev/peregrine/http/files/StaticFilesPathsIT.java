package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, links and redirects: the files that they lead to, and those that they must not reach. */
final class StaticFilesPathsIT extends ServedFiles {
  @ParameterizedTest
  @CsvSource({
    "/sub, /sub/",
    "/sub?a=b&c, /sub/?a=b&c",
    "/sub?//evil, /sub/?//evil",
    "/sub/deep, /sub/deep/",
    "/%73ub, /sub/"
  })
  void redirectsToTheTrailingSlash(String target, String location) {
    expectRedirect(get(serve(), target), location);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil",
        "//evil/..",
        "//evil.example/%2e%2e",
        "/%5cevil",
        "/%2fevil",
        "/.//sub",
        "///sub",
        "//sub",
        "/sub//deep",
        "/sub%2f"
      })
  void neverRedirectsElsewhere(String target) throws IOException {
    Files.createDirectories(root.resolve("evil"));
    RawResponse response = get(serve(), target);

    assertThat(response.status()).isIn(400, 404);
    assertThat(response.header("Location")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../outside.txt",
        "/sub/../../outside.txt",
        "/..%2foutside.txt",
        "/%2e%2e/outside.txt",
        "/%2E%2E%2Foutside.txt",
        "/..%5coutside.txt",
        "/sub/..%2f../hello.txt",
        "/./hello.txt",
        "/sub/../hello.txt",
        "/%252e%252e/outside.txt",
        "/.hidden",
        "/%2ehidden",
        "/sub/.hidden",
        "/hello.txt.",
        "/hello.txt%20",
        "/hello.txt::$DATA",
        "/CON",
        "/sub/nul.txt",
        "/c:/hello.txt",
        "/none",
        "/hello.txt%2f",
        "/....//outside.txt",
        "/hello.txt;x"
      })
  void findsNothingOutsideOrHidden(String target) throws IOException {
    Files.writeString(root.resolve("sub/nul.txt"), "device");
    HttpServer server = servers.start(files(root).build());

    for (int i = 0; i < 2; i++) {
      RawResponse response = get(servers.connect(server), target);
      assertThat(response.status()).as(target).isIn(400, 404);
      assertThat(response.text()).doesNotContain("secret", "device");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%00.txt", "/hello.txt%00", "/%ff", "/%c0%ae%c0%ae/x"})
  void rejectsBrokenPaths(String target) {
    assertThat(get(serve(), target).status()).isEqualTo(400);
  }

  @OnlyHttp1("HTTP/2 resets the stream of a malformed request")
  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%zz", "/\\evil", "/..\\x"})
  void rejectsMalformedTargets(String target) {
    assertThat(get(serve(), target).status()).isEqualTo(400);
  }

  @Test
  void findsNamesOfEveryLength() {
    assertThat(get(serve(), "/" + "x".repeat(5000)).status()).isEqualTo(404);
    assertThat(get(serve(), "/x".repeat(3000)).status()).isEqualTo(404);
  }

  @Test
  void followsLinksInsideOnly() throws IOException {
    Files.createSymbolicLink(root.resolve("in.txt"), Path.of("sub/index.html"));
    Files.createSymbolicLink(root.resolve("out.txt"), dir.resolve("outside.txt"));
    Files.createSymbolicLink(root.resolve("up"), dir);
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("none"));
    file("app.js", "plain");
    Files.createSymbolicLink(root.resolve("app.js.gz"), dir.resolve("outside.txt"));
    RawClient strict = serve();
    RawClient open = serve(options -> options.linksLeaveRoot(true));

    Files.createSymbolicLink(root.resolve("absolute.txt"), root.resolve("sub/index.html"));
    Files.createSymbolicLink(root.resolve("around"), Path.of("../site/sub"));
    Files.createSymbolicLink(root.resolve("chain.txt"), Path.of("absolute.txt"));
    Files.createSymbolicLink(root.resolve("to-large.bin"), root.resolve("large.bin"));
    file("sub/app.css", "plain");
    Files.createSymbolicLink(root.resolve("sub/app.css.gz"), root.resolve("hello.txt"));

    for (String target : List.of("/in.txt", "/absolute.txt", "/around/", "/chain.txt")) {
      for (int i = 0; i < 2; i++) {
        assertThat(get(strict, target).text()).as(target).isEqualTo("<h1>Sub</h1>");
      }
    }
    for (int i = 0; i < 2; i++) {
      assertThat(get(strict, "/to-large.bin").content()).isEqualTo(LARGE);
      for (String target : List.of("/sub/app.css", "/around/app.css")) {
        assertThat(get(strict, target, "Accept-Encoding: gzip").text()).isEqualTo("Hello, files!");
      }
    }
    assertThat(get(strict, "/around").header("Location")).isEqualTo("/around/");
    for (String target :
        List.of("/out.txt", "/up/outside.txt", "/up/", "/up", "/loop", "/dangling")) {
      assertThat(get(strict, target).status()).as(target).isEqualTo(404);
    }
    assertThat(get(strict, "/app.js", "Accept-Encoding: gzip").text()).isEqualTo("plain");
    assertThat(get(open, "/out.txt").text()).isEqualTo("secret");
    assertThat(get(open, "/up/outside.txt").text()).isEqualTo("secret");
    assertThat(get(open, "/loop").status()).isEqualTo(404);
  }

  @Test
  void servesARootThatIsALinkAndMoves() throws IOException {
    Files.createDirectories(dir.resolve("next"));
    age(Files.writeString(dir.resolve("next/hello.txt"), "Hello, next!!"));
    Path link = Files.createSymbolicLink(dir.resolve("current"), root);
    HttpServer server = servers.start(files(link).revalidateAfter(Duration.ZERO).build());
    RawClient client = servers.connect(server);
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");

    Files.delete(link);
    Files.createSymbolicLink(link, dir.resolve("next"));

    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, next!!");
  }

  @Test
  void servesARootThatIsALinkAndMovesWithinTheTime() throws IOException {
    Files.createDirectories(dir.resolve("next"));
    age(Files.write(dir.resolve("next/large.bin"), new byte[70_000]));
    Path link = Files.createSymbolicLink(dir.resolve("current"), root);
    HttpServer server = servers.start(files(link).revalidateAfter(Duration.ofMillis(20)).build());
    RawClient client = servers.connect(server);
    assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);

    Files.delete(link);
    Files.createSymbolicLink(link, dir.resolve("next"));

    Await.until("it is seen", () -> get(client, "/large.bin").content().length == 70_000);
    Files.delete(link);
    Await.until("it is gone", () -> get(client, "/hello.txt").status() == 404);
    Files.createSymbolicLink(link, root);
    Await.until("it is back", () -> get(client, "/hello.txt").status() == 200);
  }

  @Test
  void servesNamesOfAnyScript() throws IOException {
    file("Grüße 日本語 🙂.txt", "Hello, names!");

    RawResponse response =
        get(serve(), "/Gr%C3%BC%C3%9Fe%20%E6%97%A5%E6%9C%AC%E8%AA%9E%20%F0%9F%99%82.txt");

    assertThat(response.text()).isEqualTo("Hello, names!");
  }

  @Test
  void opensNothingButRegularFiles() throws Exception {
    Path pipe = root.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.createSymbolicLink(root.resolve("zero"), Path.of("/dev/zero"));
    RawClient client = serve(options -> options.linksLeaveRoot(true));

    assertThat(get(client, "/pipe").status()).isEqualTo(404);
    assertThat(get(client, "/zero").status()).isEqualTo(404);
  }
}
