package dev.peregrine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.http.Handler;
import dev.peregrine.server.testing.TestRequest;
import dev.peregrine.server.testing.TestResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command {@code serve} answers. */
final class SiteTest {
  @TempDir Path folder;

  @BeforeEach
  void makeSites() throws IOException {
    for (String name : new String[] {"a", "b", "main"}) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("index.html"), name);
    }
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
  void servesTheMainDirectoryToOtherHosts() throws Exception {
    Handler site = site("serve $main --site a.example=$a");

    assertThat(get(site, "a.example", "/")).isEqualTo("a");
    assertThat(get(site, "other.example", "/")).isEqualTo("main");
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
      })
  void saysInASentenceWhatIsWrong(String line, String sentence) {
    assertThatIllegalArgumentException().isThrownBy(() -> site(line)).withMessage(sentence);
  }

  @Test
  void namesAHostOfAWrongForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> site("serve --site a:80=$a"))
        .withMessageStartingWith("--site: not a host: \"a:80\": ");
  }
}
