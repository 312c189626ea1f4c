package dev.peregrine.cli.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.rules.PasswordHash;
import dev.peregrine.http.Handler;
import dev.peregrine.server.testing.TestRequest;
import dev.peregrine.server.testing.TestResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of the command {@code serve}. */
final class SiteTest {
  @TempDir Path folder;

  @BeforeEach
  void makeSites() throws IOException {
    for (String name : new String[] {"a", "b", "main"}) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("index.html"), name);
    }
    Files.writeString(folder.resolve("a/users"), "a:" + PasswordHash.create("p", 10_000));
  }

  private Handler site(String line) {
    return Site.of(
        Invocation.of(Map.of(), line.replace("$", folder.toString() + "/").split(" ", -1)));
  }

  private static String get(Handler site, String host, String path) throws InterruptedException {
    TestResponse response = TestRequest.get(path).header("Host", host).send(site);
    return response.status() == 200 ? response.text() : "" + response.status();
  }

  @Test
  void servesDirectoriesByHost() throws Exception {
    Handler site = site("serve --site a.example=$a --site *.b.example=$b");

    assertThat(get(site, "A.example:8080", "/")).isEqualTo("a");
    assertThat(get(site, "x.b.example", "/")).isEqualTo("b");
    assertThat(get(site, "other.example", "/")).isEqualTo("421");
  }

  @Test
  void hidesNamesThatBeginWithADotUnlessTheyAreWellKnown() throws Exception {
    Files.createDirectories(folder.resolve("a/.well-known/acme"));
    Files.writeString(folder.resolve("a/.well-known/acme/x"), "token");
    Files.writeString(folder.resolve("a/.well-known/.x"), "hidden");
    Files.writeString(folder.resolve("a/.env"), "hidden");

    assertThat(get(site("serve $a"), "a", "/.well-known/acme/x")).isEqualTo("token");
    assertThat(get(site("serve $a"), "a", "/.well-known/.x")).isEqualTo("404");
    assertThat(get(site("serve $a"), "a", "/.env")).isEqualTo("404");
    assertThat(get(site("serve $a --hidden"), "a", "/.env")).isEqualTo("hidden");
  }

  @Test
  void servesTheMainDirectoryToOtherHosts() throws Exception {
    Handler site = site("serve $main --site a.example=$a");

    assertThat(get(site, "a.example", "/")).isEqualTo("a");
    assertThat(get(site, "other.example", "/")).isEqualTo("main");
  }

  @Test
  void sendsThePageOfTheSiteWith404() throws Exception {
    Files.writeString(folder.resolve("a/404.html"), "<p>nothing here</p>");
    Files.writeString(folder.resolve("a/x.css"), "b{}");
    Handler site = site("serve $a --cache /*=max-age=9");

    TestResponse missing =
        TestRequest.get("/none")
            .header("Range", "bytes=0-1")
            .header("If-None-Match", "*")
            .header("If-Match", "\"x\"")
            .send(site);
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.text()).isEqualTo("<p>nothing here</p>");
    assertThat(missing.headers("Cache-Control")).containsExactly("no-cache");
    assertThat(missing.header("Content-Type")).startsWith("text/html");
    assertThat(TestRequest.of("HEAD", "/none").send(site).status()).isEqualTo(404);
    assertThat(get(site, "a", "/x.css")).isEqualTo("b{}");
    assertThat(get(site("serve $b"), "a", "/none")).isEqualTo("404");
    assertThat(TestRequest.post("/none", "").send(site).status()).isEqualTo(405);
  }

  @Test
  void setsCacheControlByTheFirstPatternThatMatches() throws Exception {
    Files.createDirectories(folder.resolve("a/assets"));
    Files.writeString(folder.resolve("a/assets/x.css"), "b{}");
    Handler site =
        site(
            "serve $a --cache /assets/x.css=no-store --cache /assets/*=immutable --cache *.html=m");

    assertThat(cacheControl(site, "/assets/x.css")).isEqualTo("no-store");
    assertThat(cacheControl(site, "/index.html")).isEqualTo("m");
    assertThat(cacheControl(site, "/")).isNull();
    assertThat(cacheControl(site, "/assets/none")).isEqualTo("no-store");
  }

  private static @Nullable String cacheControl(Handler site, String path) throws Exception {
    return TestRequest.get(path).send(site).header("Cache-Control");
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, /, https://a.example:8443/",
    "a.example:80, /x?y=1, https://a.example:8443/x?y=1",
    "[::1]:80, /, https://[::1]:8443/",
  })
  void redirectsToHttps(String host, String target, String location) throws Exception {
    Handler site = site("serve $a --https-redirect 8443");

    TestResponse response = TestRequest.get(target).header("Host", host).send(site);

    assertThat(response.status()).isEqualTo(308);
    assertThat(response.header("Location")).isEqualTo(location);
  }

  @Test
  void redirectsNoHostThatIsNotServed() throws Exception {
    Handler site = site("serve --site a.example=$a --https-redirect 443");

    assertThat(get(site, "other.example", "/")).isEqualTo("421");
    TestResponse served = TestRequest.get("//x").header("Host", "a.example").send(site);
    assertThat(served.header("Location")).isEqualTo("https://a.example//x");
    TestResponse options = TestRequest.of("OPTIONS", "*").header("Host", "a.example").send(site);
    assertThat(options.status()).isEqualTo(400);
  }

  @Test
  void asksNoUserForARequestThatNamesNoFile() throws Exception {
    Handler site = site("serve $b --auth /*=$a/users");

    TestResponse options = TestRequest.of("OPTIONS", "*").header("Host", "a.example").send(site);
    assertThat(options.status()).isEqualTo(405);
    assertThat(get(site, "a.example", "/")).isEqualTo("401");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve | serve needs a directory: peregrine serve DIR",
        "serve --site a | --site is a, but must be HOST=DIR",
        "serve --site =a | --site is =a, but must be HOST=DIR",
        "serve --site a=none | --site a is none, which doesn't exist",
        "serve --site a=$a --site a=$b | --site names the host a twice",
        "serve $a --cache x | --cache is x, but must be PATTERN=VALUE",
        "serve $a --cache /x= | --cache is /x=, but must be PATTERN=VALUE",
        "serve $a --auth /*=$a/users | --auth names $a/users, which lies in the directory that is"
            + " served",
        "serve $a --https-redirect 0 | --https-redirect is 0, but must be a number from 1 to 65535",
      })
  void saysInASentenceWhatIsWrong(String line, String sentence) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> site(line))
        .withMessage(sentence.replace("$", folder + "/"));
  }

  @Test
  void namesAHostOfAWrongForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> site("serve --site a:80=$a"))
        .withMessageStartingWith("--site: not a host: \"a:80\": ");
  }
}
