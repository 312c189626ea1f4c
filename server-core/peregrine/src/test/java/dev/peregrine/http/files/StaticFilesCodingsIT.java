package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that lie beside others in another coding. */
final class StaticFilesCodingsIT extends ServedFiles {
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
  void givesEveryCodingItsOwnTagAndRanges() throws IOException {
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
  void looksForNoCodingsIfConfigured() throws IOException {
    file("app.js", "plain");
    file("app.js.gz", "as gzip");
    RawClient client = serve(options -> options.precompressed(false));

    RawResponse response = get(client, "/app.js", "Accept-Encoding: gzip");
    assertThat(response.text()).isEqualTo("plain");
    assertThat(response.header("Vary")).isNull();
  }
}
