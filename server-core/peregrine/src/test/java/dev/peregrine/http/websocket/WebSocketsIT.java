package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handler that opens WebSockets: its checks, its choices, and its options. */
final class WebSocketsIT {
  private static final AttributeKey<String> USER = AttributeKey.of("user");
  private static final String SCHEME = Servers.TLS ? "https" : "http";
  private static final String PORT = Servers.TLS ? "443" : "80";
  private static final String OTHER_SCHEME = Servers.TLS ? "http" : "https";

  @RegisterExtension final Servers servers = new Servers();

  /** Sends text back, with the subprotocol before it. */
  private static final class Echo implements WebSocketListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      String protocol = socket.subprotocol() == null ? "" : socket.subprotocol() + ": ";
      socket.sendText(protocol + text.toString(StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCHEME://a", "SCHEME://A", "SCHEME://a:PORT"})
  void admitsPagesOfItsOwnOrigin(String origin) {
    expectEcho(
        serve(echo().sameOrigin()),
        "Origin: " + origin.replace("SCHEME", SCHEME).replace("PORT", PORT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OTHER://a",
        "SCHEME://a:8080",
        "SCHEME://b",
        "SCHEME://a.evil.example",
        "SCHEME://a/",
        "SCHEME://a SCHEME://a",
        "a",
        "null",
        "",
      })
  void rejectsPagesOfOtherOrigins(String origin) {
    AtomicInteger created = new AtomicInteger();
    HttpServer server =
        serve(
            WebSockets.of(
                    request -> {
                      created.incrementAndGet();
                      return new Echo();
                    })
                .sameOrigin()
                .origins("https://example.com"));
    String value = origin.replace("SCHEME", SCHEME).replace("OTHER", OTHER_SCHEME);

    assertThat(open(server, "Origin: " + value).status()).isEqualTo(403);
    assertThat(created).hasValue(0);
  }

  @Test
  void rejectsARequestWithTwoOrigins() {
    String own = "Origin: " + SCHEME + "://a";

    assertThat(open(serve(echo().sameOrigin()), own, own).status()).isEqualTo(403);
  }

  @Test
  void admitsClientsThatAreNotBrowsers() {
    expectEcho(serve(echo().sameOrigin()));
    expectEcho(serve(echo().origins("https://example.com")));
  }

  @Test
  void admitsPagesOfListedOrigins() {
    HttpServer server = serve(echo().origins("https://example.com", "http://localhost:3000"));

    expectEcho(server, "Origin: https://example.com");
    expectEcho(server, "Origin: http://localhost:3000");
    assertThat(open(server, "Origin: http://example.com").status()).isEqualTo(403);
    assertThat(open(server, "Origin: " + SCHEME + "://a").status()).isEqualTo(403);
  }

  @Test
  void admitsPagesOfAllOriginsByDefault() {
    expectEcho(serve(echo()), "Origin: https://evil.example");
  }

  @Test
  void doesNotTakeOtherTextForAnOrigin() {
    assertThatThrownBy(() -> echo().origins("https://example.com/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://example.com/");
    assertThatThrownBy(() -> echo().origins("*")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> echo().subprotocols("chat room"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> echo().messageBytesMax(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v1.chat            | v1.chat",
        "v1.chat, v2.chat   | v2.chat",
        "other , v1.chat    | v1.chat",
        "V2.chat, v1.chat   | v1.chat",
      })
  void choosesTheSubprotocolThatItPrefers(String offered, String chosen) {
    HttpServer server = serve(echo().subprotocols("v2.chat", "v1.chat"));
    WireSocket socket = WireSocket.open(servers.connect(server), "/", offer(offered));

    assertThat(socket.text("hi").read()).isEqualTo(chosen + ": hi");
  }

  @Test
  void findsSubprotocolsInAllFields() {
    HttpServer server = serve(echo().subprotocols("v2.chat", "v1.chat").requireSubprotocol());
    RawResponse response = open(server, offer("v1.chat"), offer("v2.chat"));

    assertThat(response.status()).isEqualTo(101);
    assertThat(response.headers("Sec-WebSocket-Protocol")).containsExactly("v2.chat");
  }

  @Test
  void opensWithoutASubprotocolThatTheClientDoesNotOffer() {
    HttpServer server = serve(echo().subprotocols("v2.chat"));
    RawResponse response = open(server, offer("v1.chat"));

    assertThat(response.status()).isEqualTo(101);
    assertThat(response.header("Sec-WebSocket-Protocol")).isNull();
    expectEcho(server);
  }

  @Test
  void rejectsClientsWithoutTheSubprotocolThatItRequires() {
    HttpServer server = serve(echo().subprotocols("v2.chat").requireSubprotocol());

    assertThat(open(server, offer("v1.chat")).status()).isEqualTo(400);
    assertThat(open(server).status()).isEqualTo(400);
  }

  @Test
  void createsAListenerForEachRequest() {
    Handler sockets =
        WebSockets.of(
            request -> {
              String room = request.pathParameter("room");
              if (room.equals("secret")) {
                throw new HttpException(401, "log in first");
              }
              return new WebSocketListener() {
                @Override
                public void onOpen(WebSocket socket) {
                  socket.sendText(socket.attribute(USER) + " in " + room);
                }
              };
            });
    Handler routes = Routes.builder().get("/rooms/{room}", sockets).build();
    HttpServer server =
        servers.start(
            (request, response) -> {
              request.attribute(USER, "ada");
              routes.handle(request, response);
            });

    WireSocket socket = WireSocket.open(servers.connect(server), "/rooms/a%20b");
    assertThat(socket.read()).isEqualTo("ada in a b");
    assertThat(WireSocket.request(servers.connect(server), "/rooms/secret").status())
        .isEqualTo(401);
  }

  @Test
  @SuppressWarnings("NullAway") // a function that returns null is the test
  void failsWithoutAListener() {
    HttpServer server = serve(WebSockets.of(request -> null));

    assertThat(open(server).status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "listener");
  }

  @Test
  void createsNoListenerForARequestThatDoesNotAskForAWebSocket() {
    AtomicInteger created = new AtomicInteger();
    WebSockets sockets =
        WebSockets.of(
            request -> {
              created.incrementAndGet();
              return new Echo();
            });
    HttpServer server = servers.start(Routes.builder().any("/", sockets.sameOrigin()).build());

    int expected = Servers.HTTP_2 ? 400 : 426; // HTTP/2 has no protocol to upgrade to
    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(expected);
    RawResponse response = servers.connect(server).post("/", new byte[0]).read();
    assertThat(response.status()).isEqualTo(405);
    assertThat(created).hasValue(0);
  }

  @Test
  void limitsTheLengthOfMessages() {
    HttpServer server = serve(echo().messageBytesMax(10));

    WireSocket socket = WireSocket.open(servers, server);
    assertThat(socket.text("0123456789").read()).isEqualTo("0123456789");
    assertThat(socket.text("0123456789+").read()).startsWith("close 1009");
    servers.log().take(Level.ALL);
  }

  @Test
  void callsBackWhenASocketHasClosed() throws InterruptedException {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    WebSocketListener listener =
        new WebSocketListener() {
          @Override
          public void onOpen(WebSocket socket) {
            socket.onClose(() -> events.add("first"));
            socket.onClose(() -> events.add("cancelled")).cancel();
            socket.onClose(
                () -> {
                  events.add("second");
                  socket.onClose(() -> events.add("late"));
                });
          }

          @Override
          public void onClose(WebSocket socket, int code, String reason) {
            events.add("listener");
          }
        };
    WireSocket.open(servers, serve(WebSockets.of(listener))).client().reset();

    for (String expected : List.of("listener", "first", "second", "late")) {
      assertThat(events.take()).isEqualTo(expected);
    }
  }

  @Test
  void sendsPings() {
    HttpServer server = serve(echo().pingInterval(Duration.ofMillis(100)));

    assertThat(WireSocket.open(servers, server).read()).isEqualTo("ping");
  }

  @Test
  void returnsAnotherHandlerForEachOption() {
    WebSockets sockets = echo();
    expectEcho(
        serve(
            sockets
                .compression(true)
                .idleTime(Duration.ofMinutes(1))
                .pingInterval(Duration.ZERO)
                .messageBytesMax(100)));
    WebSockets ignored = sockets.origins("https://example.com").subprotocols("a");

    assertThat(ignored).isNotSameAs(sockets);
    expectEcho(serve(sockets), "Origin: https://evil.example", offer("a"));
  }

  private static WebSockets echo() {
    return WebSockets.of(new Echo());
  }

  private HttpServer serve(Handler sockets) {
    return servers.start(sockets);
  }

  private RawResponse open(HttpServer server, String... fields) {
    return WireSocket.request(servers.connect(server), "/", fields);
  }

  private void expectEcho(HttpServer server, String... fields) {
    WireSocket socket = WireSocket.open(servers.connect(server), "/", fields);

    assertThat(socket.text("hi").read()).isEqualTo("hi");
  }

  private static String offer(String subprotocols) {
    return "Sec-WebSocket-Protocol: " + subprotocols;
  }
}
