package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same requests to {@link StaticFiles} and to nginx, on the same files: status, fields and
 * bytes are the same, except where the two differ on purpose.
 */
final class StaticFilesNginxIT {
  private static final Instant LONG_AGO = Instant.parse("2020-02-03T04:05:06Z");
  private static final String SAME = "Mon, 03 Feb 2020 04:05:06 GMT";
  private static final String EARLIER = "Mon, 03 Feb 2020 04:05:05 GMT";
  private static final String LATER = "Mon, 03 Feb 2020 04:05:07 GMT";
  private static final List<String> FIELDS =
      List.of(
          "Content-Type",
          "Content-Length",
          "Content-Range",
          "Content-Encoding",
          "Accept-Ranges",
          "Last-Modified",
          "Location",
          "Vary");

  @RegisterExtension final Servers servers = new Servers();

  @TempDir private Path dir;
  private Path root;

  @BeforeEach
  void makeFiles() throws IOException {
    root = Files.createDirectories(dir.resolve("site"));
    Files.createDirectories(root.resolve("sub/deep"));
    file("index.html", Requests.bytes("<h1>Root</h1>"));
    file("sub/index.html", Requests.bytes("<h1>Sub</h1>"));
    file("hello.txt", Requests.bytes("Hello, files!"));
    file("empty.txt", new byte[0]);
    file("a b+c.css", Requests.bytes("b{}"));
    file("no-type", Requests.bytes("?"));
    file("picture.png", Requests.content(70_000));
    file("large.bin", Requests.content(3_000_000));
    file("app.js", Requests.content(50_000));
    file("app.js.gz", Requests.content(20_000));
    file("big.css", Requests.content(500_000));
    file("big.css.gz", Requests.content(200_000));
  }

  private void file(String name, byte[] content) throws IOException {
    Path file = Files.write(root.resolve(name), content);
    Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
  }

  private String nginx(int port) {
    return """
      types {
        text/html html;
        text/css css;
        text/javascript js;
        text/plain txt;
        image/png png;
        application/gzip gz;
      }
      default_type application/octet-stream;
      charset utf-8;
      charset_types text/css text/javascript text/plain;
      gzip_static on;
      gzip_vary on;
      if_modified_since before;
      absolute_redirect off;
      sendfile on;
      server {
        listen 127.0.0.1:%d;
        root %s;
      }
    """
        .formatted(port, root);
  }

  @Test
  void answersLikeNginx() throws IOException {
    StaticFiles files =
        ServedFiles.files(root).contentType("png", ContentType.of("image/png")).build();
    InetSocketAddress own = servers.start(files).address();
    Path work = Files.createDirectories(dir.resolve("nginx"));
    try (Daemon nginx = Daemon.nginx(work, this::nginx)) {
      for (int round = 0; round < 2; round++) { // from disk, then from memory
        for (Asked asked : matrix()) {
          compare(asked, asked.of(own), asked.of(nginx.address()));
        }
        compareConditionsOnTags(own, nginx.address());
      }
    }
  }

  /** RFC 9110 section 14.2 permits both. */
  @Test
  void ignoresMalformedRangesThatNginxRejects() throws IOException {
    InetSocketAddress own = servers.start(ServedFiles.files(root).build()).address();
    Path work = Files.createDirectories(dir.resolve("nginx"));
    try (Daemon nginx = Daemon.nginx(work, this::nginx)) {
      for (String range : List.of("bytes=3-1", "bytes=x", "bytes=1-2x")) {
        Asked asked = new Asked("GET", "/hello.txt", List.of("Range: " + range));
        assertThat(asked.of(nginx.address()).status()).isEqualTo(416);
        assertThat(asked.of(own).status()).isEqualTo(200);
      }
    }
  }

  private record Asked(String method, String target, List<String> fields) {
    byte[] bytes() {
      StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: a\r\n");
      fields.forEach(field -> head.append(field).append("\r\n"));
      return Requests.bytes(head + "\r\n");
    }

    RawResponse of(InetSocketAddress server) {
      try (RawClient client = RawClient.connect(server)) {
        return client.send(bytes()).read(method);
      }
    }
  }

  private static List<Asked> matrix() {
    List<Asked> all = new ArrayList<>();
    List<String> targets =
        List.of(
            "/",
            "/index.html",
            "/sub",
            "/sub?a=b&c",
            "/sub/",
            "/sub/deep",
            "/hello.txt",
            "/hello.txt?query",
            "/hell%6F.txt",
            "/a%20b+c.css",
            "/no-type",
            "/picture.png",
            "/large.bin",
            "/empty.txt",
            "/app.js",
            "/app.js.gz",
            "/big.css",
            "/none",
            "/none/none.txt",
            "/hello.txt/",
            "/%00",
            "http://other/hello.txt");
    List<List<String>> conditions =
        List.of(
            List.of(),
            List.of("Accept-Encoding: gzip"),
            List.of("Accept-Encoding: gzip, deflate, br, zstd"),
            List.of("Accept-Encoding: gzip;q=0"),
            List.of("Accept-Encoding: identity"),
            List.of("Accept-Encoding: gzip;q=0.5"),
            List.of("If-Modified-Since: " + SAME),
            List.of("If-Modified-Since: " + EARLIER),
            List.of("If-Modified-Since: " + LATER),
            List.of("If-Modified-Since: Monday, 03-Feb-20 04:05:06 GMT"),
            List.of("If-Modified-Since: Mon Feb  3 04:05:06 2020"),
            List.of("If-Modified-Since: nonsense"),
            List.of("If-Unmodified-Since: " + SAME),
            List.of("If-Unmodified-Since: " + EARLIER),
            List.of("If-Unmodified-Since: " + LATER),
            List.of("If-None-Match: *"),
            List.of("If-None-Match: \"x\""),
            List.of("If-Match: *"),
            List.of("If-Match: \"x\""),
            List.of("If-Match: \"x\"", "If-None-Match: *"),
            List.of("If-Modified-Since: " + SAME, "Accept-Encoding: gzip"));
    List<String> ranges =
        List.of(
            "bytes=0-0",
            "bytes=1-3",
            "bytes=2-",
            "bytes=-2",
            "bytes=0-99999999",
            "bytes=-99999999",
            "bytes=99999999-",
            "bytes=-0",
            "bytes=",
            "items=0-1",
            "bytes=0-0,2-3",
            "bytes=-1,0-1",
            "bytes=0-0,99999999-",
            "bytes=0-0, 4-5");
    for (String target : targets) {
      for (List<String> fields : conditions) {
        all.add(new Asked("GET", target, fields));
        all.add(new Asked("HEAD", target, fields));
      }
    }
    for (String target : List.of("/hello.txt", "/large.bin", "/big.css", "/picture.png")) {
      for (String range : ranges) {
        all.add(new Asked("GET", target, List.of("Range: " + range)));
        all.add(new Asked("GET", target, List.of("Range: " + range, "Accept-Encoding: gzip")));
        all.add(new Asked("GET", target, List.of("Range: " + range, "If-Range: " + SAME)));
        all.add(new Asked("GET", target, List.of("Range: " + range, "If-Range: " + LATER)));
        all.add(new Asked("GET", target, List.of("Range: " + range, "If-Range: \"x\"")));
      }
    }
    all.removeIf(StaticFilesNginxIT::differsOnPurpose);
    return all;
  }

  /** Returns true for ranges of files in another coding, which nginx doesn't send. */
  private static boolean differsOnPurpose(Asked asked) {
    String fields = asked.fields.toString();
    return asked.target.equals("/big.css") && fields.contains("gzip") && fields.contains("Range");
  }

  private static void compareConditionsOnTags(InetSocketAddress own, InetSocketAddress other) {
    for (String target : List.of("/hello.txt", "/large.bin", "/big.css")) {
      for (String coding : List.of("identity", "gzip")) {
        for (String condition :
            List.of(
                "If-None-Match: %s",
                "If-None-Match: W/%s",
                "If-None-Match: \"a\", %s",
                "If-Match: %s",
                "If-Match: \"a\",%s",
                "Range: bytes=1-2\r\nIf-Range: %s",
                "Range: bytes=1-2\r\nIf-Match: %s",
                "Range: bytes=1-2\r\nIf-None-Match: %s")) {
          String accept = "Accept-Encoding: " + coding;
          Asked asked = new Asked("GET", target, List.of(accept));
          String ownTag = asked.of(own).header("ETag");
          String otherTag = asked.of(other).header("ETag");
          Asked ownAsked = new Asked("GET", target, List.of(accept, condition.formatted(ownTag)));
          Asked otherAsked =
              new Asked("GET", target, List.of(accept, condition.formatted(otherTag)));
          if (!differsOnPurpose(ownAsked)) {
            compare(ownAsked, ownAsked.of(own), otherAsked.of(other));
          }
        }
      }
    }
  }

  private static void compare(Asked asked, RawResponse actual, RawResponse expected) {
    String what = asked + "\n" + actual + "\n" + expected;
    assertThat(actual.status()).as(what).isEqualTo(expected.status());
    if (actual.status() < 400) {
      assertThat(actual.header("ETag") == null).as(what).isEqualTo(expected.header("ETag") == null);
    }
    String boundary = boundary(actual);
    for (String field : FIELDS) {
      boolean ofCoding =
          field.equals("Accept-Ranges")
              && (actual.status() == 206 || actual.header("Content-Encoding") != null);
      boolean ofErrorPage = actual.status() >= 300 && field.startsWith("Content-");
      boolean ofFraming = boundary != null && field.startsWith("Content-");
      boolean ofNone = actual.status() >= 400 && field.equals("Last-Modified");
      if ((!ofCoding && !ofErrorPage && !ofFraming && !ofNone) || field.equals("Content-Range")) {
        assertThat(actual.header(field)).as(field + ": " + what).isEqualTo(expected.header(field));
      }
    }
    if (boundary != null) {
      assertThat(parts(actual, boundary))
          .as(what)
          .isEqualTo(parts(expected, Objects.requireNonNull(boundary(expected), what)));
    } else if (actual.status() < 300) {
      assertThat(actual.content()).as(what).isEqualTo(expected.content());
    }
  }

  private static @Nullable String boundary(RawResponse response) {
    String type = response.header("Content-Type");
    return type != null && type.startsWith("multipart/byteranges; boundary=")
        ? type.substring(type.indexOf('=') + 1)
        : null;
  }

  private static List<String> parts(RawResponse response, String boundary) {
    String text = new String(response.content(), StandardCharsets.ISO_8859_1);
    return List.of(text.strip().split("\r?\n?--" + boundary + "(--)?(\r\n)?", -1));
  }
}
