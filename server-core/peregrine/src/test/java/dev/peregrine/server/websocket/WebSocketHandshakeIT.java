package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's side of the opening handshake (RFC 6455 section 4.2, RFC 8441 section 5). */
final class WebSocketHandshakeIT {
  private static final AttributeKey<String> USER = AttributeKey.of("user");
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  private static final String VERSION = "Sec-WebSocket-Version: 13";

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  private RawClient connect() {
    return connect((request, response) -> response.webSocket(listener));
  }

  /** A client of a server that opens WebSockets, except for a path of plain text. */
  private RawClient connect(Handler handler) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/plain")) {
                response.text("plain");
              } else {
                handler.handle(request, response);
              }
            });
    return servers.connect(server);
  }

  private static byte[] upgrade(String... fields) {
    List<String> lines =
        new ArrayList<>(
            List.of("GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: websocket"));
    lines.addAll(List.of(fields));
    return Requests.lines(lines.toArray(String[]::new));
  }

  /** Expects an error response, after which the connection serves other requests. */
  private static RawResponse expectRejected(RawClient client, byte[] request, int status) {
    RawResponse response = client.send(request).read();
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("Sec-WebSocket-Accept")).isNull();
    assertThat(client.get("/plain").read().text()).isEqualTo("plain");
    return response;
  }

  private static void expectEcho(RawClient client) {
    client.send(FrameClient.frame(FINAL | TEXT, "hi"));
    assertThat(client.readBytes(4)).isEqualTo(new byte[] {(byte) (FINAL | TEXT), 2, 'h', 'i'});
  }

  // ---- the key ----

  /** The key and the answer of RFC 6455 section 1.3. */
  @OnlyHttp1("HTTP/2 has no key")
  @Test
  void answersTheKey() {
    RawClient client = connect();

    RawResponse response = client.send(upgrade(VERSION, KEY)).read();

    assertThat(response.status()).isEqualTo(101);
    assertThat(response.header("Upgrade")).isEqualTo("websocket");
    assertThat(response.header("Connection")).isEqualTo("Upgrade");
    assertThat(response.header("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assertThat(response.header("Sec-WebSocket-Protocol")).isNull();
    assertThat(response.header("Sec-WebSocket-Extensions")).isNull();
    expectEcho(client);
  }

  @OnlyHttp1("HTTP/2 has no key")
  @Test
  void rejectsARequestWithoutAKey() {
    expectRejected(connect(), upgrade(VERSION), 400);
  }

  @OnlyHttp1("HTTP/2 has no key")
  @Test
  void rejectsTwoKeys() {
    expectRejected(connect(), upgrade(VERSION, KEY, KEY), 400);
  }

  @OnlyHttp1("HTTP/2 has no key")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dGhlIHNhbXBsZSBub25jZQ",
        "dGhlIHNhbXBsZSBub25j",
        "dGhlIHNhbXBsZSBub25jZSE=",
        "dGhlIHNhbXBsZSBub25jZSEhISEh",
        "dGhlIHNhbXBsZSBub25jZ===",
        "dGhlIHNhbXBsZSBub25jZ?==",
        "dGhlIHNhbXBsZSBub25jZQ=*",
        "dGhlIHNhbXBsZ SBub25jZQ==",
        "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ=="
      })
  void rejectsAKeyThatIsNot16BytesInBase64(String key) {
    expectRejected(connect(), upgrade(VERSION, "Sec-WebSocket-Key: " + key), 400);
  }

  @Test
  void sendsNoAnswerToAKeyOverHttp2() {
    RawResponse response = connect().send(upgrade(VERSION, KEY)).read();

    assertThat(response.header("Sec-WebSocket-Accept") == null).isEqualTo(Servers.HTTP_2);
  }

  // ---- the version ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "Sec-WebSocket-Version: 12",
        "Sec-WebSocket-Version: 14",
        "Sec-WebSocket-Version: 013",
        "Sec-WebSocket-Version: 13, 8",
        "Sec-WebSocket-Version:"
      })
  void namesItsVersionToAClientOfAnother(String field) {
    expectVersionRejected(field);
  }

  @Test
  void namesItsVersionToAClientThatSendsItTwice() {
    expectVersionRejected(VERSION, VERSION);
  }

  private void expectVersionRejected(String... fields) {
    List<String> lines = new ArrayList<>(List.of(KEY));
    lines.addAll(List.of(fields));

    RawResponse response =
        expectRejected(
            connect(), upgrade(lines.toArray(String[]::new)), Servers.HTTP_2 ? 400 : 426);

    assertThat(response.header("Sec-WebSocket-Version")).isEqualTo("13");
    if (!Servers.HTTP_2) {
      assertThat(response.header("Upgrade")).isEqualTo("websocket");
      assertThat(response.header("Connection")).isEqualTo("Upgrade");
    }
  }

  // ---- the request ----

  @Test
  void requiresAnUpgradeOfAPlainRequest() {
    RawResponse response = expectRejected(connect(), Requests.get("/"), Servers.HTTP_2 ? 400 : 426);

    assertThat(response.header("Upgrade")).isEqualTo(Servers.HTTP_2 ? null : "websocket");
  }

  @OnlyHttp1("an upgrade with another method")
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "OPTIONS"})
  void rejectsOtherMethods(String method) {
    byte[] request =
        Requests.lines(
            method + " / HTTP/1.1",
            "Host: a",
            "Connection: Upgrade",
            "Upgrade: websocket",
            VERSION,
            KEY);

    expectRejected(connect(), request, 400);
  }

  @OnlyHttp1("an upgrade with content")
  @Test
  void rejectsARequestWithContent() {
    byte[] request =
        Requests.join(upgrade(VERSION, KEY, "Content-Length: 3"), Requests.bytes("abc"));

    expectRejected(connect(), request, 400);
  }

  @OnlyHttp1("the fields of an upgrade")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade|WebSocket",
        "upgrade|WEBSOCKET",
        "Upgrade|h2c, websocket",
        "keep-alive, Upgrade|websocket",
        "UPGRADE , x|x/1 , websocket"
      })
  void findsWebSocketAmongTheTokensOfFields(String connection, String upgrade) {
    RawClient client = connect();

    client.send(
        Requests.lines(
            "GET / HTTP/1.1",
            "Host: a",
            "Connection: " + connection,
            "Upgrade: " + upgrade,
            VERSION,
            KEY));

    assertThat(client.read().status()).isEqualTo(101);
    expectEcho(client);
  }

  private static byte[] upgradeTo(String protocol) {
    return Requests.lines(
        "GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: " + protocol, VERSION, KEY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WebSocket", "WEBSOCKET"})
  void knowsTheProtocolInAnyCase(String protocol) {
    RawClient client = connect();

    client.send(upgradeTo(protocol));

    assertThat(client.read().status()).isEqualTo(101);
    expectEcho(client);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chat", "websockets", "web"})
  void rejectsOtherProtocols(String protocol) {
    expectRejected(connect(), upgradeTo(protocol), Servers.HTTP_2 ? 400 : 426);
  }

  @Test
  void takesBytesRightAfterTheRequestAsFrames() throws Exception {
    RawClient client = connect();

    client.send(
        Requests.join(
            upgrade(VERSION, KEY),
            FrameClient.frame(FINAL | TEXT, "early"),
            FrameClient.frame(FINAL | TEXT, "bird")));

    assertThat(client.read().status()).isEqualTo(101);
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("text early");
    assertThat(listener.next()).isEqualTo("text bird");
  }

  @Test
  void opensASocketAfterOtherRequests() {
    RawClient client = connect();

    client.send(Requests.join(Requests.get("/plain"), upgrade(VERSION, KEY)));

    assertThat(client.read().text()).isEqualTo("plain");
    assertThat(client.read().status()).isEqualTo(101);
    expectEcho(client);
  }

  // ---- the response ----

  @Test
  void sendsTheFieldsThatWereSet() {
    RawClient client =
        connect(
            (request, response) -> {
              response.header("Set-Cookie", "a=b");
              response.webSocket(listener);
            });

    assertThat(client.send(upgrade(VERSION, KEY)).read().header("Set-Cookie")).isEqualTo("a=b");
    expectEcho(client);
  }

  @Test
  void keepsTheAttributesOfTheRequest() {
    RecordingListener greeting =
        new RecordingListener() {
          @Override
          public void onText(WebSocket socket, Bytes text) {
            String user = socket.attribute(USER);
            socket.attribute(USER, user + "!");
            socket.sendText(String.valueOf(user));
          }
        };
    RawClient client =
        connect(
            (request, response) -> {
              request.attribute(USER, "ann");
              response.webSocket(greeting);
            });

    FrameClient frames = FrameClient.open(client, "/").sendText("").sendText("");

    assertThat(frames.readText()).isEqualTo("ann");
    assertThat(frames.readText()).isEqualTo("ann!");
  }

  @Test
  void opensASocketLater() {
    RawClient client =
        connect(
            (request, response) -> {
              Response later = response.async();
              Thread.ofVirtual().start(() -> later.webSocket(listener));
            });

    FrameClient frames = FrameClient.open(client, "/").sendText("a");

    assertThat(frames.readText()).isEqualTo("a");
  }

  // ---- subprotocols ----

  @ParameterizedTest
  @ValueSource(strings = {"chat", "a,chat", "a , chat ,b"})
  void agreesToAnOfferedSubprotocol(String offers) throws Exception {
    RawClient client = connect((request, response) -> response.webSocket(chat(), listener));

    RawResponse response =
        client.send(upgrade(VERSION, KEY, "Sec-WebSocket-Protocol: " + offers)).read();

    assertThat(response.header("Sec-WebSocket-Protocol")).isEqualTo("chat");
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.socket().subprotocol()).isEqualTo("chat");
  }

  @Test
  void findsASubprotocolInTheSecondField() {
    RawClient client = connect((request, response) -> response.webSocket(chat(), listener));

    client.send(upgrade(VERSION, KEY, "Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: chat"));

    assertThat(client.read().header("Sec-WebSocket-Protocol")).isEqualTo("chat");
  }

  @Test
  void ignoresOffersIfTheServerChoosesNone() throws Exception {
    RawResponse response =
        connect().send(upgrade(VERSION, KEY, "Sec-WebSocket-Protocol: a, b")).read();

    assertThat(response.status()).isEqualTo(101);
    assertThat(response.header("Sec-WebSocket-Protocol")).isNull();
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.socket().subprotocol()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "a,", "a,,b", "a b", "a;q=1", "\"a\"", "(a)", "a/b"})
  void rejectsMalformedOffers(String offers) {
    expectRejected(connect(), upgrade(VERSION, KEY, "Sec-WebSocket-Protocol: " + offers), 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X: y", "Sec-WebSocket-Protocol: Chat", "Sec-WebSocket-Protocol: chats"})
  void failsAHandlerThatChoosesWhatIsNotOffered(String field) {
    RawClient client = connect((request, response) -> response.webSocket(chat(), listener));

    RawResponse response = client.send(upgrade(VERSION, KEY, field)).read();

    assertThat(response.status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "the client does not offer the subprotocol chat");
  }

  private static WebSocketOptions chat() {
    return WebSocketOptions.DEFAULT.withSubprotocol("chat");
  }

  // ---- HTTP/2 ----

  /** The client's stream ends with its request: no frame can follow. */
  @Test
  void endsASocketWhoseStreamEndsWithItsRequest() throws Exception {
    HttpServer server = servers.start((request, response) -> response.webSocket(listener));
    Http2Client client = servers.connectHttp2(server);
    String scheme = Servers.TLS ? "https" : "http";
    byte[] block =
        PlainHpack.block(
            ":method=CONNECT|:protocol=websocket|:scheme="
                + scheme
                + "|:authority=a|:path=/|sec-websocket-version=13");

    int stream = client.block(client.nextStream("GET"), block, true);

    assertThat(client.await(stream).status()).isEqualTo(200);
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).startsWith("close 1006 ");
    client.expectServed();
  }
}
