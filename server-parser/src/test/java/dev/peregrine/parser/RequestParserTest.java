package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import jdk.incubator.vector.ByteVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The meaning of heads, one rule per test. */
class RequestParserTest {
  /** More than two strides. */
  private static final int LENGTH_MAX = 140;

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void splitsTheTarget(ParserVariant variant) {
    Outcome.Accepted head = accepted(variant, "GET /a/b?c?d HTTP/1.1\r\nHost: h:1\r\n\r\n");
    assertThat(head.method()).isEqualTo(HttpMethod.GET);
    assertThat(head.target()).isEqualTo("/a/b?c?d");
    assertThat(head.targetForm()).isEqualTo(TargetForm.ORIGIN);
    assertThat(head.path()).isEqualTo("/a/b");
    assertThat(head.query()).isEqualTo("c?d");
    assertThat(head.host()).isEqualTo("h:1");
    assertThat(accepted(variant, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n").query()).isNull();
    assertThat(accepted(variant, "GET /a? HTTP/1.1\r\nHost: h\r\n\r\n").query()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void takesTargetsAndHostsOfAnyLength(ParserVariant variant) {
    for (int length = 1; length <= LENGTH_MAX; length++) {
      String host = "h".repeat(length);
      String path = "/" + "p".repeat(length);
      Outcome.Accepted head =
          accepted(variant, "GET " + path + "?q HTTP/1.1\r\nHost: " + host + ":80\r\n\r\n");
      assertThat(head.path()).isEqualTo(path);
      assertThat(head.query()).isEqualTo("q");
      assertThat(head.host()).isEqualTo(host + ":80");
      assertThat(accepted(variant, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
          .extracting(Outcome.Accepted::target, Outcome.Accepted::query, Outcome.Accepted::host)
          .containsExactly(path, null, host);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void rejectsAnIllegalByteAnywhereInATargetOfAnyLength(ParserVariant variant) {
    RequestParser parser = variant.strict();
    for (int length = 1; length <= LENGTH_MAX; length++) {
      for (int illegal = 0; illegal < length; illegal++) {
        String text =
            "GET /"
                + "p".repeat(illegal)
                + '\0'
                + "p".repeat(length - 1 - illegal)
                + " HTTP/1.1\r\nHost: a\r\n\r\n";
        Outcome outcome = Feeding.whole(parser, Segments.latin1(text));
        assertThat(outcome.rejection())
            .as("byte %s of %s", illegal, length)
            .isEqualTo(Rejection.TARGET_CHARACTER_INVALID);
      }
    }
  }

  @Test
  void findsTheSchemeOfAnAbsoluteTarget() {
    RequestParser parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
    RequestHead head = new RequestHead();
    for (String scheme : List.of("http", "hTTpS", "ftp", "a")) {
      byte[] bytes =
          ("GET " + scheme + "://h/ HTTP/1.1\r\nHost: h\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII);
      assertThat(parser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, head)).isPositive();
      assertThat(head.isAbsolute()).isTrue();
      assertThat(head.schemeEnd() - head.targetStart()).isEqualTo(scheme.length());
    }
    byte[] origin = "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(parser.parse(MemorySegment.ofArray(origin), 0, origin.length, head)).isPositive();
    assertThat(head.isAbsolute()).isFalse();
    assertThat(head.schemeEnd()).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void takesTheHostFromTheTargetThatHasOne(ParserVariant variant) {
    Outcome.Accepted head = accepted(variant, "GET HTTP://t:8?q HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(head.targetForm()).isEqualTo(TargetForm.ABSOLUTE);
    assertThat(head.host()).isEqualTo("t:8");
    assertThat(head.path()).isEmpty();
    assertThat(head.query()).isEqualTo("q");
    Outcome.Accepted connect = accepted(variant, "CONNECT t:443 HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(connect.targetForm()).isEqualTo(TargetForm.AUTHORITY);
    assertThat(connect.host()).isEqualTo("t:443");
    Outcome.Accepted options = accepted(variant, "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(options.targetForm()).isEqualTo(TargetForm.ASTERISK);
    assertThat(options.host()).isEqualTo("h");
    assertThat(accepted(variant, "GET / HTTP/1.0\r\n\r\n").host()).isNull();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void recognisesEveryMethodExactly(ParserVariant variant) {
    for (HttpMethod method : HttpMethod.values()) {
      String target =
          switch (method) {
            case CONNECT -> "a:1";
            default -> "/";
          };
      assertThat(accepted(variant, method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").method())
          .isEqualTo(method);
      String longer = method + "S / HTTP/1.1\r\nHost: a\r\n\r\n";
      assertThat(accepted(variant, longer).method()).isEqualTo(HttpMethod.OTHER);
    }
    assertThat(accepted(variant, "get / HTTP/1.1\r\nHost: a\r\n\r\n").method())
        .isEqualTo(HttpMethod.OTHER);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void treatsAHigherMinorVersionAsTheHighestItKnows(ParserVariant variant) {
    assertThat(accepted(variant, "GET / HTTP/1.7\r\nHost: a\r\n\r\n").version())
        .isEqualTo(HttpVersion.HTTP_1_1);
    assertThat(accepted(variant, "GET / HTTP/1.0\r\n\r\n").version())
        .isEqualTo(HttpVersion.HTTP_1_0);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void recognisesEveryRequestFieldNameInAnyCase(ParserVariant variant) {
    for (KnownHeader header : KnownHeader.values()) {
      for (String name :
          List.of(header.fieldName(), header.name().replace('_', '-'), header.name())) {
        byte[] bytes = Segments.latin1("GET / HTTP/1.0\r\nX: y\r\n" + name + ": 1\r\n\r\n");
        MemorySegment segment = Segments.exact(bytes);
        var head = new RequestHead();
        variant.strict().parse(segment, 0, bytes.length, head);
        boolean known = header.isRecognisedInRequests() && !name.contains("_");
        boolean refused = head.rejection() != null;
        if (!refused) {
          head.index(segment, 0);
        }
        assertThat(refused || head.has(header) == known).as(name).isTrue();
        assertThat(refused || head.indexOf(header) == (known ? 1 : -1)).as(name).isTrue();
        assertThat(refused || head.knownName(1) == (known ? header : null)).as(name).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void distinguishesKnownNamesFromOthers(ParserVariant variant) {
    for (KnownHeader header : KnownHeader.values()) {
      String name = header.fieldName();
      for (int i = 0; i < name.length(); i++) {
        for (char other : "x_^~".toCharArray()) {
          String changed = name.substring(0, i) + other + name.substring(i + 1);
          String head = "GET / HTTP/1.0\r\n" + changed + ": 1\r\n" + name + "a: 1\r\n\r\n";
          if (KnownHeader.of(changed) == null) {
            assertThat(accepted(variant, head).fields())
                .as(changed)
                .allMatch(field -> field.known() == null);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void indexesTheFirstOfRepeatedFields(ParserVariant variant) {
    byte[] bytes =
        Segments.latin1(
            String.join(
                "\r\n", "GET / HTTP/1.1", "A: 1", "cookie: a", "Host: h", "COOKIE: b", "", ""));
    var head = new RequestHead();
    MemorySegment segment = Segments.exact(bytes);
    assertThat(variant.strict().parse(segment, 0, bytes.length, head)).isPositive();
    assertThatThrownBy(() -> head.indexOf(KnownHeader.COOKIE))
        .isInstanceOf(IllegalStateException.class);
    head.index(segment, 0);
    assertThat(head.indexOf(KnownHeader.COOKIE)).isEqualTo(1);
    assertThat(head.indexOf(KnownHeader.HOST)).isEqualTo(2);
    assertThat(head.indexOf(KnownHeader.ACCEPT)).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void readsTheBodyLength(ParserVariant variant) {
    assertThat(accepted(variant, get("A: b")).contentLength()).isEqualTo(-1);
    assertThat(accepted(variant, get("Content-Length: 0017")).contentLength()).isEqualTo(17);
    assertThat(accepted(variant, get("Content-Length: 9223372036854775807")).contentLength())
        .isEqualTo(Long.MAX_VALUE);
    Outcome.Accepted chunked = accepted(variant, get("Transfer-Encoding: Chunked"));
    assertThat(chunked.chunked()).isTrue();
    assertThat(chunked.contentLength()).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void knowsWhetherTheConnectionPersists(ParserVariant variant) {
    assertThat(accepted(variant, get("A: b")).keepAlive()).isTrue();
    assertThat(accepted(variant, get("Connection: a,Close")).keepAlive()).isFalse();
    assertThat(accepted(variant, get("Connection: keep-alive, close")).keepAlive()).isFalse();
    assertThat(accepted(variant, get("Connection: closed")).keepAlive()).isTrue();
    assertThat(accepted(variant, old("A: b")).keepAlive()).isFalse();
    assertThat(accepted(variant, old("Connection: Keep-Alive")).keepAlive()).isTrue();
    assertThat(accepted(variant, old("Connection: keep-alivf")).keepAlive()).isFalse();
    assertThat(accepted(variant, old("Connection: a, keep-alive ,b")).keepAlive()).isTrue();
    assertThat(accepted(variant, old("Connection: keep-alive\r\nConnection: close")).keepAlive())
        .isFalse();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void distinguishesNamesOfFramingFieldsFromOthers(ParserVariant variant) {
    List<String> lines =
        List.of(
            "Host: b",
            "Connection: close",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "Expect: 100-continue");
    for (String line : lines) {
      for (int i = 0; i < line.indexOf(':'); i++) {
        for (String other : List.of("", "x", "-", "o", line.charAt(i) + "o")) {
          String changed = line.substring(0, i) + other + line.substring(i + 1);
          if (!lines.contains(changed) && changed.charAt(0) != ':') {
            Outcome.Accepted head = accepted(variant, get(changed));
            assertThat(head.host()).as(changed).isEqualTo("a");
            assertThat(head.keepAlive()).as(changed).isTrue();
            assertThat(head.contentLength()).as(changed).isEqualTo(-1);
            assertThat(head.chunked()).as(changed).isFalse();
            assertThat(head.expectsContinue()).as(changed).isFalse();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void takesNamesThatFrameInAnyCase(ParserVariant variant) {
    for (UnaryOperator<String> written :
        List.<UnaryOperator<String>>of(
            name -> name.toUpperCase(Locale.ROOT), name -> name.toLowerCase(Locale.ROOT))) {
      String start = "POST / HTTP/1.1\r\n" + written.apply("Host: ") + "a:1\r\n";
      String length = written.apply("Content-Length: ") + "5\r\n\r\n";
      Outcome.Accepted head =
          accepted(variant, start + written.apply("Connection: ") + "close\r\n" + length);
      assertThat(head.host()).isEqualTo("a:1");
      assertThat(head.keepAlive()).isFalse();
      assertThat(head.contentLength()).isEqualTo(5);
      String chunked = written.apply("Transfer-Encoding: ") + "chunked\r\n\r\n";
      assertThat(accepted(variant, start + chunked).chunked()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void knowsAnUpgradeWhenBothFieldsAskForIt(ParserVariant variant) {
    String upgrade = "Upgrade: websocket\r\nConnection: keep-alive, Upgrade";
    assertThat(accepted(variant, get(upgrade)).upgrade()).isTrue();
    assertThat(accepted(variant, old(upgrade)).upgrade()).isFalse();
    assertThat(accepted(variant, get("Upgrade: websocket")).upgrade()).isFalse();
    assertThat(accepted(variant, get("Connection: upgrade")).upgrade()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void knowsAnExpectation(ParserVariant variant) {
    assertThat(accepted(variant, get("Expect: 100-CONTINUE")).expectsContinue()).isTrue();
    assertThat(accepted(variant, get("Expect:")).expectsContinue()).isFalse();
    assertThat(accepted(variant, old("Expect: 100-continue")).expectsContinue()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void acceptsTheViolationsThatAreConfigured(ParserVariant variant) {
    byte[] raw = Segments.latin1("GET /a[1]|b?{\"c\"}=<d>\\^`&%zz% HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(Feeding.whole(variant.lenient(), raw).result()).isEqualTo(raw.length);
    byte[] fragment = Segments.latin1("GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(Feeding.whole(variant.lenient(), fragment).rejection())
        .isEqualTo(Rejection.TARGET_CHARACTER_INVALID);
  }

  @Test
  void forgetsAPartialHeadOnReset() {
    var parser = new RequestParser(ParserLimits.DEFAULT);
    var head = new RequestHead();
    byte[] bytes = Segments.latin1("GET / HTTP/1.0\r\n\r\n");
    MemorySegment segment = Segments.exact(bytes);
    assertThat(parser.parse(segment, 0, 5, head)).isEqualTo(RequestParser.NEED_MORE);
    assertThat(head.isPartial()).isTrue();
    head.reset();
    assertThat(head.isPartial()).isFalse();
    assertThat(parser.parse(segment, 0, bytes.length, head)).isEqualTo(bytes.length);
    assertThat(head.isPartial()).isFalse();
  }

  @Test
  void rejectsARangeThatIsNotInTheSegment() {
    var parser = new RequestParser(ParserLimits.DEFAULT);
    MemorySegment segment = Segments.exact(new byte[10]);
    assertThatThrownBy(() -> parser.parse(segment, 0, 11, new RequestHead()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void picksTheVectorScannerWhereVectorsAreWide() {
    assertThat(new RequestParser(ParserLimits.DEFAULT).scanner()).isEqualTo(ScannerKind.best());
    boolean wide = ByteVector.SPECIES_PREFERRED.length() >= 32;
    assertThat(ScannerKind.best() == ScannerKind.VECTOR)
        .isEqualTo(wide && ScannerKind.vectorProblem() == null)
        .isEqualTo(ScannerKind.vectorObjection() == null);
  }

  private static String get(String fields) {
    return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n";
  }

  private static String old(String fields) {
    return "GET / HTTP/1.0\r\n" + fields + "\r\n\r\n";
  }

  private static Outcome.Accepted accepted(ParserVariant variant, String text) {
    Outcome outcome = Feeding.whole(variant.strict(), Segments.latin1(text));
    assertThat(outcome.rejection()).as(text).isNull();
    return requireNonNull(outcome.accepted());
  }
}
