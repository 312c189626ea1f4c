package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statuses and fields that rule compression out, and those that it changes. */
final class CompressionFieldsIT {
  private static final String TEXT = "Lorem ipsum dolor sit amet. ".repeat(100);

  @RegisterExtension final Servers servers = new Servers();

  private RawClient serve(Handler handler) {
    return servers.connect(servers.start(Compression.of(handler)));
  }

  private static RawResponse get(RawClient client, String path, String accepted) {
    return client
        .send("GET " + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepted + "\r\n\r\n")
        .read();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Encoding | br",
        "Content-Range | bytes 0-1/2",
        "Cache-Control | public, No-Transform"
      })
  void doesNotCompressContentThatMustNotBeChanged(String name, String value) {
    PreparedFields prepared = PreparedFields.of(name, value, "ETag", "\"tag\"");
    RawClient client =
        serve(
            (request, response) -> {
              if (request.pathIs("/prepared")) {
                response.addHeaders(prepared).text(TEXT);
              } else {
                response.header(name, value).header("ETag", "\"tag\"").text(TEXT);
              }
            });
    for (String path : new String[] {"/", "/prepared"}) {
      RawResponse response = get(client, path, "gzip");
      assertThat(response.header("Content-Encoding"))
          .isEqualTo(name.equals("Content-Encoding") ? value : null);
      assertThat(response.header("ETag")).isEqualTo("\"tag\"");
      assertThat(response.text()).isEqualTo(TEXT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 205, 206, 304})
  void doesNotCompressStatusesWithoutWholeContent(int status) {
    RawClient client =
        serve(
            (request, response) -> {
              response.status(status).contentType(ContentType.TEXT_PLAIN);
              response.header("ETag", "\"tag\"");
              if (status == 206) {
                response.header("Content-Range", "bytes 0-2799/9999").text(TEXT);
              } else {
                response.send();
              }
            });

    RawResponse response = get(client, "/", "gzip");

    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Content-Encoding")).isNull();
    assertThat(response.header("ETag")).isEqualTo(status == 304 ? "W/\"tag\"" : "\"tag\"");
    assertThat(response.header("Vary"))
        .isEqualTo(status == 206 || status == 304 ? "Accept-Encoding" : null);
    assertThat(get(client, "/", "gzip").status()).isEqualTo(status);
  }

  /** A length is that of the bytes that 200 would have (RFC 9110 section 8.6). */
  @ParameterizedTest
  @CsvSource({"GET, gzip", "GET, identity", "HEAD, gzip", "HEAD, identity"})
  void describesWhatA304Replaces(String method, String accepted) {
    RawClient client =
        serve(
            (request, response) ->
                response.status(304).header("ETag", "\"tag\"").contentLength(5000).send());

    RawResponse response =
        client
            .send(method + " / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepted + "\r\n\r\n")
            .read(method);

    boolean coded = accepted.equals("gzip");
    assertThat(response.status()).isEqualTo(304);
    assertThat(response.header("ETag")).isEqualTo(coded ? "W/\"tag\"" : "\"tag\"");
    assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(response.header("Content-Length")).isEqualTo(coded ? null : "5000");
  }

  /** A 206 has the Vary field of the 200 that it is a part of (RFC 9110 section 15.3.7). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain | bytes 0-5/1024 | X: y | Accept-Encoding",
        "text/plain | bytes 0-5/1023 | X: y | ''",
        "text/plain | bytes 0-5/* | X: y | Accept-Encoding",
        "text/plain | bytes 0-5/ | X: y | Accept-Encoding",
        "text/plain | bytes 0-5/9a | X: y | Accept-Encoding",
        "text/plain | bytes 0-5/000000000000000006 | X: y | ''",
        "text/plain | bytes 0-5/0000000000000000006 | X: y | Accept-Encoding",
        "image/png | bytes 0-5/9999 | X: y | ''",
        "text/plain | bytes 0-5/9999 | Content-Encoding: br | ''",
        "text/plain | bytes 0-5/9999 | Cache-Control: no-transform | ''",
        "text/plain | bytes 0-5/9999 | Vary: Accept-Encoding, X | Accept-Encoding, X"
      })
  void variesPartsOfContentThatMightBeCompressed(
      String type, String range, String field, String vary) {
    int colon = field.indexOf(':');
    RawClient client =
        serve(
            (request, response) ->
                response
                    .status(206)
                    .contentType(ContentType.of(type))
                    .header("Content-Range", range)
                    .header(field.substring(0, colon), field.substring(colon + 2))
                    .send(Requests.bytes("sample")));

    RawResponse response = get(client, "/", "gzip");

    assertThat(response.status()).isEqualTo(206);
    assertThat(response.header("Vary")).isEqualTo(vary.isEmpty() ? null : vary);
    assertThat(response.text()).isEqualTo("sample");
  }

  @Test
  void weakensTagsAndKeepsVary() {
    RawClient client =
        serve(
            (request, response) ->
                response
                    .header("ETag", "\"tag\"")
                    .header("Vary", "Accept-Language, accept-encoding")
                    .text(TEXT));

    RawResponse response = get(client, "/", "gzip");
    assertThat(response.header("ETag")).isEqualTo("W/\"tag\"");
    assertThat(response.header("Vary")).isEqualTo("Accept-Language, accept-encoding");
    assertThat(get(client, "/", "identity").header("ETag")).isEqualTo("\"tag\"");
  }
}
