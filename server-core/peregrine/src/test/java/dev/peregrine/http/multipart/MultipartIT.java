package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MultipartIT {
  private static final byte[] FILE = Requests.content(700_001);
  private static final byte[] EMPTY = {};

  @RegisterExtension final Servers servers = new Servers();

  private static byte[] form() {
    return new MultipartText()
        .field("title", "A Käse\r\n--X\r\n--")
        .file("photo", "käse %22fresh%22.jpg", FILE)
        .file("none", "", EMPTY)
        .field("end", "")
        .end();
  }

  private static String summary() {
    return Way.line("title", null, "A Käse\r\n--X\r\n--".getBytes(StandardCharsets.UTF_8))
        + Way.line("photo", "käse \"fresh\".jpg", FILE)
        + Way.line("none", "", EMPTY)
        + Way.line("end", null, EMPTY);
  }

  private static String utf8(RawResponse response) {
    return new String(response.content(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void takesAFormApart(Way way) {
    HttpServer server = servers.start(way.handler(MultipartLimits.DEFAULTS));
    RawClient client = servers.connect(server);
    byte[] form = form();

    for (int i = 0; i < 2; i++) {
      RawResponse whole = client.send(MultipartText.post(MultipartText.TYPE, form)).read();
      assertThat(whole.status()).isEqualTo(200);
      assertThat(utf8(whole)).isEqualTo(summary());
      RawResponse chunks =
          client.send(MultipartText.chunked(MultipartText.TYPE, form, 9_973)).read();
      assertThat(utf8(chunks)).isEqualTo(summary());
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesAFormApartThatArrivesByteByByte(Way way) {
    HttpServer server = servers.start(way.handler(MultipartLimits.DEFAULTS));
    byte[] content = "x\r\n--X\r\r\n--XY\r\n--".getBytes(StandardCharsets.US_ASCII);
    byte[] form = new MultipartText().file("f", "n", content).field("a", "b").end();

    RawResponse response =
        servers.connect(server).send(MultipartText.chunked(MultipartText.TYPE, form, 1)).read();

    assertThat(utf8(response))
        .isEqualTo(
            Way.line("f", "n", content)
                + Way.line("a", null, "b".getBytes(StandardCharsets.US_ASCII)));
  }

  @ParameterizedTest
  @EnumSource
  void takesCompressedFormsApart(Way way) throws IOException {
    HttpServer server = servers.start(Decompression.of(way.handler(MultipartLimits.DEFAULTS)));
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(form());
    }

    RawResponse response =
        servers
            .connect(server)
            .send(
                MultipartText.post(
                    MultipartText.TYPE + "\r\nContent-Encoding: gzip", compressed.toByteArray()))
            .read();

    assertThat(utf8(response)).isEqualTo(summary());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "multipart/form-data; boundary=XX",
        "Multipart/Form-Data;charset=utf-8;Boundary=\"XX\"",
        "multipart/form-data ; boundary=\"X\\X\" ",
      })
  void acceptsTypesWithABoundary(String type) {
    HttpServer server = servers.start(Way.FLOW.handler(MultipartLimits.DEFAULTS));
    byte[] form = new MultipartText().field("a", "b").end();

    assertThat(servers.connect(server).send(MultipartText.post(type, form)).read().status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "application/x-www-form-urlencoded ! 415 ! the content must be multipart/form-data",
        "multipart/mixed; boundary=XX ! 415 ! the content must be multipart/form-data",
        "multipart/form-data ! 400 ! no valid boundary",
        "multipart/form-data; boundary ! 400 ! no valid boundary",
        "multipart/form-data; boundary= ! 400 ! no valid boundary",
        "multipart/form-data; boundary=\"\" ! 400 ! RFC 2046",
        "multipart/form-data; boundary=\"XX ! 400 ! no valid boundary",
        "multipart/form-data; boundary=XX; boundary=XX ! 400 ! no valid boundary",
        "multipart/form-data; boundary=XX; ! 400 ! no valid boundary",
        "multipart/form-data; boundary=\"X;X\" ! 400 ! RFC 2046",
        "multipart/form-data; boundary=X#X ! 400 ! RFC 2046",
        "multipart/form-data; boundary=\"XX \" ! 400 ! RFC 2046",
        "multipart/form-data; boundary=a/b ! 400 ! no valid boundary",
        "multipart/form-data; boundary=XX\\r\\nContent-Type: multipart/form-data ! 400 ! two",
      })
  void rejectsOtherTypes(String type, int status, String text) {
    for (Way way : new Way[] {Way.FLOW, Way.STREAM}) {
      HttpServer server = servers.start(way.handler(MultipartLimits.DEFAULTS));
      byte[] form = new MultipartText().field("a", "b").end();

      RawResponse response =
          servers
              .connect(server)
              .send(MultipartText.post(type.replace("\\r\\n", "\r\n"), form))
              .read();

      assertThat(response.status()).isEqualTo(status);
      assertThat(response.text()).contains(text);
    }
  }

  @Test
  void boundsTheBoundary() {
    HttpServer server = servers.start(Way.FLOW.handler(MultipartLimits.DEFAULTS));
    for (int length : new int[] {69, 70, 71}) {
      String boundary = "b".repeat(length);
      byte[] form = Requests.bytes("--" + boundary + "--");

      RawResponse response =
          servers
              .connect(server)
              .send(MultipartText.post("multipart/form-data; boundary=" + boundary, form))
              .read();

      assertThat(response.status()).isEqualTo(length <= 70 ? 200 : 400);
      assertThat(response.text()).contains(length <= 70 ? "" : "a boundary of more than 70 bytes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void rejectsRequestsWithoutContent(Way way) {
    HttpServer server = servers.start(way.handler(MultipartLimits.DEFAULTS));
    String fields = " / HTTP/1.1\r\nHost: test\r\nContent-Type: " + MultipartText.TYPE;

    for (String method : new String[] {"GET", "POST"}) {
      RawResponse response =
          servers.connect(server).send(method + fields + "\r\nContent-Length: 0\r\n\r\n").read();
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).contains("it ends before its last boundary");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--XX\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\rX: y\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; filename=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: attachment; name=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\"a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\"a\"b\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a;\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\"a\u0001\"\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\"a\u0000\"\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\"\u00c3\"\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=\u00c3\u00a4\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition : form-data; name=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\nno colon\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n"
            + "content-disposition: form-data; name=a\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n"
            + "Content-Type: a/b\r\nContent-Type: a/b\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n"
            + "Content-Transfer-Encoding: base64\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n--XX: y\r\n\r\nv\r\n--XX--",
        "--XX\r\n\r\nv\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX-",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX\r\n",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX--\r",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX--x",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX --",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XXX--\r\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\n--XX--",
        "--XX\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''b\r\n\r\nv\r\n--XX--",
        "--X\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX--",
        "--XY\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n"
            + "--XX\r\nContent-Disposition: form-data; name=b\r\n\r\nv\r\n--XX--",
        "-XX\r\nContent-Disposition: form-data; name=a\r\n\r\nv\r\n--XX--",
        "preamble\r\n--XX--",
        "--XX x\r\n",
        "a--XX--",
        "XX--",
      })
  void rejectsMalformedContent(String latin1) {
    for (Way way : new Way[] {Way.FLOW, Way.STREAM}) {
      HttpServer server = servers.start(way.handler(MultipartLimits.DEFAULTS));

      RawResponse response =
          servers
              .connect(server)
              .send(MultipartText.post(MultipartText.TYPE, Requests.bytes(latin1)))
              .read();

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).startsWith("multipart content: ");
    }
  }

  @Test
  void boundsWhiteSpaceAfterABoundary() {
    HttpServer server = servers.start(Way.FLOW.handler(MultipartLimits.DEFAULTS));
    for (int length : new int[] {63, 64, 65}) {
      for (String boundary : new String[] {"--XX", "--XX--"}) {
        String rest =
            boundary.equals("--XX")
                ? "Content-Disposition: form-data; name=a\r\n\r\n\r\n--XX--"
                : "";
        String form = boundary + "\t".repeat(length) + "\r\n" + rest;

        RawResponse response =
            servers
                .connect(server)
                .send(MultipartText.post(MultipartText.TYPE, Requests.bytes(form)))
                .read();

        assertThat(response.status()).isEqualTo(length <= 64 ? 200 : 400);
      }
    }
  }

  @Test
  void readsNamesAsBrowsersAndOthersWriteThem() {
    HttpServer server = servers.start(Way.FLOW.handler(MultipartLimits.DEFAULTS));
    byte[] form =
        new MultipartText()
            .part("form-data; name=\"a%22%0D%0A%41%\"", "", EMPTY)
            .part("form-data; name=\"q\\\"\\\\\"; filename=\"C:\\dir\\f.txt\"", "", EMPTY)
            .part("FORM-DATA;Name=token;FILENAME=t.txt", "", EMPTY)
            .part("form-data; name=x; filename=y.txt; filename*=UTF-8''z.txt", "", EMPTY)
            .part("form-data; name=\"\"; other=\";name=b\"", "", EMPTY)
            .end();

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();

    assertThat(response.text())
        .isEqualTo(
            Way.line("a\"\r\n%41%", null, EMPTY)
                + Way.line("q\"\\", "C:\\dir\\f.txt", EMPTY)
                + Way.line("token", "t.txt", EMPTY)
                + Way.line("x", "y.txt", EMPTY)
                + Way.line("", null, EMPTY));
  }

  @Test
  void givesTheHeaderFieldsOfAPart() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (MultipartReader parts =
                      MultipartReader.open(request, MultipartLimits.DEFAULTS)) {
                    PartHead head = Objects.requireNonNull(parts.next()).head();
                    assertThat(head.contentType()).isEqualTo("text/plain; charset=utf-8");
                    assertThat(head.header("x-own")).isEqualTo("Käse");
                    assertThat(head.header("none")).isNull();
                    assertThat(head.headerNames())
                        .containsExactly("Content-Disposition", "Content-Type", "X-Own", "x-own");
                    assertThat(head.isFile()).isTrue();
                    assertThat(head).hasToString("f (a?b)");
                    assertThat(parts.next()).isNull();
                    assertThat(parts.next()).isNull();
                  }
                  response.text("fine");
                }));
    byte[] form =
        new MultipartText()
            .part(
                "form-data; name=f; filename=\"a%0ab\"",
                "Content-Type:text/plain; charset=utf-8 \r\nX-Own: Käse\r\nx-own:\r\n", EMPTY)
            .end();

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();

    assertThat(response.text()).isEqualTo("fine");
  }

  @Test
  void ignoresPreambleAndEpilogueAndPartsWithoutContent() {
    HttpServer server = servers.start(Way.FLOW.handler(MultipartLimits.DEFAULTS));
    String form =
        Requests.text(
            "ignored",
            "--X",
            "--XX",
            "Content-Disposition: form-data; name=a",
            "",
            "--XX",
            "Content-Disposition: form-data; name=b",
            "",
            "",
            "--XX--",
            "--XX",
            "ignored");

    RawResponse response =
        servers
            .connect(server)
            .send(MultipartText.post(MultipartText.TYPE, Requests.bytes(form)))
            .read();

    assertThat(response.text()).isEqualTo(Way.line("a", null, EMPTY) + Way.line("b", null, EMPTY));
  }
}
