package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each limit of multipart content at, below and above it. */
final class MultipartLimitsIT {
  private static final String HEADER = "Content-Disposition: form-data; name=a\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  /**
   * A limit, and the form that has a size.
   *
   * @param option its name
   */
  record Limit(String option, MultipartLimits limits, int max, IntFunction<String> form) {
    @Override
    public String toString() {
      return option;
    }
  }

  /** Returns the limits that hold for every way of reading. */
  static List<Limit> limits() {
    return List.of(
        new Limit(
            "partsMax",
            MultipartLimits.builder().partsMax(5).build(),
            5,
            count -> ("--XX\r\n" + HEADER + "\r\n").repeat(count) + "--XX--"),
        new Limit(
            "headerBytesMax",
            MultipartLimits.builder().headerBytesMax(300).build(),
            300,
            size -> "--XX\r\n" + header(size) + "\r\n--XX--"),
        new Limit(
            "nameBytesMax",
            MultipartLimits.builder().nameBytesMax(20).build(),
            20,
            size -> named("name=" + "n".repeat(size))),
        new Limit(
            "nameBytesMax",
            MultipartLimits.builder().nameBytesMax(20).build(),
            20,
            // a letter of two bytes
            size -> named("name=n; filename=\"\u00c3\u00a4" + "n".repeat(size - 2) + "\"")),
        new Limit(
            "partBytesMax",
            MultipartLimits.builder().partBytesMax(90_000).build(),
            90_000,
            size -> content("x".repeat(size))),
        new Limit(
            "contentBytesMax",
            MultipartLimits.builder().contentBytesMax(90_000).build(),
            90_000,
            size -> content("x".repeat(size - content("").length()))),
        new Limit(
            "preambleBytesMax",
            MultipartLimits.builder().preambleBytesMax(50).build(),
            50,
            size -> "p".repeat(size) + "\r\n" + content("")),
        new Limit(
            "epilogueBytesMax",
            MultipartLimits.builder().epilogueBytesMax(50).build(),
            50,
            size -> content("") + "\r\n" + "e".repeat(size)));
  }

  private static String header(int bytes) {
    String name = "X-Padding:";
    int padding = bytes - name.length() - 2 - HEADER.length();
    return name + "p".repeat(padding) + "\r\n" + HEADER;
  }

  private static String named(String parameters) {
    return "--XX\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n\r\n--XX--";
  }

  private static String content(String text) {
    return "--XX\r\n" + HEADER + text + "\r\n--XX--";
  }

  @ParameterizedTest
  @MethodSource("limits")
  void rejectsMoreThanALimitAndNamesTheOption(Limit limit) {
    for (Way way : new Way[] {Way.FLOW, Way.FLOW_WITH_PAUSES, Way.STREAM}) {
      HttpServer server = servers.start(way.handler(limit.limits));
      for (int size : new int[] {limit.max - 1, limit.max, limit.max + 1}) {
        byte[] form = Requests.bytes(limit.form.apply(size));
        for (byte[] request :
            new byte[][] {
              MultipartText.post(MultipartText.TYPE, form),
              MultipartText.chunked(MultipartText.TYPE, form, 1 + form.length / 9)
            }) {
          RawResponse response = servers.connect(server).send(request).read();

          assertThat(response.status()).isEqualTo(size <= limit.max ? 200 : 413);
          if (size > limit.max) {
            assertThat(response.text())
                .startsWith("multipart content: ")
                .contains("of more than " + limit.max)
                .contains("(" + limit.option + ")");
          }
        }
      }
    }
  }

  @Test
  void rejectsADeclaredLengthBeforeTheContentIsSent() {
    HttpServer server =
        servers.start(Way.FLOW.handler(MultipartLimits.builder().contentBytesMax(999).build()));

    RawResponse response =
        servers.connect(server).send(MultipartText.head(MultipartText.TYPE, 1_000)).read();

    assertThat(response.status()).isEqualTo(413);
    assertThat(response.text()).contains("(contentBytesMax)");
  }

  @Test
  void allowsMoreThanTheServersOwnLimit() {
    HttpServer server =
        servers.start(
            Way.STREAM.handler(MultipartLimits.DEFAULTS),
            Servers.LIMITS.toBuilder().bodyBytesMax(10).build());
    byte[] form = new MultipartText().field("a", "b").end();

    assertThat(
            servers
                .connect(server)
                .send(MultipartText.post(MultipartText.TYPE, form))
                .read()
                .status())
        .isEqualTo(200);
  }

  @Test
  void boundsTheTextOfAField() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  MultipartLimits limits = MultipartLimits.builder().fieldBytesMax(70_000).build();
                  try (MultipartReader parts = MultipartReader.open(request, limits)) {
                    for (Part part = parts.next(); part != null; part = parts.next()) {
                      if (part.name().equals("text")) {
                        response.text("" + part.text().length());
                      } else {
                        response.text("" + part.readAll(70_000).length);
                      }
                    }
                  }
                }));

    for (String name : new String[] {"text", "bytes"}) {
      for (int size : new int[] {69_999, 70_000, 70_001}) {
        byte[] form = new MultipartText().field(name, "x".repeat(size)).end();
        RawResponse response =
            servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();
        assertThat(response.status()).isEqualTo(size <= 70_000 ? 200 : 413);
        if (size > 70_000) {
          String option = name.equals("text") ? "(fieldBytesMax)" : "(bytesMax)";
          assertThat(response.text()).contains("a field of more than 70000 bytes " + option);
        } else {
          assertThat(response.text()).isEqualTo("" + size);
        }
      }
    }
  }

  @Test
  void checksTheRangesOfOptions() {
    assertThat(MultipartLimits.builder().build()).isEqualTo(MultipartLimits.DEFAULTS);
    MultipartLimits least =
        MultipartLimits.builder()
            .partsMax(1)
            .headerBytesMax(64)
            .nameBytesMax(0)
            .fieldBytesMax(0)
            .fieldsBytesMax(0)
            .partBytesMax(0)
            .contentBytesMax(0)
            .preambleBytesMax(0)
            .epilogueBytesMax(0)
            .build();
    assertThat(least).isEqualTo(new MultipartLimits(1, 64, 0, 0, 0, 0, 0, 0, 0));
    assertRejected("partsMax is 0", MultipartLimits.builder().partsMax(0));
    assertRejected("headerBytesMax", MultipartLimits.builder().headerBytesMax(63));
    assertRejected("headerBytesMax", MultipartLimits.builder().headerBytesMax(1_048_577));
    assertRejected("nameBytesMax", MultipartLimits.builder().nameBytesMax(-1));
    assertRejected("fieldBytesMax", MultipartLimits.builder().fieldBytesMax(-1));
    assertRejected("fieldsBytesMax", MultipartLimits.builder().fieldsBytesMax(-1));
    assertRejected("partBytesMax", MultipartLimits.builder().partBytesMax(-1));
    assertRejected("contentBytesMax", MultipartLimits.builder().contentBytesMax(-1));
    assertRejected("preambleBytesMax", MultipartLimits.builder().preambleBytesMax(-1));
    assertRejected("epilogueBytesMax", MultipartLimits.builder().epilogueBytesMax(-1));
  }

  @Test
  void rejectsAPartThatIsLargerThanTheContent() {
    MultipartLimits.Builder above = MultipartLimits.builder().partBytesMax(30_000_001);
    assertThat(MultipartLimits.builder().partBytesMax(30_000_000).build().contentBytesMax())
        .isEqualTo(30_000_000);

    assertThatThrownBy(above::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("partBytesMax is 30000001, but contentBytesMax,")
        .hasMessageContaining("is 30000000: set contentBytesMax to more");
    assertThat(MultipartLimits.builder().contentBytesMax(999).build().partBytesMax())
        .isEqualTo(999);
    assertThat(above.contentBytesMax(30_000_001).build().partBytesMax()).isEqualTo(30_000_001);
  }

  private static void assertRejected(String option, MultipartLimits.Builder builder) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option);
  }
}
