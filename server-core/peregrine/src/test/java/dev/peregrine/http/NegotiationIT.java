package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NegotiationIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "X: y                                            | application/json",
        "Accept: */*                                     | application/json",
        "Accept: text/html                               | text/html;charset=utf-8",
        "Accept: text/html, application/json             | application/json",
        "Accept: application/json;q=0.5, TEXT/*          | text/html;charset=utf-8",
        "Accept: */*;q=0.1, application/json;q=0         | text/html;charset=utf-8",
        "Accept: text/html;q=0, text/html;charset=utf-8  | text/html;charset=utf-8",
        "Accept: image/png                               | null",
        "Accept: application/json;q=0                    | null",
        "Accept: application                             | null",
      })
  void choosesTheMediaTypeThatTheClientPrefers(String field, String expected) {
    assertThat(
            answer(
                request ->
                    Negotiation.mediaType(request, "application/json", "text/html;charset=utf-8"),
                field))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X: y                                        | de",
        "Accept-Language: fr                         | null",
        "Accept-Language: fr, *;q=0.1                | de",
        "Accept-Language: en                         | en-GB",
        "Accept-Language: EN-gb                      | en-GB",
        "Accept-Language: de-CH, en;q=0.9            | de",
        "Accept-Language: de-CH, de;q=0.1, en;q=0.5  | en-GB",
        "Accept-Language: den                        | null",
      })
  void choosesTheLanguageThatTheClientPrefers(String field, String expected) {
    assertThat(answer(request -> Negotiation.language(request, "de", "en-GB"), field))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X: y                                             | identity",
        "Accept-Encoding:                                 | identity",
        "Accept-Encoding: gzip                            | gzip",
        "Accept-Encoding: gzip, br                        | br",
        "Accept-Encoding: gzip, br;q=0.9                  | gzip",
        "Accept-Encoding: *                               | br",
        "Accept-Encoding: *;q=0                           | null",
        "Accept-Encoding: identity;q=0                    | null",
        "Accept-Encoding: identity;q=0, gzip              | gzip",
        "Accept-Encoding: gzip;q=0.5, identity            | identity",
        "Accept-Encoding: identity;q=0.5, *;q=0           | identity",
        "Accept-Encoding: zstd                            | identity",
      })
  void choosesTheCodingThatTheClientPrefers(String field, String expected) {
    assertThat(answer(request -> Negotiation.coding(request, "br", "gzip"), field))
        .isEqualTo(expected);
  }

  private interface Choice {
    @Nullable String of(Request request);
  }

  private String answer(Choice choice, String field) {
    HttpServer server =
        servers.start((request, response) -> response.text(String.valueOf(choice.of(request))));
    return servers
        .connect(server)
        .send(Requests.lines("GET / HTTP/1.1", "Host: test", field))
        .read()
        .text();
  }
}
