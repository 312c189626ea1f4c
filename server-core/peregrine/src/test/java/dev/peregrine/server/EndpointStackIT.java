package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.accept.ProtocolChoice;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.FileAndContent;
import dev.peregrine.testing.FrontLayer;
import dev.peregrine.testing.LineProtocol;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScrambledLayer;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints with layers in front of the protocol, and with other protocols than HTTP. */
final class EndpointStackIT {
  private static final Handler CLIENT = (request, response) -> response.text(client(request));
  private static final Endpoint PLAIN = Endpoint.tcp("127.0.0.1", 0);
  private static final ProtocolChoice LINES = (loop, http) -> new LineProtocol();
  private static final int LARGE = 3_000_000;

  @RegisterExtension final Servers servers = new Servers();

  private static String client(Request request) {
    InetSocketAddress remote = (InetSocketAddress) request.remoteAddress();
    String address = remote.getAddress().getHostAddress() + ":" + remote.getPort();
    return request.scheme() + " " + request.isSecure() + " " + address;
  }

  private HttpServer serve(Handler handler, Consumer<HttpServerBuilder> options) {
    HttpServerBuilder builder =
        Peregrine.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .handler(handler);
    options.accept(builder);
    return servers.watch(builder.start());
  }

  private HttpServer serve(Handler handler, Endpoint... endpoints) {
    return serve(
        handler,
        builder -> {
          for (Endpoint endpoint : endpoints) {
            builder.endpoint(endpoint);
          }
        });
  }

  private RawClient connect(HttpServer server, int endpoint) {
    return servers.connect((InetSocketAddress) server.addresses().get(endpoint));
  }

  // ---- properties ----

  @Test
  void knowsThePropertiesOfAPlainConnection() {
    RawClient client = connect(serve(CLIENT, PLAIN), 0);

    InetSocketAddress own = (InetSocketAddress) client.localAddress();
    assertThat(client.get("/").read().text()).isEqualTo("http false 127.0.0.1:" + own.getPort());
  }

  @Test
  void showsTheClientThatALayerReports() {
    HttpServer server = serve(CLIENT, PLAIN.behind(new FrontLayer()), PLAIN);
    RawClient secure = connect(server, 0);
    RawClient plain = connect(server, 0);
    RawClient beside = connect(server, 1);

    secure.send(FrontLayer.line("https", "192.0.2.7", 4711)).get("/");
    plain.send(FrontLayer.line("http", "2001:db8::1", 1) + requests(2));

    for (int i = 0; i < 2; i++) {
      assertThat(secure.read().text()).isEqualTo("https true 192.0.2.7:4711");
      assertThat(plain.read().text()).isEqualTo("http false 2001:db8:0:0:0:0:0:1:1");
      secure.get("/");
    }
    assertThat(secure.read().status()).isEqualTo(200);
    assertThat(beside.get("/").read().text()).startsWith("http false 127.0.0.1:");
  }

  /** RFC 9110 section 7.4. */
  @Test
  void servesHttpsTargetsOnlyOnConnectionsThatAreSecured() {
    HttpServer server = serve(CLIENT, PLAIN.behind(new FrontLayer()));
    String line = FrontLayer.line("https", "192.0.2.7", 4711);
    RawClient secure = connect(server, 0).send(line);
    RawClient plain = connect(server, 0).send(FrontLayer.line("http", "192.0.2.7", 4711));

    assertThat(secure.get("https://a/").read().text()).startsWith("https true ");
    assertThat(secure.get("HTTPS://a/").read().text()).startsWith("https true ");
    assertThat(secure.get("http://a/").read().text()).startsWith("http true ");
    assertThat(secure.get("ftp://a/").read().status()).isEqualTo(400);
    assertThat(plain.get("http://a/").read().text()).startsWith("http false ");
    assertThat(plain.get("https://a/").read().status()).isEqualTo(421);
    plain.expectEnd();
  }

  @Test
  void showsTheSchemeOfATargetThatAGatewayIsTrustedWith() {
    HttpServer server =
        serve(CLIENT, builder -> builder.endpoint(PLAIN).lenient(Leniency.HTTPS_TARGET));

    assertThat(connect(server, 0).get("https://a/").read().text()).startsWith("https false ");
  }

  @Test
  void readsWhatALayerNeedsByteByByte() {
    RawClient client = connect(serve(CLIENT, PLAIN.behind(new FrontLayer())), 0);

    for (byte one : Requests.bytes(FrontLayer.line("https", "192.0.2.7", 4711))) {
      client.send(new byte[] {one});
    }

    assertThat(client.get("/").read().text()).isEqualTo("https true 192.0.2.7:4711");
  }

  @Test
  void keepsThePropertiesForOtherThreads() {
    HttpServer server =
        serve(
            (request, response) -> {
              response.async();
              Thread.ofVirtual().start(() -> response.text(client(request)));
            },
            PLAIN.behind(new FrontLayer()));
    RawClient client = connect(server, 0);

    client.send(FrontLayer.line("https", "192.0.2.7", 4711) + requests(1));

    assertThat(client.read().text()).isEqualTo("https true 192.0.2.7:4711");
  }

  @Test
  void closesAConnectionWhoseLayerFails() {
    HttpServer server = serve(CLIENT, PLAIN.behind(new FrontLayer()));

    connect(server, 0).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").expectClosed();
    connect(server, 0).send("FRONT").halfClose().expectClosed();
  }

  @Test
  void closesAConnectionThatALayerCannotWrap() {
    AtomicInteger wrapped = new AtomicInteger();
    SocketLayer failing =
        (socket, loop) -> {
          if (wrapped.incrementAndGet() == 1) {
            throw new IOException("planned");
          }
          return socket;
        };
    HttpServer server = serve(CLIENT, PLAIN.behind(new ScrambledLayer(9)).behind(failing), PLAIN);

    connect(server, 0).expectClosed();
    Await.until("it isn't counted any more", () -> server.connectionCount() == 0);
    assertThat(connect(server, 1).get("/").read().status()).isEqualTo(200);
  }

  /** It is not the listener that has failed: accepting neither pauses nor counts as fatal. */
  @Test
  void reportsALayerThatThrowsForAConnection() {
    AtomicInteger wrapped = new AtomicInteger();
    SocketLayer failing =
        (socket, loop) -> {
          if (wrapped.incrementAndGet() == 1) {
            throw new IllegalStateException("planned");
          }
          return socket;
        };
    HttpServer server = serve(CLIENT, PLAIN.behind(failing));

    connect(server, 0).expectClosed();
    servers.log().expectOne(Level.SEVERE, "a connection was lost before it was opened");
    assertThat(connect(server, 0).get("/").read().status()).isEqualTo(200);
  }

  // ---- bytes ----

  /** Nothing arrives after the first bytes, so the socket is not readable again. */
  @Test
  void deliversWhatALayerHoldsThoughTheSocketIsNotReadable() {
    HttpServer server =
        serve(
            (request, response) -> response.text(request.path()),
            PLAIN.behind(new ScrambledLayer(7)));
    RawClient client = connect(server, 0);

    client.send(ScrambledLayer.scramble(Requests.bytes(requests(50) + last())));

    String responses = new String(ScrambledLayer.scramble(client.readToEnd()), ISO_8859_1);
    assertThat(responses.split("HTTP/1.1 200 OK\r\n", -1)).hasSize(52);
    assertThat(responses).endsWith("/last");
  }

  @Test
  void deliversHeldContentThatAHandlerTakesLater() {
    HttpServer server =
        serve(
            Handlers.blocking(
                (request, response) ->
                    response.text(request.body().readAll(LARGE).length + " bytes")),
            PLAIN.behind(new ScrambledLayer(10_000)));
    RawClient client = connect(server, 0);
    String head =
        "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 200000\r\n\r\n";

    client.send(ScrambledLayer.scramble(Requests.join(Requests.bytes(head), new byte[200_000])));

    String response = new String(ScrambledLayer.scramble(client.readToEnd()), ISO_8859_1);
    assertThat(response).endsWith("200000 bytes");
  }

  @Test
  void deliversWhatIsHeldBeforeTheEndOfTheStream() {
    HttpServer server =
        serve(
            (request, response) -> response.text(request.path()),
            PLAIN.behind(new ScrambledLayer(5)));
    RawClient client = connect(server, 0);

    client.send(ScrambledLayer.scramble(Requests.bytes(requests(3)))).halfClose();

    String responses = new String(ScrambledLayer.scramble(client.readToEnd()), ISO_8859_1);
    assertThat(responses.split("HTTP/1.1 200 OK\r\n", -1)).hasSize(4);
  }

  @Test
  void sendsContentAndFilesThroughALayer(@TempDir Path directory) throws IOException {
    byte[] content = Requests.content(LARGE);
    HttpServer server =
        serve(new FileAndContent(directory, content), PLAIN.behind(new ScrambledLayer(100)));
    for (String path : new String[] {"/file", "/array"}) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      RawClient client = connect(server, 0);
      client.send(ScrambledLayer.scramble(Requests.bytes(request)));

      byte[] response = ScrambledLayer.scramble(client.readToEnd());
      assertThat(response).startsWith(Requests.bytes("HTTP/1.1 200 OK\r\n")).endsWith(content);
    }
  }

  @Test
  void putsTheFirstLayerNextToTheNetwork() {
    HttpServer server =
        serve(CLIENT, PLAIN.behind(new ScrambledLayer(11)).behind(new FrontLayer()));
    RawClient client = connect(server, 0);

    String bytes = FrontLayer.line("https", "192.0.2.7", 4711) + last();
    client.send(ScrambledLayer.scramble(Requests.bytes(bytes)));

    assertThat(new String(ScrambledLayer.scramble(client.readToEnd()), ISO_8859_1))
        .endsWith("https true 192.0.2.7:4711");
  }

  // ---- protocols ----

  @Test
  void speaksAnotherProtocolOnOneEndpoint() {
    HttpServer server = serve(CLIENT, PLAIN.speaking(LINES), PLAIN);
    RawClient lines = connect(server, 0);
    RawClient http = connect(server, 1);

    assertThat(lines.send("hello\nwor").readUntil("\n")).isEqualTo("HELLO\n");
    assertThat(http.get("/").read().status()).isEqualTo(200);
    assertThat(lines.send("ld\n").readUntil("\n")).isEqualTo("WORLD\n");
  }

  @Test
  void leavesDrainAndOverloadToEachProtocol() throws Exception {
    HttpServer server =
        serve(
            CLIENT,
            builder ->
                builder
                    .limits(Servers.LIMITS.toBuilder().connectionsMax(2).build())
                    .endpoint(PLAIN.speaking(LINES))
                    .endpoint(PLAIN));
    RawClient lines = connect(server, 0);
    assertThat(lines.send("a\n").readUntil("\n")).isEqualTo("A\n");
    RawClient http = connect(server, 1);
    assertThat(http.get("/").read().status()).isEqualTo(200);

    assertThat(connect(server, 0).readUntil("\n")).isEqualTo("FULL\n");
    assertThat(connect(server, 1).read().status()).isEqualTo(503);

    assertThat(server.shutdown(Duration.ofSeconds(30)).isComplete()).isTrue();
    assertThat(lines.readUntil("\n")).isEqualTo("BYE\n");
    lines.expectEnd();
    http.expectEnd();
  }

  /** If a client may choose, the choice is a protocol itself. */
  @Test
  void choosesBetweenProtocolsByTheFirstByte() {
    ProtocolChoice either = (loop, http) -> new FirstByte(http, new LineProtocol());
    HttpServer server = serve(CLIENT, PLAIN.speaking(either));

    assertThat(connect(server, 0).get("/").read().status()).isEqualTo(200);
    assertThat(connect(server, 0).send("lower\n").readUntil("\n")).isEqualTo("LOWER\n");
  }

  /** Chooses HTTP for an upper-case letter, and lines for any other byte. */
  private record FirstByte(Protocol http, Protocol lines) implements Protocol {
    @Override
    public void onInput(Connection connection, InboundBuffer in) throws IOException {
      if (!in.isEmpty()) {
        byte first = in.segment().get(ValueLayout.JAVA_BYTE, in.from());
        connection.switchTo(first >= 'A' && first <= 'Z' ? http : lines);
        connection.protocol().onInput(connection, in);
      }
    }
  }

  private static String requests(int count) {
    return "GET /one HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);
  }

  private static String last() {
    return "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  }
}
