package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pseudo-header fields of requests, rule by rule (RFC 9113 section 8.3, RFC 8441). */
class PseudoFieldsTest extends Http2HeadCase {

  private static final Http2HeadReader WITH_EXTENDED_CONNECT =
      new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), true);

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
    reject(Http2Fields.ofList(fields), rejection);
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
          a:70000              | TARGET_AUTHORITY_INVALID
          a:6553a              | TARGET_AUTHORITY_INVALID
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
    check(Http2Fields.get("/").add(":authority", authority), rejection);
    if (rejection == null) {
      assertThat(head.hostEnd() - head.hostStart()).isEqualTo(authority.length());
    }
  }

  @Test
  void rejectsAnEmptyAuthority() {
    reject(Http2Fields.get("/").add(":authority", ""), Rejection.TARGET_AUTHORITY_INVALID);
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
    DecodedFields fields = Http2Fields.get(path).add(":authority", "a").decoded();

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
    reject(Http2Fields.get(path).add(":authority", "a"), rejection);
  }

  @Test
  void rejectsAnEmptyPath() {
    reject(Http2Fields.get("").add(":authority", "a"), Rejection.TARGET_FORM_INVALID);
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
      DecodedFields fields = Http2Fields.get(path).add(":authority", "a").decoded();
      assertThat(lenient.read(fields, head)).as(path).isTrue();
    }
    for (String path : new String[] {"/#", "/a b", "/\u00e4", "/||\u007f"}) {
      DecodedFields fields = Http2Fields.get(path).add(":authority", "a").decoded();
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
    reject(Http2Fields.ofList(":method: CONNECT, " + fields), rejection);
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
    DecodedFields fields =
        Http2Fields.get("/").add(":authority", "a").add(":protocol", "websocket").decoded();

    assertThat(WITH_EXTENDED_CONNECT.read(fields, head)).isFalse();
    assertThat(head.rejection()).isEqualTo(Rejection.PSEUDO_FIELD_FORBIDDEN);
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
      Http2Fields fields = Http2Fields.get("/").add(":authority", "a");
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

  private static Http2Fields extendedConnect(String protocol) {
    return Http2Fields.of(":method: CONNECT", ":scheme: https", ":path: /chat", ":authority: a")
        .add(":protocol", protocol);
  }
}
