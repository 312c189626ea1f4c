package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StaticFilesIT {
  private static final Instant LONG_AGO = Instant.parse("2020-02-03T04:05:06Z");
  private static final String LONG_AGO_FIELD = "Mon, 03 Feb 2020 04:05:06 GMT";
  private static final byte[] LARGE = Requests.content(300_000);
  private static final Duration FOREVER = Duration.ofDays(1);

  @RegisterExtension final Servers servers = new Servers();

  @TempDir private Path dir;
  private Path root;

  @BeforeEach
  void makeFiles() throws IOException {
    root = Files.createDirectories(dir.resolve("root"));
    Files.createDirectories(root.resolve("sub/deep"));
    file("hello.txt", "Hello, files!");
    file("empty.txt", "");
    file("index.html", "<h1>Root</h1>");
    file("sub/index.html", "<h1>Sub</h1>");
    file("sub/a b.css", "b{}");
    file(".hidden", "secret");
    file("data", "no type");
    Files.write(root.resolve("large.bin"), LARGE);
    age(root.resolve("large.bin"));
    age(Files.writeString(dir.resolve("outside.txt"), "secret"));
  }

  @AfterEach
  void leavesNoFileOpen() {
    if (Descriptors.areVisible()) {
      Await.until(
          () -> Descriptors.ofFilesIn(dir).toString(), () -> Descriptors.ofFilesIn(dir).isEmpty());
    }
  }

  private Path file(String name, String content) throws IOException {
    return age(Files.writeString(root.resolve(name), content));
  }

  private static Path age(Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
  }

  private RawClient serve(UnaryOperator<StaticFiles.Builder> options) {
    HttpServer server = servers.start(options.apply(StaticFiles.builder(root)).build());
    return servers.connect(server);
  }

  private RawClient serve() {
    return serve(options -> options);
  }

  private static RawResponse ask(RawClient client, String method, String target, String... fields) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: test\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return client.send(head + "\r\n").read(method);
  }

  private static RawResponse get(RawClient client, String target, String... fields) {
    return ask(client, "GET", target, fields);
  }

  private static String tag(RawResponse response) {
    return Objects.requireNonNull(response.header("ETag"));
  }

  // ---- whole files ----

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
    HttpServer server = servers.start(Handlers.blocking(StaticFiles.of(root)));
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

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "GETS"})
  void refusesOtherMethods(String method) {
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
  void tellsTheContentType(String name, String type) throws IOException {
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
  void refusesOptionsThatMakeNoSense() {
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

  // ---- conditions ----

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
    Files.writeString(root.resolve("new.txt"), "new");
    Files.setLastModifiedTime(
        root.resolve("new.txt"), FileTime.from(Instant.now().plusMillis(500)));
    RawClient client = serve();

    RawResponse response = get(client, "/new.txt");
    assertThat(tag(response)).startsWith("W/");
    assertThat(get(client, "/new.txt", "If-None-Match: " + tag(response)).status()).isEqualTo(304);
    assertThat(get(client, "/new.txt", "If-Match: " + tag(response)).status()).isEqualTo(412);
  }

  @Test
  void looksAtConditionsOfFilesOnly() {
    RawClient client = serve();

    assertThat(get(client, "/none", "If-Match: \"x\"").status()).isEqualTo(404);
    assertThat(get(client, "/none", "If-None-Match: *").status()).isEqualTo(404);
    assertThat(get(client, "/sub", "If-None-Match: *", "Range: bytes=0-0").status()).isEqualTo(301);
    assertThat(ask(client, "POST", "/hello.txt", "Content-Length: 0", "If-Match: \"x\"").status())
        .isEqualTo(405);
  }

  @Test
  void saysNoTimeThatIsYetToCome() throws IOException {
    Files.setLastModifiedTime(
        file("new.txt", "new"), FileTime.from(Instant.now().plus(Duration.ofDays(1))));

    RawResponse response = get(serve(), "/new.txt");

    assertThat(HttpDate.parse(String.valueOf(response.header("Last-Modified"))))
        .isBetween(LONG_AGO.getEpochSecond(), Instant.now().getEpochSecond());
  }

  // ---- ranges ----

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin"})
  void sendsOneRange(String target) {
    RawClient client = serve();
    byte[] whole = get(client, target).content();
    int size = whole.length;

    for (int[] range : new int[][] {{0, 0}, {0, 4}, {5, size - 1}, {size - 1, size - 1}}) {
      String spec = range[0] + "-" + range[1];
      RawResponse response = get(client, target, "Range: bytes=" + spec);
      assertThat(response.status()).isEqualTo(206);
      assertThat(response.header("Content-Range")).isEqualTo("bytes " + spec + "/" + size);
      assertThat(response.content()).isEqualTo(Arrays.copyOfRange(whole, range[0], range[1] + 1));
    }
    assertThat(get(client, target, "Range: bytes=-3").content())
        .isEqualTo(Arrays.copyOfRange(whole, size - 3, size));
    assertThat(get(client, target, "Range: bytes=3-").content())
        .isEqualTo(Arrays.copyOfRange(whole, 3, size));
    assertThat(get(client, target, "Range: bytes=0-5,3-9").header("Content-Range"))
        .isEqualTo("bytes 0-9/" + size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin"})
  void sendsSeveralRanges(String target) {
    RawClient client = serve();
    byte[] whole = get(client, target).content();
    int size = whole.length;

    RawResponse response = get(client, target, "Range: bytes=-2,0-1,4-6");

    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Content-Range")).isNull();
    String type = Objects.requireNonNull(response.header("Content-Type"));
    assertThat(type).startsWith("multipart/byteranges; boundary=");
    String boundary = type.substring(type.indexOf('=') + 1);
    String partType = String.valueOf(get(client, target).header("Content-Type"));
    byte[][] expected = {
      part(boundary, partType, whole, size - 2, size),
      part(boundary, partType, whole, 0, 2),
      part(boundary, partType, whole, 4, 7),
      Requests.bytes("--" + boundary + "--\r\n")
    };
    assertThat(response.content()).isEqualTo(Requests.join(expected));
    assertThat(get(client, "/hello.txt").status()).isEqualTo(200);
  }

  private static byte[] part(String boundary, String type, byte[] whole, int from, int to) {
    String head =
        "--%s\r\nContent-Type: %s\r\nContent-Range: bytes %d-%d/%d\r\n\r\n"
            .formatted(boundary, type, from, to - 1, whole.length);
    return Requests.join(
        Requests.bytes(head), Arrays.copyOfRange(whole, from, to), Requests.bytes("\r\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello.txt", "/large.bin", "/empty.txt"})
  void refusesRangesBehindTheEnd(String target) {
    RawClient client = serve();
    int size = get(client, target).content().length;

    for (String range : List.of("bytes=" + size + "-", "bytes=-0", "bytes=999999999-,-0")) {
      RawResponse response = get(client, target, "Range: " + range);
      assertThat(response.status()).as(range).isEqualTo(416);
      assertThat(response.header("Content-Range")).isEqualTo("bytes */" + size);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=x", "bytes=5-1", "lines=0-1", "bytes=0-0,"})
  void ignoresRangesThatAreMalformedOrTooMany(String range) {
    String many = range.endsWith(",") ? range + "2-2,".repeat(50) : range;

    RawResponse response = get(serve(), "/hello.txt", "Range: " + many);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("Hello, files!");
  }

  // ---- other codings ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | gzip",
        "br | br",
        "zstd | zstd",
        "gzip, br, zstd | br",
        "gzip;q=1.0, br;q=0.5 | gzip",
        "gzip, deflate | gzip",
        "* | br",
        "*, br;q=0 | zstd",
        "GZIP | gzip",
        "identity | ''",
        "gzip;q=0 | ''",
        "gzip;q=0.5, identity | ''",
        "gzip;q=0.5, identity;q=0.2 | gzip",
        "deflate | ''",
        "identity;q=0 | ''",
        "x y z, ;; | ''"
      })
  void sendsTheCodingThatTheClientPrefers(String accepted, String coding) throws IOException {
    file("app.js", "plain");
    file("app.js.br", "as br");
    file("app.js.zst", "as zstd");
    file("app.js.gz", "as gzip");
    RawClient client = serve();

    for (int i = 0; i < 2; i++) {
      RawResponse response = get(client, "/app.js", "Accept-Encoding: " + accepted);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(response.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
      assertThat(response.header("Content-Encoding")).isEqualTo(coding.isEmpty() ? null : coding);
      assertThat(response.text()).isEqualTo(coding.isEmpty() ? "plain" : "as " + coding);
    }
  }

  @Test
  void givesEveryCodingATagAndRangesOfItsOwn() throws IOException {
    Files.write(root.resolve("big.css"), LARGE);
    Files.write(root.resolve("big.css.gz"), Arrays.copyOf(LARGE, 200_000));
    age(root.resolve("big.css"));
    age(root.resolve("big.css.gz"));
    RawClient client = serve();

    String plain = tag(get(client, "/big.css"));
    RawResponse coded = get(client, "/big.css", "Accept-Encoding: gzip");

    assertThat(tag(coded)).isNotEqualTo(plain);
    assertThat(coded.content()).hasSize(200_000);
    String condition = "If-None-Match: " + tag(coded);
    assertThat(get(client, "/big.css", condition).status()).isEqualTo(200);
    RawResponse unchanged = get(client, "/big.css", condition, "Accept-Encoding: gzip");
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(unchanged.header("Content-Encoding")).isNull();
    RawResponse range = get(client, "/big.css", "Range: bytes=-1", "Accept-Encoding: gzip");
    assertThat(range.header("Content-Range")).isEqualTo("bytes 199999-199999/200000");
    assertThat(range.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(get(client, "/big.css.gz").header("Content-Type")).isEqualTo("application/gzip");
    assertThat(get(client, "/big.css.gz").header("Content-Encoding")).isNull();
  }

  @Test
  void looksForNoCodingsWhenToldSo() throws IOException {
    file("app.js", "plain");
    file("app.js.gz", "as gzip");
    RawClient client = serve(options -> options.precompressed(false));

    RawResponse response = get(client, "/app.js", "Accept-Encoding: gzip");
    assertThat(response.text()).isEqualTo("plain");
    assertThat(response.header("Vary")).isNull();
  }

  // ---- directories ----

  @ParameterizedTest
  @CsvSource({
    "/sub, /sub/",
    "/sub?a=b&c, /sub/?a=b&c",
    "/sub?//evil, /sub/?//evil",
    "/sub/deep, /sub/deep/",
    "/%73ub, /sub/"
  })
  void redirectsToTheTrailingSlash(String target, String location) {
    RawResponse response = get(serve(), target);

    assertThat(response.status()).isEqualTo(301);
    assertThat(response.header("Location")).isEqualTo(location);
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

  // ---- what must not be found ----

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
    HttpServer server = servers.start(StaticFiles.of(root));

    for (int i = 0; i < 2; i++) {
      RawResponse response = get(servers.connect(server), target);
      assertThat(response.status()).as(target).isIn(400, 404);
      assertThat(response.text()).doesNotContain("secret", "device");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%",
        "/%zz",
        "/a%00.txt",
        "/hello.txt%00",
        "/%ff",
        "/%c0%ae%c0%ae/x",
        "/\\evil",
        "/..\\x"
      })
  void refusesBrokenPaths(String target) {
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

    assertThat(get(strict, "/in.txt").text()).isEqualTo("<h1>Sub</h1>");
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
    HttpServer server =
        servers.start(StaticFiles.builder(link).revalidateAfter(Duration.ZERO).build());
    RawClient client = servers.connect(server);
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");

    Files.delete(link);
    Files.createSymbolicLink(link, dir.resolve("next"));

    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, next!!");
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

  // ---- change ----

  @Test
  void noticesAChange() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(Duration.ZERO));
    String tag = tag(get(client, "/hello.txt"));

    Path file = Files.writeString(root.resolve("hello.txt"), "Hello, again!");
    Files.setLastModifiedTime(file, FileTime.from(LONG_AGO.plusNanos(1000)));

    RawResponse response = get(client, "/hello.txt", "If-None-Match: " + tag);
    assertThat(response.text()).isEqualTo("Hello, again!");
    assertThat(tag(response)).isNotEqualTo(tag);
    Files.delete(file);
    assertThat(get(client, "/hello.txt").status()).isEqualTo(404);
    file("hello.txt", "back");
    assertThat(get(client, "/hello.txt").text()).isEqualTo("back");
    file("hello.txt.gz", "packed");
    assertThat(get(client, "/hello.txt", "Accept-Encoding: gzip").text()).isEqualTo("packed");
  }

  @Test
  void answersFromMemoryWithinTheTime() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");

    Files.delete(root.resolve("hello.txt"));

    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/%68ello.txt").status()).isEqualTo(404);
  }

  @Test
  void readsAFileOnceHoweverItsPathIsSpelled() throws IOException {
    RawClient client = serve();
    assertThat(get(client, "/%68ello.txt").text()).isEqualTo("Hello, files!");

    file("hello.txt", "Hello, trick!"); // as long and as old as it was

    assertThat(get(client, "/hell%6f.txt").text()).isEqualTo("Hello, files!");
    assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
  }

  @Test
  void keepsNothingThatMayHaveChangedUnseen() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    FileTime recent = FileTime.from(Instant.now().plusSeconds(1));
    Path file = Files.writeString(root.resolve("new.txt"), "one");
    Files.setLastModifiedTime(file, recent);
    assertThat(get(client, "/new.txt").text()).isEqualTo("one");

    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, recent);

    assertThat(get(client, "/new.txt").text()).isEqualTo("two");
  }

  @Test
  void servesWithoutAnyMemory() {
    RawClient client = serve(options -> options.cacheBytesMax(0).cachedFileBytesMax(0));

    for (int i = 0; i < 2; i++) {
      assertThat(get(client, "/hello.txt").text()).isEqualTo("Hello, files!");
      assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);
    }
  }

  @Test
  void noticesThatALargeFileHasChangedEvenWithinTheTime() throws IOException {
    RawClient client = serve(options -> options.revalidateAfter(FOREVER));
    assertThat(get(client, "/large.bin").content()).isEqualTo(LARGE);

    Files.write(root.resolve("large.bin"), Arrays.copyOf(LARGE, 100_000));

    assertThat(get(client, "/large.bin").content()).hasSize(100_000);
  }
}
