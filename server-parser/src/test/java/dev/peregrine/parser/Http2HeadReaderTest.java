package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request heads from fields of HTTP/2, rule by rule (RFC 9113 sections 8.2 and 8.3). */
class Http2HeadReaderTest {
  private static final Http2HeadReader READER = reader(ParserLimits.DEFAULT);
  private static final Http2HeadReader WITH_EXTENDED_CONNECT =
      new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), true);

  private static final String[] REQUEST = {
    ":method: GET", ":scheme: http", ":path: /", ":authority: a"
  };

  private final RequestHead head = new RequestHead();

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
    assertThat(head.length()).isEqualTo(fields.textLength());
    assertThat(Outcome.accepted(fields.segment(), 0, head).fields())
        .extracting(Outcome.Field::known, Outcome.Field::name, Outcome.Field::value)
        .containsExactly(
            tuple(KnownHeader.USER_AGENT, "user-agent", "curl/8"),
            tuple(KnownHeader.CONTENT_LENGTH, "content-length", "12"),
            tuple(null, "x-own", "1"),
            tuple(KnownHeader.EXPECT, "expect", "100-continue"),
            tuple(KnownHeader.ACCEPT, "accept", ""),
            tuple(null, "x-own", "2"));
    assertThat(head.indexOf(KnownHeader.EXPECT)).isEqualTo(3);
    assertThat(head.has(KnownHeader.ACCEPT)).isTrue();
    assertThat(head.has(KnownHeader.HOST)).isFalse();
    assertThat(head.indexOf(KnownHeader.HOST)).isEqualTo(-1);
  }

  @Test
  void takesTheFirstOfSeveralFieldsWithAName() {
    accept(get("/").add("host", "a").add("via", "first").add("via", "second"));

    assertThat(head.indexOf(KnownHeader.VIA)).isEqualTo(1);
    assertThat(head.fieldCount()).isEqualTo(3);
  }

  @Test
  void isReusedForRequestsOfBothVersions() {
    var parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
    MemorySegment old =
        Segments.exact(Segments.latin1("GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"));

    reject(get("/"), Rejection.HOST_MISSING);
    accept(get("/").add("host", "a").add("via", "b"));
    assertThat(parser.parse(old, 0, (int) old.byteSize(), head)).isPositive();
    assertThat(Outcome.text(old, 0, head.schemeStart(), head.schemeEnd())).isEqualTo("http");
    assertThat(head.protocolStart()).isEqualTo(-1);
    assertThat(head.fieldCount()).isEqualTo(1);
    accept(get("/d").add("host", "a"));
    assertThat(head.fieldCount()).isEqualTo(1);
    assertThat(head.isAbsolute()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          :method: GET, :scheme: http, :authority: a           | PSEUDO_FIELD_MISSING
          :method: GET, :path: /, :authority: a                | PSEUDO_FIELD_MISSING
          :scheme: http, :path: /, :authority: a               | PSEUDO_FIELD_MISSING
          host: a                                              | PSEUDO_FIELD_MISSING
          :method: GET, :scheme: http, :path: /                | HOST_MISSING
          GET, :method: PUT                                    | PSEUDO_FIELD_REPEATED
          GET, :path: /                                        | PSEUDO_FIELD_REPEATED
          GET, :scheme: https                                  | PSEUDO_FIELD_REPEATED
          GET, :authority: a                                   | PSEUDO_FIELD_REPEATED
          GET, :status: 200                                    | PSEUDO_FIELD_UNKNOWN
          GET, :other: a                                       | PSEUDO_FIELD_UNKNOWN
          GET, a: b, :other: a                                 | PSEUDO_FIELD_LATE
          a: b, GET                                            | PSEUDO_FIELD_MISSING
          :method: GET, :path: /, :authority: a, a: b, :scheme: http | PSEUDO_FIELD_MISSING
          GET, a: b, :path: /                                  | PSEUDO_FIELD_LATE
          GET, :protocol: websocket                            | PSEUDO_FIELD_FORBIDDEN
          """)
  void requiresThePseudoHeaderFieldsBeforeTheOthers(String fields, Rejection rejection) {
    reject(ofList(fields), rejection);
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
          host:                      | HOST_CONFLICTING
          host: a, host: a           | HOST_REPEATED
          host: a/b                  | HOST_INVALID
          """)
  void rejectsFieldsThatHttp2Excludes(String fields, Rejection rejection) {
    reject(ofList("GET, " + fields.strip()), rejection);
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
    accept(ofList("GET, " + fields.strip()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "valid",
      textBlock =
          """
          example.com          | valid
          EXAMPLE.com:8080     | valid
          a:                   | valid
          a:65535              | valid
          [::1]:443            | valid
          %41b                 | valid
          a:65536              | TARGET_AUTHORITY_INVALID
          a:b                  | TARGET_AUTHORITY_INVALID
          :80                  | TARGET_AUTHORITY_INVALID
          a b                  | TARGET_AUTHORITY_INVALID
          a/                   | TARGET_AUTHORITY_INVALID
          a?b                  | TARGET_AUTHORITY_INVALID
          a#b                  | TARGET_AUTHORITY_INVALID
          a%4                  | TARGET_AUTHORITY_INVALID
          [::1                 | TARGET_AUTHORITY_INVALID
          u@a                  | TARGET_USERINFO
          u:p@a:80             | TARGET_USERINFO
          @                    | TARGET_USERINFO
          """)
  void checksTheAuthority(String authority, @Nullable Rejection rejection) {
    check(get("/").add(":authority", authority), rejection);
    if (rejection == null) {
      assertThat(head.hostEnd() - head.hostStart()).isEqualTo(authority.length());
    }
  }

  @Test
  void rejectsAnEmptyAuthority() {
    reject(get("/").add(":authority", ""), Rejection.TARGET_AUTHORITY_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "https", "HTTPS", "ftp", "a+b-c.1", "x"})
  void acceptsEveryScheme(String scheme) {
    DecodedFields fields =
        Http2Fields.of(":method: GET", ":path: /", ":authority: a")
            .add(":scheme", scheme)
            .decoded();

    assertThat(READER.read(fields, head)).isTrue();
    assertThat(text(fields, head.schemeStart(), head.schemeEnd())).isEqualTo(scheme);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "-a", "h ttp", "http:", "http/", "h\u00e4"})
  void rejectsAnInvalidScheme(String scheme) {
    reject(
        Http2Fields.of(":method: GET", ":path: /", ":authority: a").add(":scheme", scheme),
        Rejection.SCHEME_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "//", "/a/b", "/1234567", "/123456", "/12345678", "/?", "/a%20b"})
  void acceptsAPath(String path) {
    DecodedFields fields = get(path).add(":authority", "a").decoded();

    assertThat(READER.read(fields, head)).isTrue();
    assertThat(text(fields, head.targetStart(), head.targetEnd())).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://a/   | TARGET_FORM_INVALID
          a           | TARGET_FORM_INVALID
          ?a          | TARGET_FORM_INVALID
          *           | TARGET_FORM_INVALID
          a:80        | TARGET_FORM_INVALID
          /a b        | TARGET_CHARACTER_INVALID
          /a?b#c      | TARGET_CHARACTER_INVALID
          /[          | TARGET_CHARACTER_INVALID
          /1234567"   | TARGET_CHARACTER_INVALID
          /%          | TARGET_ENCODING_INVALID
          /1234567%4  | TARGET_ENCODING_INVALID
          /?%4g       | TARGET_ENCODING_INVALID
          """)
  void rejectsWhatIsNoPath(String path, Rejection rejection) {
    reject(get(path).add(":authority", "a"), rejection);
  }

  @Test
  void rejectsAnEmptyPath() {
    reject(get("").add(":authority", "a"), Rejection.TARGET_FORM_INVALID);
  }

  @Test
  void acceptsAnAsteriskForOptionsOnly() {
    accept(Http2Fields.of(":method: OPTIONS", ":scheme: http", ":path: *", ":authority: a"));

    assertThat(head.targetForm()).isEqualTo(TargetForm.ASTERISK);
    assertThat(head.pathStart()).isEqualTo(head.pathEnd());
    assertThat(head.targetEnd() - head.targetStart()).isEqualTo(1);
    reject(
        Http2Fields.of(":method: OPTIONS", ":scheme: http", ":path: **", ":authority: a"),
        Rejection.TARGET_FORM_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"G ET", "G(T", "GET X", "POST ?", "G\u00e4", "G T /"})
  void rejectsAMethodThatIsNotAToken(String method) {
    reject(
        Http2Fields.of(":scheme: http", ":path: /", ":authority: a").add(":method", method),
        Rejection.METHOD_INVALID);
  }

  @Test
  void rejectsAnEmptyMethod() {
    reject(
        Http2Fields.of(":scheme: http", ":path: /", ":authority: a").add(":method", ""),
        Rejection.METHOD_INVALID);
  }

  @Test
  void acceptsAnyToken() {
    accept(Http2Fields.of(":method: MKCALENDAR", ":scheme: http", ":path: /", ":authority: a"));

    assertThat(head.method()).isEqualTo(HttpMethod.OTHER);
    assertThat(head.methodEnd() - head.methodStart()).isEqualTo("MKCALENDAR".length());
  }

  @Test
  void acceptsLenientlyWhatBrowsersSend() {
    Set<Leniency> all = EnumSet.allOf(Leniency.class);
    var lenient = new Http2HeadReader(ParserLimits.DEFAULT, all, false);

    for (String path : new String[] {"/a|b", "/{}", "/?\"<>\\^`", "/%", "/%4", "/[]|"}) {
      DecodedFields fields = get(path).add(":authority", "a").decoded();
      assertThat(lenient.read(fields, head)).as(path).isTrue();
    }
    for (String path : new String[] {"/#", "/a b", "/\u00e4", "/||\u007f"}) {
      DecodedFields fields = get(path).add(":authority", "a").decoded();
      assertThat(lenient.read(fields, head)).as(path).isFalse();
    }
  }

  @Test
  void takesTheTargetOfConnectFromTheAuthority() {
    DecodedFields fields = Http2Fields.of(":method: CONNECT", ":authority: a.b:443").decoded();

    assertThat(READER.read(fields, head)).isTrue();

    assertThat(head.targetForm()).isEqualTo(TargetForm.AUTHORITY);
    assertThat(text(fields, head.targetStart(), head.targetEnd())).isEqualTo("a.b:443");
    assertThat(host(fields)).isEqualTo("a.b:443");
    assertThat(head.pathStart()).isEqualTo(head.pathEnd());
    assertThat(head.queryStart()).isEqualTo(-1);
    assertThat(head.schemeStart()).isEqualTo(-1);
    assertThat(head.schemeEnd()).isEqualTo(-1);
    assertThat(head.isUpgrade()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          :authority: a:1, :scheme: http           | PSEUDO_FIELD_FORBIDDEN
          :authority: a:1, :path: /                | PSEUDO_FIELD_FORBIDDEN
          :authority: a:1, :path: /, :scheme: http | PSEUDO_FIELD_FORBIDDEN
          host: a:1                                | PSEUDO_FIELD_MISSING
          :authority: a                            | TARGET_FORM_INVALID
          :authority: a:                           | TARGET_FORM_INVALID
          :authority: u@a:1                        | TARGET_FORM_INVALID
          :authority: a:1, host: b:1               | HOST_CONFLICTING
          """)
  void rejectsConnectWithAnotherTarget(String fields, Rejection rejection) {
    reject(ofList(":method: CONNECT, " + fields), rejection);
  }

  @Test
  void readsAnExtendedConnectIfThatIsEnabled() {
    DecodedFields fields = extendedConnect("websocket").decoded();

    assertThat(WITH_EXTENDED_CONNECT.read(fields, head)).isTrue();

    assertThat(head.method()).isEqualTo(HttpMethod.CONNECT);
    assertThat(head.isUpgrade()).isTrue();
    assertThat(text(fields, head.protocolStart(), head.protocolEnd())).isEqualTo("websocket");
    assertThat(head.targetForm()).isEqualTo(TargetForm.ORIGIN);
    assertThat(text(fields, head.pathStart(), head.pathEnd())).isEqualTo("/chat");
    assertThat(host(fields)).isEqualTo("a");
    reject(extendedConnect("websocket"), Rejection.PSEUDO_FIELD_FORBIDDEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2c", "HTTP/2.0", "a/b"})
  void acceptsAProtocolWithAVersion(String protocol) {
    assertThat(WITH_EXTENDED_CONNECT.read(extendedConnect(protocol).decoded(), head)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a/", "/a", "a/b/c", "a b", "a,b"})
  void rejectsAnInvalidProtocol(String protocol) {
    assertThat(WITH_EXTENDED_CONNECT.read(extendedConnect(protocol).decoded(), head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.PROTOCOL_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {":scheme", ":path", ":authority"})
  void requiresAllPseudoHeaderFieldsOfAnExtendedConnect(String missing) {
    var fields = Http2Fields.of(":method: CONNECT", ":protocol: websocket");
    for (String[] field :
        new String[][] {{":scheme", "https"}, {":path", "/chat"}, {":authority", "a"}}) {
      if (!field[0].equals(missing)) {
        fields.add(field[0], field[1]);
      }
    }

    assertThat(WITH_EXTENDED_CONNECT.read(fields.decoded(), head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.PSEUDO_FIELD_MISSING);
  }

  @Test
  void rejectsAProtocolForOtherMethodsEvenIfExtendedConnectIsEnabled() {
    DecodedFields fields = get("/").add(":authority", "a").add(":protocol", "websocket").decoded();

    assertThat(WITH_EXTENDED_CONNECT.read(fields, head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.PSEUDO_FIELD_FORBIDDEN);
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
            tuple(KnownHeader.ACCEPT, "accept", "l"));
    assertThat(head.indexOf(KnownHeader.COOKIE)).isEqualTo(1);
    assertThat(head.indexOf(KnownHeader.ACCEPT)).isEqualTo(3);
    assertThat(head.length()).isGreaterThanOrEqualTo(head.valueEnd(1));
  }

  @Test
  void joinsEmptyCookiesToAnEmptyOne() {
    accept(get("/").add(":authority", "a").add("cookie", "").add("cookie", ""));

    assertThat(head.fieldCount()).isEqualTo(1);
    assertThat(head.valueStart(0)).isEqualTo(head.valueEnd(0));
  }

  @Test
  void joinsManyCookies() {
    Http2Fields fields = get("/").add(":authority", "a");
    for (int i = 0; i < 100; i++) {
      fields.add("cookie", "n".repeat(i) + "=v");
    }

    accept(fields);

    assertThat(head.fieldCount()).isEqualTo(1);
    assertThat(head.valueEnd(0) - head.valueStart(0)).isEqualTo(99 * 50 + 100 * 2 + 99 * 2);
  }

  @ParameterizedTest
  @CsvSource({"GET, 0", "PROPFIND, 0", "CONNECT, 1"})
  void limitsTheLengthOfARequestLine(String method, int connect) {
    String target = connect == 1 ? "example.com:443" : "/example.com/44";
    int length = (method + " " + target + " HTTP/1.1").length();
    Http2Fields fields = Http2Fields.of(":method: " + method);
    if (connect == 1) {
      fields.add(":authority", target);
    } else {
      fields.add(":path", target).add(":scheme", "http").add(":authority", "a");
    }

    for (int max = length - 1; max <= length + 1; max++) {
      var reader = reader(ParserLimits.builder().requestLineBytesMax(max).build());
      assertThat(reader.read(fields.decoded(), head)).isEqualTo(max >= length);
      assertThat(head.rejection())
          .isEqualTo(max >= length ? null : Rejection.REQUEST_LINE_TOO_LONG);
    }
  }

  @Test
  void limitsTheLengthOfAMethod() {
    var reader = reader(ParserLimits.builder().requestLineBytesMax(20).build());
    for (int length = 8; length < 22; length++) {
      Http2Fields fields = get("/").add(":authority", "a");
      Http2Fields longMethod =
          Http2Fields.of(":path: /", ":scheme: http", ":authority: a")
              .add(":method", "M".repeat(length));

      assertThat(reader.read(fields.decoded(), head)).isTrue();
      assertThat(reader.read(longMethod.decoded(), head)).isEqualTo(length <= 9);
      if (length > 9) {
        assertThat(head.rejection())
            .isEqualTo(length < 20 ? Rejection.REQUEST_LINE_TOO_LONG : Rejection.METHOD_TOO_LONG);
      }
    }
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
    reject(get("/").add(":authority", "a").add(name, value), rejection);
    reject(get("/").add(name, value).add(":authority", "a"), rejection);
  }

  @Test
  void rejectsASectionThatTheDecoderFoundTooLarge() {
    Http2Fields fields = get("/").add(":authority", "a").add("a", "b");

    assertThat(READER.read(fields.decoded(new DecodedFields(1000, 5)), head)).isTrue();
    assertThat(READER.read(fields.decoded(new DecodedFields(1000, 4)), head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.HEADER_SECTION_TOO_LARGE);
  }

  @Test
  void limitsTheNumberOfFieldsWithoutThePseudoHeaderFields() {
    for (int count = 2; count <= 4; count++) {
      Http2Fields fields = get("/").add(":authority", "a");
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
    Http2Fields fields = get("/").add(":authority", "a").add("a", "bc").add("d", "");
    for (int max = size - 1; max <= size + 1; max++) {
      var reader = reader(ParserLimits.builder().headerBytesMax(max).build());

      assertThat(reader.read(fields.decoded(), head)).isEqualTo(max >= size);
      assertThat(head.rejection())
          .isEqualTo(max >= size ? null : Rejection.HEADER_SECTION_TOO_LARGE);
    }
  }

  private static Http2HeadReader reader(ParserLimits limits) {
    return new Http2HeadReader(limits, Set.of(), false);
  }

  private static Http2Fields get(String path) {
    return Http2Fields.get(path);
  }

  private static Http2Fields extendedConnect(String protocol) {
    return Http2Fields.of(":method: CONNECT", ":scheme: https", ":path: /chat", ":authority: a")
        .add(":protocol", protocol);
  }

  /** Fields from a list, in which GET stands for those of a request. */
  private static Http2Fields ofList(String list) {
    return Http2Fields.of(
        Arrays.stream(list.strip().split(", (?=GET|:?[a-z-]+:)"))
            .flatMap(field -> field.equals("GET") ? Stream.of(REQUEST) : Stream.of(field))
            .toArray(String[]::new));
  }

  private void accept(Http2Fields fields) {
    check(fields, null);
  }

  private void reject(Http2Fields fields, Rejection rejection) {
    check(fields, rejection);
  }

  private void check(Http2Fields fields, @Nullable Rejection rejection) {
    boolean read = READER.read(fields.decoded(), head);

    assertThat(head.rejection()).as("%s", fields).isEqualTo(rejection);
    assertThat(read).isEqualTo(rejection == null);
  }

  private String host(DecodedFields fields) {
    return text(fields, head.hostStart(), head.hostEnd());
  }

  private static String text(DecodedFields fields, int start, int end) {
    return Outcome.text(fields.segment(), 0, start, end);
  }
}
