package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request heads from fields of HTTP/2 (RFC 9113 sections 8.1 and 8.2). */
class Http2HeadReaderTest extends Http2HeadCase {

  @Test
  void fillsEveryPartOfAHead() {
    DecodedFields fields =
        Http2Fields.of(
                ":method: POST",
                ":scheme: https",
                ":authority: example.com:8443",
                ":path: /a/b?c=d?e",
                "user-agent: curl/8",
                "content-length: 12",
                "x-own: 1",
                "expect: 100-continue",
                "accept: ",
                "x-own: 2")
            .decoded();

    assertThat(READER.read(fields, head)).isTrue();

    assertThat(head.rejection()).isNull();
    assertThat(head.version()).isEqualTo(HttpVersion.HTTP_2);
    assertThat(head.method()).isEqualTo(HttpMethod.POST);
    assertThat(text(fields, head.methodStart(), head.methodEnd())).isEqualTo("POST");
    assertThat(head.targetForm()).isEqualTo(TargetForm.ORIGIN);
    assertThat(head.isAbsolute()).isFalse();
    assertThat(text(fields, head.targetStart(), head.targetEnd())).isEqualTo("/a/b?c=d?e");
    assertThat(text(fields, head.pathStart(), head.pathEnd())).isEqualTo("/a/b");
    assertThat(text(fields, head.queryStart(), head.queryEnd())).isEqualTo("c=d?e");
    assertThat(text(fields, head.schemeStart(), head.schemeEnd())).isEqualTo("https");
    assertThat(host(fields)).isEqualTo("example.com:8443");
    assertThat(head.contentLength()).isEqualTo(12);
    assertThat(head.isChunked()).isFalse();
    assertThat(head.isKeepAlive()).isTrue();
    assertThat(head.expectsContinue()).isTrue();
    assertThat(head.isUpgrade()).isFalse();
    assertThat(head.protocolStart()).isEqualTo(-1);
    assertThat(head.protocolEnd()).isEqualTo(-1);
    assertThat(head.length()).isEqualTo(fields.textLength() + "host".length());
    assertThat(Outcome.accepted(fields.segment(), 0, head).fields())
        .extracting(Outcome.Field::known, Outcome.Field::name, Outcome.Field::value)
        .containsExactly(
            tuple(KnownHeader.USER_AGENT, "user-agent", "curl/8"),
            tuple(KnownHeader.CONTENT_LENGTH, "content-length", "12"),
            tuple(null, "x-own", "1"),
            tuple(KnownHeader.EXPECT, "expect", "100-continue"),
            tuple(KnownHeader.ACCEPT, "accept", ""),
            tuple(null, "x-own", "2"),
            tuple(KnownHeader.HOST, "host", "example.com:8443"));
    assertThat(head.indexOf(KnownHeader.EXPECT)).isEqualTo(3);
    assertThat(head.has(KnownHeader.ACCEPT)).isTrue();
    assertThat(head.indexOf(KnownHeader.HOST)).isEqualTo(6);
    assertThat(head.has(KnownHeader.VIA)).isFalse();
    assertThat(head.indexOf(KnownHeader.VIA)).isEqualTo(-1);
  }

  @Test
  void takesTheFirstOfSeveralFieldsWithAName() {
    accept(Http2Fields.get("/").add("host", "a").add("via", "first").add("via", "second"));

    assertThat(head.indexOf(KnownHeader.VIA)).isEqualTo(1);
    assertThat(head.fieldCount()).isEqualTo(3);
  }

  @Test
  void isReusedForRequestsOfBothVersions() {
    var parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
    MemorySegment old =
        Segments.exact(Segments.latin1("GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"));

    reject(Http2Fields.get("/"), Rejection.HOST_MISSING);
    accept(Http2Fields.get("/").add("host", "a").add("via", "b"));
    assertThat(parser.parse(old, 0, (int) old.byteSize(), head)).isPositive();
    assertThat(Outcome.text(old, 0, head.schemeStart(), head.schemeEnd())).isEqualTo("http");
    assertThat(head.protocolStart()).isEqualTo(-1);
    assertThat(head.fieldCount()).isEqualTo(1);
    accept(Http2Fields.get("/d").add("host", "a"));
    assertThat(head.fieldCount()).isEqualTo(1);
    assertThat(head.isAbsolute()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          connection: close          | CONNECTION_FIELD
          connection: te             | CONNECTION_FIELD
          connection:                | CONNECTION_FIELD
          keep-alive: timeout=5      | CONNECTION_FIELD
          proxy-connection: close    | CONNECTION_FIELD
          transfer-encoding: chunked | CONNECTION_FIELD
          upgrade: websocket         | CONNECTION_FIELD
          te: gzip                   | TE_INVALID
          te: trailers, gzip         | TE_INVALID
          te:                        | TE_INVALID
          te: trailers, te: gzip     | TE_INVALID
          content-length: 1, content-length: 1 | CONTENT_LENGTH_REPEATED
          content-length: -1         | CONTENT_LENGTH_INVALID
          content-length: 1 1        | CONTENT_LENGTH_INVALID
          content-length:            | CONTENT_LENGTH_INVALID
          content-length: 9223372036854775808 | CONTENT_LENGTH_INVALID
          expect: 200-ok             | EXPECTATION_UNKNOWN
          expect: 100-continue, expect: a | EXPECTATION_UNKNOWN
          host: b                    | HOST_CONFLICTING
          host: a:80                 | HOST_CONFLICTING
          host:                      | HOST_INVALID
          host: a, host: a           | HOST_REPEATED
          host: a/b                  | HOST_INVALID
          """)
  void rejectsFieldsThatHttp2Excludes(String fields, Rejection rejection) {
    reject(Http2Fields.ofList("GET, " + fields.strip()), rejection);
  }

  /** An http URI with an empty host is invalid (RFC 9110 section 4.2.1). */
  @Test
  void rejectsAnEmptyHost() {
    reject(Http2Fields.get("/").add("host", ""), Rejection.HOST_INVALID);
    reject(Http2Fields.get("/").add(":authority", ""), Rejection.TARGET_AUTHORITY_INVALID);
    reject(
        Http2Fields.get("/").add(":authority", "").add("host", ""),
        Rejection.TARGET_AUTHORITY_INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "te: trailers",
        "te: Trailers",
        "te: trailers, te: trailers",
        "host: a",
        "host: A",
        "connections: close",
        "content-length: 0",
        "expect: 100-Continue"
      })
  void acceptsFieldsThatHttp2Permits(String fields) {
    accept(Http2Fields.ofList("GET, " + fields.strip()));
  }

  @Test
  void joinsCookiesToOneField() {
    DecodedFields fields =
        Http2Fields.of(
                ":method: GET",
                ":scheme: http",
                ":path: /",
                ":authority: a",
                "via: b",
                "cookie: c=d",
                "cookie: ",
                "cookie: e=f; g=h",
                "x-own: i",
                "cookie: j=k",
                "accept: l")
            .decoded();

    assertThat(READER.read(fields, head)).isTrue();

    assertThat(Outcome.accepted(fields.segment(), 0, head).fields())
        .extracting(Outcome.Field::known, Outcome.Field::name, Outcome.Field::value)
        .containsExactly(
            tuple(KnownHeader.VIA, "via", "b"),
            tuple(KnownHeader.COOKIE, "cookie", "c=d; e=f; g=h; j=k"),
            tuple(null, "x-own", "i"),
            tuple(KnownHeader.ACCEPT, "accept", "l"),
            tuple(KnownHeader.HOST, "host", "a"));
    assertThat(head.indexOf(KnownHeader.COOKIE)).isEqualTo(1);
    assertThat(head.indexOf(KnownHeader.ACCEPT)).isEqualTo(3);
    assertThat(head.length()).isGreaterThanOrEqualTo(head.valueEnd(1));
  }

  @Test
  void joinsEmptyCookiesToAnEmptyOne() {
    accept(Http2Fields.get("/").add(":authority", "a").add("cookie", "").add("cookie", ""));

    assertThat(head.fieldCount()).isEqualTo(2); // and Host
    assertThat(head.valueStart(0)).isEqualTo(head.valueEnd(0));
  }

  @Test
  void joinsManyCookies() {
    Http2Fields fields = Http2Fields.get("/").add(":authority", "a");
    for (int i = 0; i < 100; i++) {
      fields.add("cookie", "n".repeat(i) + "=v");
    }

    accept(fields);

    assertThat(head.fieldCount()).isEqualTo(2); // and Host
    assertThat(head.valueEnd(0) - head.valueStart(0)).isEqualTo(99 * 50 + 100 * 2 + 99 * 2);
  }

  @ParameterizedTest
  @CsvSource({
    "A, b, FIELD_NAME_UPPER_CASE",
    "a b, c, FIELD_NAME_INVALID",
    "'', c, FIELD_NAME_EMPTY",
    "a, ' b', FIELD_VALUE_SPACE_AROUND",
    "a, b\u0000c, FIELD_VALUE_INVALID"
  })
  void rejectsAFieldThatTheDecoderFoundFaulty(String name, String value, Rejection rejection) {
    reject(Http2Fields.get("/").add(":authority", "a").add(name, value), rejection);
    reject(Http2Fields.get("/").add(name, value).add(":authority", "a"), rejection);
  }

  @Test
  void rejectsASectionThatTheDecoderFoundTooLarge() {
    Http2Fields fields = Http2Fields.get("/").add(":authority", "a").add("a", "b");

    assertThat(READER.read(fields.decoded(new DecodedFields(1000, 5)), head)).isTrue();
    assertThat(READER.read(fields.decoded(new DecodedFields(1000, 4)), head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.TOO_MANY_FIELDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hasRoomForAnyNumberOfFields(boolean reused) {
    RequestHead used = new RequestHead();
    for (int count = 0; count <= ParserLimits.DEFAULT.fieldsMax() - 1; count++) {
      RequestHead read = reused ? used : new RequestHead();
      Http2Fields request = Http2Fields.get("/").add("host", "a");
      for (int i = 0; i < count; i++) {
        request.add(i % 2 == 0 ? "x-" + i : "via", "v" + i);
      }
      DecodedFields fields = request.decoded();

      assertThat(READER.read(fields, read)).isTrue();

      List<Outcome.Field> lines = Outcome.accepted(fields.segment(), 0, read).fields();
      assertThat(lines).hasSize(count + 1);
      for (int i = 0; i < count; i++) {
        assertThat(lines.get(i + 1).name()).isEqualTo(i % 2 == 0 ? "x-" + i : "via");
        assertThat(lines.get(i + 1).value()).isEqualTo("v" + i);
      }
      assertThat(read.indexOf(KnownHeader.VIA)).isEqualTo(count < 2 ? -1 : 2);
    }
  }

  @Test
  void limitsTheNumberOfFieldsWithoutThePseudoHeaderFields() {
    for (int count = 2; count <= 4; count++) {
      Http2Fields fields = Http2Fields.get("/").add(":authority", "a");
      for (int i = 0; i < count; i++) {
        fields.add("a", "b");
      }
      var reader = reader(ParserLimits.builder().fieldsMax(3).build());

      assertThat(reader.read(fields.decoded(), head)).isEqualTo(count <= 3);
      assertThat(head.rejection()).isEqualTo(count <= 3 ? null : Rejection.TOO_MANY_FIELDS);
    }
  }

  @Test
  void limitsTheSizeOfTheFieldsAsLinesOfHttp1() {
    int size = "a: bc\r\nd: \r\n".length();
    Http2Fields fields = Http2Fields.get("/").add(":authority", "a").add("a", "bc").add("d", "");
    for (int max = size - 1; max <= size + 1; max++) {
      var reader = reader(ParserLimits.builder().headerBytesMax(max).build());

      assertThat(reader.read(fields.decoded(), head)).isEqualTo(max >= size);
      assertThat(head.rejection())
          .isEqualTo(max >= size ? null : Rejection.HEADER_SECTION_TOO_LARGE);
    }
  }
}
