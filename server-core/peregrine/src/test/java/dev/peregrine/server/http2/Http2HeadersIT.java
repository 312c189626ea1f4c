package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header blocks: pseudo fields, malformed fields, lengths that are wrong, and bad compression. */
final class Http2HeadersIT {
  private static final String REQUEST = ":method=GET|:scheme=http|:authority=test|:path=/";

  /** Targets that are not valid, but that browsers send as their users type them. */
  static final List<String> BROWSER_TARGETS =
      List.of("/?a=100%", "/?a=%zz", "/?{b}", "/?\"x\"", "/`", "/[", "/\\");

  @RegisterExtension final Servers servers = new Servers();

  private Http2Client client;
  private Http2Client neighbour;

  @BeforeEach
  void start() {
    HttpServer server = servers.start(Site::handle);
    neighbour = servers.connectHttp2(server);
    client = servers.connectHttp2(server);
  }

  @AfterEach
  void servesTheNeighbour() {
    neighbour.expectServed();
  }

  // ---- requests ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        REQUEST,
        REQUEST + "|te=trailers",
        REQUEST + "|host=test",
        REQUEST + "|x=",
        REQUEST + "|x=a\tb",
        REQUEST + "|x=\u0080\u00ff",
        ":path=/|:authority=test|:scheme=http|:method=GET",
        ":method=GET|:scheme=http|:path=/|host=test",
        ":method=GET|:scheme=HTTP|:authority=test|:path=/",
        ":method=DELETE|:scheme=http|:authority=test|:path=/?query"
      })
  void servesAWellFormedRequest(String fields) {
    Http2Response response = client.await(client.requestOf(PlainHpack.block(fields)));

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.isComplete()).isTrue();
  }

  @ParameterizedTest
  @FieldSource("BROWSER_TARGETS")
  void answersATargetThatBrowsersSend(String path) {
    Http2Response response =
        client.await(
            client.requestOf(
                PlainHpack.block(":method=GET|:scheme=http|:authority=test|:path=" + path)));

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).isNotEmpty();
    assertThat(response.isComplete()).isTrue();
  }

  @Test
  void answersHeadForSuchATargetLikeGetWithoutTheContent() {
    Http2Response get = answerTo("GET");
    Http2Response head = answerTo("HEAD");

    assertThat(head.status()).isEqualTo(400);
    assertThat(head.text()).isEmpty();
    assertThat(head.header("content-length")).isEqualTo("" + get.text().length());
    assertThat(head.header("content-type")).isEqualTo(get.header("content-type"));
  }

  private Http2Response answerTo(String method) {
    String fields = ":method=" + method + "|:scheme=http|:authority=test|:path=/?a=%zz";
    return client.await(client.block(client.nextStream(method), PlainHpack.block(fields), true));
  }

  @ParameterizedTest
  @FieldSource("BROWSER_TARGETS")
  void answersATargetThatBrowsersSendWithContent(String path) {
    int stream =
        client.block(
            client.nextStream("POST"),
            PlainHpack.block(":method=POST|:scheme=http|:authority=test|:path=" + path),
            false);

    assertThat(client.awaitHead(stream).status()).isEqualTo(400);
    client.expectReset(stream, Http2Code.NO_ERROR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // pseudo fields
        ":scheme=http|:authority=test|:path=/",
        ":method=GET|:authority=test|:path=/",
        ":method=GET|:scheme=http|:authority=test",
        ":method=GET|:method=GET|:scheme=http|:authority=test|:path=/",
        ":method=GET|:scheme=http|:scheme=http|:authority=test|:path=/",
        ":method=GET|:scheme=http|:authority=test|:authority=test|:path=/",
        ":method=GET|:scheme=http|:authority=test|:path=/|:path=/",
        ":method=GET|:scheme=http|:authority=test|x=y|:path=/",
        REQUEST + "|:status=200",
        REQUEST + "|:unknown=1",
        REQUEST + "|:=1",
        REQUEST + "|:protocol=websocket",
        ":method=|:scheme=http|:authority=test|:path=/",
        ":method=G T|:scheme=http|:authority=test|:path=/",
        ":method=GET\r\n|:scheme=http|:authority=test|:path=/",
        ":method=GET|:scheme=|:authority=test|:path=/",
        ":method=GET|:scheme=http|:authority=test|:path=",
        ":method=GET|:scheme=http|:authority=test|:path=x",
        ":method=GET|:scheme=http|:authority=test|:path=http://test/",
        ":method=GET|:scheme=http|:authority=test|:path=/ HTTP/1.1",
        ":method=GET|:scheme=http|:authority=test|:path=/\r\nx: y",
        ":method=GET|:scheme=http|:authority=test|:path=/\0",
        ":method=GET|:scheme=http|:authority=test|:path=/#fragment",
        ":method=GET|:scheme=http|:authority=test|:path=*",
        ":method=GET|:scheme=http|:authority=user@test|:path=/",
        ":method=GET|:scheme=http|:authority=te st|:path=/",
        ":method=GET|:scheme=http|:authority=test:port|:path=/",
        ":method=GET|:scheme=http|:path=/",
        ":method=GET|:scheme=http|:authority=|:path=/",
        ":method=GET|:scheme=http|:path=/|host=",
        ":method=GET|:scheme=https|:authority=|:path=/|host=",
        REQUEST + "|host=other",
        REQUEST + "|host=test|host=test",
        ":method=GET|:scheme=http|:path=/|host=a|host=b",
        // CONNECT
        ":method=CONNECT|:scheme=http|:authority=test:80|:path=/",
        ":method=CONNECT|:scheme=http|:authority=test:80",
        ":method=CONNECT|:authority=test:80|:path=/",
        ":method=CONNECT",
        // fields
        REQUEST + "|X=y",
        REQUEST + "|x y=z",
        REQUEST + "|x:y=z",
        REQUEST + "|=z",
        REQUEST + "|x\u0080=z",
        REQUEST + "|x\0=z",
        REQUEST + "|x=a\r\nb: c",
        REQUEST + "|x=a\rb",
        REQUEST + "|x=a\nb",
        REQUEST + "|x=a\0b",
        REQUEST + "|x= a",
        REQUEST + "|x=a ",
        REQUEST + "|x=\ta",
        REQUEST + "|x=a\u007fb",
        REQUEST + "|connection=close",
        REQUEST + "|connection=keep-alive",
        REQUEST + "|keep-alive=5",
        REQUEST + "|proxy-connection=close",
        REQUEST + "|transfer-encoding=chunked",
        REQUEST + "|upgrade=h2c",
        REQUEST + "|te=gzip",
        REQUEST + "|te=trailers, gzip",
        // lengths
        REQUEST + "|content-length=1",
        REQUEST + "|content-length=-1",
        REQUEST + "|content-length=+0",
        REQUEST + "|content-length=",
        REQUEST + "|content-length=99999999999999999999",
        REQUEST + "|content-length=0|content-length=1"
      })
  void resetsAMalformedRequestAndServesTheNext(String fields) {
    int stream = client.requestOf(PlainHpack.block(fields));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    assertThat(client.response(stream).status()).isZero();
    client.expectServed();
  }

  @Test
  void resetsAnEmptyHeaderBlock() {
    client.expectReset(client.requestOf(new byte[0]), Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void joinsCookies() {
    Http2Response response =
        client.get("/facts", new Field("cookie", "a=1"), new Field("cookie", "b=2"));

    assertThat(response.text()).isEqualTo("GET /facts test a=1; b=2");
  }

  @Test
  void takesTheHostAsAuthority() {
    int stream =
        client.requestOf(PlainHpack.block(":method=GET|:scheme=http|:path=/facts|host=other"));

    assertThat(client.await(stream).text()).isEqualTo("GET /facts other -");
  }

  @Test
  void answersAHeadThatIsTooLarge() {
    for (int i = 0; i < 3; i++) {
      Http2Response response = client.get("/", new Field("x", "y".repeat(50_000)));

      assertThat(response.status()).isEqualTo(431);
      assertThat(response.isComplete()).isTrue();
    }
    client.expectServed();
  }

  @Test
  void answersAHeadWithTooManyFields() {
    Field[] fields = new Field[500];
    Arrays.fill(fields, new Field("x", "y"));

    assertThat(client.get("/", fields).status()).isEqualTo(431);
    client.expectServed();
  }

  @Test
  void sendsNoContentWithTheRejectionOfAHead() {
    Field[] fields = new Field[500];
    Arrays.fill(fields, new Field("x", "y"));

    Http2Response response = client.await(client.request("HEAD", "/", fields));

    assertThat(response.status()).isEqualTo(431);
    assertThat(response.content()).isEmpty();
    assertThat(response.isComplete()).isTrue();
  }

  @Test
  void answersATargetThatIsTooLong() {
    assertThat(client.get("/" + "x".repeat(20_000)).status()).isEqualTo(414);
    client.expectServed();
  }

  // ---- lengths ----

  @ParameterizedTest
  @CsvSource({"5, ''", "5, abcd", "5, abcdef", "0, a"})
  void resetsAStreamWhoseContentIsNotAsLongAsDeclared(long length, String content) {
    for (String path : List.of("/echo", "/whole", "/blocking")) {
      int stream = client.begin("POST", path, new Field("content-length", "" + length));

      client.send(Http2Frame.data(stream, Requests.bytes(content), true));

      client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
      if (length > 0) {
        assertThat(client.response(stream).isComplete()).isFalse();
      }
    }
    client.expectServed();
  }

  @Test
  void resetsAStreamWhoseTrailersComeBeforeItsDeclaredLength() {
    int stream = client.begin("POST", "/whole", new Field("content-length", "5"));

    client.send(Http2Frame.data(stream, Requests.bytes("abc"), false));
    client.send(Http2Frame.headers(stream, PlainHpack.block("a=b"), true));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void declaresTheLengthOfAResponseToHead() {
    Http2Response response = client.await(client.request("HEAD", "/large"));

    assertThat(response.header("content-length")).isEqualTo("" + Site.LARGE.length);
    assertThat(response.content()).isEmpty();
    assertThat(response.isComplete()).isTrue();
  }

  // ---- trailers ----

  @ParameterizedTest
  @ValueSource(strings = {":path=/", ":status=200", "X=y", "x=a\r\nb", "connection=close"})
  void resetsAStreamWithMalformedTrailers(String fields) {
    int stream = client.begin("POST", "/whole");

    client.send(Http2Frame.data(stream, Requests.bytes("abc"), false));
    client.send(Http2Frame.headers(stream, PlainHpack.block(fields), true));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void resetsAStreamWhoseTrailersDoNotEndIt() {
    int stream = client.begin("POST", "/whole");

    client.send(Http2Frame.headers(stream, PlainHpack.block("a=b"), false));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void sendsTrailers() {
    Http2Response response = client.get("/trailers", new Field("te", "trailers"));

    assertThat(response.text()).isEqualTo("body");
    assertThat(response.trailer("x-end")).isEqualTo("yes");
  }

  // ---- compression ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80", // index 0
        "c6", // an entry that doesn't exist
        "ffffffffffffffffff7f", // an integer of ten bytes
        "ff", // an integer that is cut short
        "3fe21f", // a table of 4097 bytes
        "82203fe11f", // a size update that is not at the start
        "0085ffffffffff00", // EOS in a name
        "00018378018100", // Huffman padding that isn't all ones
        "0001780205", // a value that is cut short
        "000178", // a value that is missing
        "00017882ffff", // padding of more than seven bits
        "40", // nothing after the first byte
        "7f80808080808080808001", // a long name index
      })
  void closesAtAnErrorOfCompression(String hex) {
    int first = client.begin("POST", "/echo");

    client.requestOf(HexFormat.of().parseHex(hex));

    Http2Frame goaway = client.expectGoaway(Http2Code.COMPRESSION_ERROR);
    assertThat(goaway.lastStream()).isEqualTo(first);
  }

  @Test
  void closesAtAnErrorOfCompressionInTrailers() {
    int stream = client.begin("POST", "/echo");

    client.send(Http2Frame.headers(stream, new byte[] {(byte) 0x80}, true));

    client.expectGoaway(Http2Code.COMPRESSION_ERROR);
  }

  @Test
  void closesAtAnErrorOfCompressionOnAStreamThatWasReset() {
    int stream = client.begin("POST", "/echo");
    client.send(Http2Frame.headers(stream, PlainHpack.block(":path=/"), true));
    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);

    client.send(Http2Frame.headers(stream, new byte[] {(byte) 0x80}, true));

    client.expectGoaway(Http2Code.COMPRESSION_ERROR);
  }

  /** A block that is refused still changes the table, and the next block uses it. */
  @ParameterizedTest
  @ValueSource(strings = {"X=y", ":path=/", "connection=close", "x=\0", "content-length=7"})
  void decodesAMalformedBlockToItsEnd(String bad) {
    byte[] first =
        Requests.join(
            PlainHpack.block(REQUEST),
            PlainHpack.inserted("cookie", "before=1"),
            PlainHpack.block(bad),
            PlainHpack.inserted("cookie", "after=2"));
    client.expectReset(client.requestOf(first), Http2Code.PROTOCOL_ERROR);

    expectBothCookies();
  }

  @Test
  void decodesABlockThatIsTooLargeToItsEnd() {
    byte[] first =
        Requests.join(
            PlainHpack.block(REQUEST),
            PlainHpack.inserted("cookie", "before=1"),
            PlainHpack.literal("x", "y".repeat(40_000)),
            PlainHpack.inserted("cookie", "after=2"));
    assertThat(client.await(client.requestOf(first)).status()).isEqualTo(431);

    expectBothCookies();
  }

  @Test
  void decodesABlockOfARefusedStreamToItsEnd() {
    int stream = client.begin("POST", "/echo");
    client.send(Http2Frame.headers(stream, PlainHpack.block(":path=/"), true));
    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);

    byte[] late =
        Requests.join(
            PlainHpack.inserted("cookie", "before=1"), PlainHpack.inserted("cookie", "after=2"));
    client.send(Http2Frame.headers(stream, late, true));

    expectBothCookies();
  }

  private void expectBothCookies() {
    byte[] next =
        Requests.join(
            PlainHpack.block(":method=GET|:scheme=http|:authority=test|:path=/facts"),
            PlainHpack.indexed(63),
            PlainHpack.indexed(62));
    assertThat(client.await(client.requestOf(next)).text())
        .isEqualTo("GET /facts test before=1; after=2");
  }

  @Test
  void usesATableThatTheClientMakesSmaller() {
    byte[] first = Requests.join(PlainHpack.block(REQUEST), PlainHpack.inserted("cookie", "a=1"));
    assertThat(client.await(client.requestOf(first)).status()).isEqualTo(200);

    byte[] second =
        Requests.join(
            PlainHpack.sizeUpdate(0),
            PlainHpack.sizeUpdate(100),
            PlainHpack.block(":method=GET|:scheme=http|:authority=test|:path=/facts"),
            PlainHpack.inserted("cookie", "b=2"),
            PlainHpack.indexed(62));

    assertThat(client.await(client.requestOf(second)).text()).isEqualTo("GET /facts test b=2; b=2");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 100, 4096, 65_536})
  void followsTheTableSizeOfTheClient(int bytes) {
    client.declare(Http2Frame.HEADER_TABLE_SIZE, bytes);

    for (int i = 0; i < 5; i++) {
      assertThat(client.get("/").status()).isEqualTo(200);
    }
  }

  /** The size of lists is advice for the server: every response is sent all the same. */
  @ParameterizedTest
  @CsvSource({"6, 0", "6, 1", "6, 100", "1, 0", "1, 1", "1, 31", "1, 33", "4, 1", "4, 2", "3, 0"})
  void servesAClientWithTinySettings(int setting, int value) {
    client.declare(setting, value);

    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/").text()).isEqualTo("hello");
      assertThat(client.get("/missing").status()).isEqualTo(404);
      Http2Response response = client.get("/trailers", new Field("te", "trailers"));
      assertThat(response.text()).isEqualTo("body");
      assertThat(response.trailer("x-end")).isEqualTo("yes");
    }
  }
}
