package dev.peregrine.cli.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.cli.rules.PasswordHash;
import dev.peregrine.cli.site.SiteServer.Way;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of a site, over sockets. */
@Timeout(120)
final class SiteRulesIT {
  private static final int ROUNDS = 10_000;
  private static final String TEXT = "a line of text\n".repeat(200);

  @TempDir Path folder;

  static Stream<Way> ways() {
    return SiteServer.ways();
  }

  @BeforeEach
  void makeSite() throws IOException {
    write("s/index.html", "home");
    write("s/a.txt", "0123456789");
    write("s/long.txt", TEXT);
    write("s/new/b.txt", "b");
    write("s/secret/index.html", "secret");
    write("s/secret/x.txt", "secret");
    write("other/index.html", "other");
    write("users", "ann:" + PasswordHash.create("gehe:ïm", ROUNDS) + "\n");
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private SiteServer serve(Way way, String options) {
    return SiteServer.start(way, folder, "$s " + options);
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static String field(HttpResponse<?> response, String name) {
    return String.join(" | ", response.headers().allValues(name));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void changesResponseHeadersByPattern(Way way) throws Exception {
    String options =
        "--header /*=X-Frame-Options:_DENY --header /*=+Vary:_Cookie --header *.txt=-ETag"
            + " --header /a.txt=X-Frame-Options:_SAMEORIGIN --cache *.txt=max-age=9";
    try (SiteServer server = serve(way, options)) {
      HttpResponse<String> page = server.get("/");
      HttpResponse<String> text = server.get("/%61.txt");
      HttpResponse<String> missing = server.get("/none");

      assertThat(field(page, "x-frame-options")).isEqualTo("DENY");
      assertThat(field(page, "etag")).isNotEmpty();
      assertThat(text.body()).isEqualTo("0123456789");
      assertThat(field(text, "x-frame-options")).isEqualTo("SAMEORIGIN");
      assertThat(field(text, "etag")).isEmpty();
      assertThat(field(text, "last-modified")).isNotEmpty();
      assertThat(field(text, "cache-control")).isEqualTo("max-age=9");
      assertThat(field(server.get("/long.txt"), "vary")).contains("Accept-Encoding", "Cookie");
      assertThat(missing.statusCode()).isEqualTo(404);
      assertThat(field(missing, "x-frame-options")).isEqualTo("DENY");
      assertThat(server.send("HEAD", "/").headers().map().keySet())
          .isEqualTo(page.headers().map().keySet());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void sendsThePageOfEachErrorWithItsStatus(Way way) throws Exception {
    write("s/401.html", "who are you?" + " ".repeat(2000));
    write("s/404.html", "not here");
    write("s/405.html", "not so");
    try (SiteServer server = serve(way, "--auth /secret/*=$users")) {
      HttpResponse<String> unknown = server.get("/secret/", "Range", "bytes=0-1");
      HttpResponse<String> head = server.send("HEAD", "/secret/");
      HttpResponse<String> coded = server.get("/secret/", "Accept-Encoding", "gzip");
      HttpResponse<String> posted = server.send("POST", "/a.txt");

      assertThat(unknown.statusCode()).isEqualTo(401);
      assertThat(unknown.body()).startsWith("who are you?").hasSize(2012);
      assertThat(field(unknown, "www-authenticate")).contains("charset=\"UTF-8\"");
      assertThat(field(unknown, "content-type")).startsWith("text/html");
      assertThat(field(unknown, "cache-control")).isEqualTo("no-store");
      assertThat(head.statusCode()).isEqualTo(401);
      assertThat(head.body()).isEmpty();
      assertThat(field(head, "www-authenticate")).startsWith("Basic ");
      assertThat(coded.statusCode()).isEqualTo(401);
      assertThat(field(coded, "vary")).contains("Accept-Encoding");
      assertThat(posted.statusCode()).isEqualTo(405);
      assertThat(posted.body()).isEqualTo("not so");
      assertThat(field(posted, "allow")).isEqualTo("GET, HEAD");
      assertThat(server.get("/none").body()).isEqualTo("not here");
      HttpResponse<String> beyond = server.get("/a.txt", "Range", "bytes=99-");
      assertThat(beyond.statusCode()).as("without a page").isEqualTo(416);
      assertThat(field(beyond, "content-range")).isEqualTo("bytes */10");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void redirectsByPattern(Way way) throws Exception {
    String options =
        "--redirect /old/*=308_/new/* --redirect /q=/a.txt?x=1 --redirect *.htm=301_/*.html"
            + " --redirect /r*.x=/*.y --redirect /blog/*=https://blog.example.org/*";
    try (SiteServer server = serve(way, options)) {
      assertThat(location(server, "/old/%62.txt?a=b%20c")).isEqualTo("308 /new/b.txt?a=b%20c");
      assertThat(location(server, "/old/%3fx&y=1")).isEqualTo("308 /new/%3Fx&y=1");
      assertThat(location(server, "/q?y=2")).isEqualTo("302 /a.txt?x=1");
      assertThat(location(server, "/x/y.htm")).isEqualTo("301 /x/y.html");
      assertThat(location(server, "/blog/a?b")).isEqualTo("302 https://blog.example.org/a?b");
      assertThat(location(server, "/r/evil.x")).isEqualTo("302 /evil.y");
      assertThat(location(server, "/r/%5Cevil.x")).isEqualTo("404 ");
      assertThat(location(server, "/r/%2Fevil.x")).isEqualTo("404 ");
      assertThat(location(server, "/r//evil.x")).isEqualTo("400 ");
      assertThat(location(server, "/old/%2e%2e/x")).isEqualTo("400 ");
      assertThat(location(server, "/old/a%0d%0ax:y")).isEqualTo("400 ");
    }
  }

  private static String location(SiteServer server, String target) throws Exception {
    HttpResponse<String> response = server.get(target);
    return response.statusCode() + " " + field(response, "location");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void servesTheFileOfAnotherPathOnce(Way way) throws Exception {
    String options = "--rewrite /app/*=/index.html --rewrite /v1/*=/new/* --rewrite /new/*=/*";
    try (SiteServer server = serve(way, options)) {
      assertThat(server.get("/app/x/y?z").body()).isEqualTo("home");
      assertThat(server.get("/v1/b.txt").body()).isEqualTo("b");
      assertThat(server.get("/new/a.txt").body()).isEqualTo("0123456789");
      assertThat(server.get("/v1/none").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void letsOnlyUsersSeeAPath(Way way) throws Exception {
    String options =
        "--auth /secret/*=$users --cache /*=public,max-age=99 --rewrite /s/*=/secret/*";
    try (SiteServer server = serve(way, options)) {
      HttpResponse<String> none = server.get("/secret/");
      HttpResponse<String> wrong = server.get("/secret/", "Authorization", basic("ann:x"));
      HttpResponse<String> nobody = server.get("/secret/", "Authorization", basic("bob:x"));
      String right = basic("ann:gehe:ïm");
      HttpResponse<String> first = server.get("/secret/", "Authorization", right);
      HttpResponse<String> second = server.get("/secret/x.txt", "Authorization", right);

      assertThat(none.statusCode()).isEqualTo(401);
      assertThat(field(none, "www-authenticate"))
          .isEqualTo("Basic realm=\"Restricted\", charset=\"UTF-8\"");
      assertThat(wrong.statusCode()).isEqualTo(401);
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.body()).isEqualTo(wrong.body());
      assertThat(first.body()).isEqualTo("secret");
      assertThat(field(first, "cache-control")).isEqualTo("private, no-cache");
      assertThat(second.body()).isEqualTo("secret");
      assertThat(server.get("/s/x.txt").statusCode()).isEqualTo(401);
      assertThat(server.get("/s/x.txt", "Authorization", right).body()).isEqualTo("secret");
      HttpResponse<String> open = server.get("/a.txt");
      assertThat(open.body()).isEqualTo("0123456789");
      assertThat(field(open, "cache-control")).isEqualTo("public,max-age=99");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void noSpellingOfAPathEvadesTheUsers(Way way) throws Exception {
    try (SiteServer server = serve(way, "--auth /secret/*=$users")) {
      for (String target :
          new String[] {
            "/secret/x.txt",
            "/%73ecret/x.txt",
            "/secret/",
            "/secret",
            "/SECRET/x.txt",
            "/secret/%78.txt?a",
            "/ſecret/x.txt".replace("ſ", "%C5%BF"),
          }) {
        assertThat(server.get(target).statusCode()).as(target).isEqualTo(401);
        assertThat(server.send("HEAD", target).statusCode()).as(target).isEqualTo(401);
        assertThat(server.send("OPTIONS", target).statusCode()).as(target).isEqualTo(401);
        assertThat(server.get(target, "Range", "bytes=0-1").statusCode()).isEqualTo(401);
      }
      for (String target :
          new String[] {
            "//secret/x.txt", "/./secret/x.txt", "/x/../secret/x.txt", "/%2e/secret/x.txt",
            "/x/%2e%2e/secret/x.txt", "/secret%2Fx.txt", "/secret%5Cx.txt", "/secret/%",
          }) {
        String response = server.rawGet(target, "a");
        assertThat(response).as(target).startsWith("HTTP/1.1 400 ");
      }
      assertThat(server.rawGet("/secret;a/x.txt", "a")).startsWith("HTTP/1.1 404 ");
      assertThat(server.rawGet("http://b/secret/x.txt", "a")).startsWith("HTTP/1.1 401 ");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aPathWithoutAStarCoversAllOfItsForms(Way way) throws Exception {
    write("s/secret/x.txt.gz", "secret");
    String options = "--auth /secret/x.txt=$users --auth /new=$users --auth *.key=$users";
    try (SiteServer server = serve(way, options)) {
      assertThat(server.get("/secret/x.txt").statusCode()).isEqualTo(401);
      assertThat(server.get("/secret/x.txt.gz").statusCode()).isEqualTo(401);
      assertThat(server.get("/new/b.txt").statusCode()).isEqualTo(401);
      assertThat(server.get("/a.key.zst").statusCode()).isEqualTo(401);
      assertThat(server.get("/news").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theIndexOfAnApplicationNeedsItsUserAtEachPath(Way way) throws Exception {
    String right = basic("ann:gehe:ïm");
    for (String pattern : new String[] {"/index.html", "*index.html"}) {
      try (SiteServer server = serve(way, "--spa --auth " + pattern + "=$users")) {
        assertThat(server.get("/app/1").statusCode()).isEqualTo(401);
        assertThat(server.get("/app/1", "Authorization", right).body()).isEqualTo("home");
        assertThat(server.get("/app/2", "Authorization", right).body()).isEqualTo("home");
        assertThat(server.get("/a.txt").statusCode()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void headersOfAllPathsAreAlsoThoseOfAPathThatIsRejected(Way way) throws Exception {
    try (SiteServer server = serve(way, "--header /*=X-Frame-Options:_DENY")) {
      HttpResponse<String> rejected = server.get("/a/%2e%2e/b");
      assertThat(rejected.statusCode()).isEqualTo(400);
      assertThat(field(rejected, "x-frame-options")).isEqualTo("DENY");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void strictTransportSecurityIsSentOverTlsOnly(Way way) throws Exception {
    String name = "Strict-Transport-Security";
    try (SiteServer server = serve(way, "--header /*=" + name + ":_max-age=9")) {
      boolean secure = way.isSecure();

      assertThat(field(server.get("/"), name)).isEqualTo(secure ? "max-age=9" : "");
      assertThat(server.rawGet("/", "a.example")).doesNotContain(name);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void limitsTheAttemptsOfAClientButNotItsRequests(Way way) throws Exception {
    try (SiteServer server = serve(way, "--auth /*=$users")) {
      String right = basic("ann:gehe:ïm");
      assertThat(server.get("/", "Authorization", right).statusCode()).isEqualTo(200);
      for (int i = 0; i < 9; i++) {
        assertThat(server.get("/", "Authorization", basic("ann:" + i)).statusCode()).isEqualTo(401);
      }
      HttpResponse<String> limited;
      int more = 0;
      do { // an attempt comes back while a slow machine checks passwords
        assertThat(more).isLessThan(100);
        limited = server.get("/", "Authorization", basic("ann:y" + more++));
      } while (limited.statusCode() == 401);

      assertThat(limited.statusCode()).isEqualTo(429);
      assertThat(field(limited, "retry-after")).isNotEmpty();
      assertThat(server.get("/").statusCode()).isEqualTo(401);
      assertThat(server.get("/", "Authorization", right).statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void rulesWithAHostAreForItsSiteOnly(Way way) throws Exception {
    String options =
        "--site b.example=$other --auth b.example/*=$users --header b.example/*=X-Site:_b"
            + " --redirect /old=/a.txt";
    try (SiteServer server = serve(way, options)) {
      HttpResponse<String> unknown = server.getFrom("B.example", "/");
      HttpResponse<String> known =
          server.getFrom("b.example", "/", "Authorization", basic("ann:gehe:ïm"));

      assertThat(unknown.statusCode()).isEqualTo(401);
      assertThat(field(unknown, "x-site")).isEqualTo("b");
      assertThat(known.body()).isEqualTo("other");
      assertThat(field(server.getFrom("b.example", "/old"), "location")).isEqualTo("/a.txt");
      assertThat(field(server.getFrom("a.example", "/"), "x-site")).isEmpty();
      assertThat(server.getFrom("a.example", "/").body()).isEqualTo("home");
      assertThat(server.get("/").body()).isEqualTo("home");
      assertThat(server.rawGet("http://b.example/", "a")).startsWith("HTTP/1.1 401 ");
      assertThat(server.rawGet("http://a/", "b.example")).endsWith("\r\n\r\nhome");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachSiteHasItsErrorPagesUsersAndRules(Way way) throws Exception {
    write("s/404.html", "not at a");
    write("other/404.html", "not at b");
    write("other/x.txt", "x of b");
    String options =
        "--site b.example=$other --auth b.example/x.txt=$users --rewrite b.example/y=/index.html"
            + " --redirect b.example/old=/new --redirect a.example/old=/newer"
            + " --site a.example=$s --cache a.example/*=max-age=9 --header b.example/*=X-Site:_b"
            + " --header a.example/*=X-Site:_a";
    try (SiteServer server = serve(way, options)) {
      HttpResponse<String> a = server.getFrom("a.example", "/none");
      HttpResponse<String> b = server.getFrom("b.example", "/none");

      assertThat(a.statusCode()).isEqualTo(404);
      assertThat(a.body()).isEqualTo("not at a");
      assertThat(field(a, "x-site")).isEqualTo("a");
      assertThat(b.statusCode()).isEqualTo(404);
      assertThat(b.body()).isEqualTo("not at b");
      assertThat(field(b, "x-site")).isEqualTo("b");
      assertThat(field(server.getFrom("a.example", "/old"), "location")).isEqualTo("/newer");
      assertThat(field(server.getFrom("b.example", "/old"), "location")).isEqualTo("/new");
      assertThat(server.getFrom("b.example", "/y").body()).isEqualTo("other");
      assertThat(server.getFrom("a.example", "/y").statusCode()).isEqualTo(404);
      assertThat(server.getFrom("b.example", "/x.txt").statusCode()).isEqualTo(401);
      assertThat(server.getFrom("a.example", "/x.txt").statusCode()).isEqualTo(404);
      assertThat(field(server.getFrom("a.example", "/a.txt"), "cache-control"))
          .isEqualTo("max-age=9");
      assertThat(field(server.getFrom("b.example", "/"), "cache-control")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aHostThatIsNotServedGetsTheHeadersOfAllSites(Way way) throws Exception {
    String options =
        "--header /*=X-Frame-Options:_DENY --header a.example/*=X-Site:_a --header /p=X-P:_1";
    try (SiteServer server = SiteServer.start(way, folder, "--site a.example=$s " + options)) {
      HttpResponse<String> unknown = server.getFrom("b.example", "/p");

      assertThat(unknown.statusCode()).isEqualTo(421);
      assertThat(field(unknown, "x-frame-options")).isEqualTo("DENY");
      assertThat(field(unknown, "x-p")).isEqualTo("1");
      assertThat(field(unknown, "x-site")).isEmpty();
      assertThat(field(server.getFrom("a.example", "/"), "x-site")).isEqualTo("a");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anErrorHasNoValidatorsOfItsPage(Way way) throws Exception {
    write("s/404.html", "not here" + " ".repeat(2000));
    try (SiteServer server = serve(way, "--hidden")) {
      for (String coding : new String[] {"identity", "gzip"}) {
        HttpResponse<String> missing = server.get("/none", "Accept-Encoding", coding);

        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.headers().map())
            .doesNotContainKeys("etag", "last-modified", "accept-ranges");
        assertThat(field(missing, "vary")).isEqualTo("Accept-Encoding");
        assertThat(field(server.get("/404.html", "Accept-Encoding", coding), "etag")).isNotEmpty();
      }
    }
  }
}
