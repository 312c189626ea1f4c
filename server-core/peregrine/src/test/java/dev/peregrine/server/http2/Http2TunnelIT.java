package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Windows;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams after CONNECT (RFC 9113 section 8.5) and extended CONNECT (RFC 8441). */
final class Http2TunnelIT {
  private static final int LENGTH = 300_000;
  private static final int SENT_MAX = Servers.LIMITS.outboundHighWater() + 4 * Http2Windows.DEFAULT;

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private Http2Client client;

  @BeforeEach
  void start() {
    HttpServer server = servers.start(this::handle);
    client = servers.connectHttp2(server);
  }

  private void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/closes")) {
      response.upgrade("chat", new Noting());
    } else if (request.pathIs("/ends")) {
      response.upgrade("chat", new Ending());
    } else if (request.pathIs("/fails")) {
      response.upgrade("chat", new Failing());
    } else if (request.isUpgrade()) {
      response.upgrade("chat", new RawEcho());
    } else if (request.methodName().equals("CONNECT")) {
      response.tunnel(new RawEcho());
    } else {
      Site.handle(request, response);
    }
  }

  /** Notes how its tunnel ends. */
  private final class Noting extends IgnoringListener {
    @Override
    public void onClose(IOException cause) {
      events.add("closed");
    }
  }

  /** Ends its tunnel at once, and writes afterwards. */
  private final class Ending extends IgnoringListener {
    @Override
    public void onOpen(RawConnection connection) {
      connection.write(Requests.bytes("bye")).end();
      connection.write(Requests.bytes("more"));
    }

    @Override
    public void onClose(IOException cause) {
      events.add("closed");
    }
  }

  /** Throws at the first bytes. */
  private static final class Failing extends IgnoringListener {
    @Override
    public void onData(RawConnection connection, Bytes data) {
      throw new IllegalStateException("thrown by the test");
    }
  }

  /** A request of CONNECT for a tunnel that sends everything back. */
  private int connectPlainly(boolean ends) {
    List<Field> fields =
        List.of(new Field(":method", "CONNECT"), new Field(":authority", "test:443"));
    return client.block(client.nextStream("GET"), PlainHpack.block(fields), ends);
  }

  private int connect(String path, String protocol) {
    byte[] block = PlainHpack.block(connectFields(path, protocol));
    return client.block(client.nextStream("GET"), block, false);
  }

  private static List<Field> connectFields(String path, String protocol) {
    return List.of(
        new Field(":method", "CONNECT"),
        new Field(":protocol", protocol),
        new Field(":scheme", "http"),
        new Field(":authority", "test"),
        new Field(":path", path));
  }

  private void expectEcho(int stream) {
    client.awaitHead(stream);
    assertThat(client.response(stream).status()).isEqualTo(200);
    byte[] content = Requests.content(LENGTH);
    client.content(stream, Arrays.copyOf(content, 10), false);
    client.pumpUntil(() -> client.response(stream).content().length == 10);

    client.content(stream, Arrays.copyOfRange(content, 10, LENGTH), true);

    assertThat(client.await(stream).content()).isEqualTo(content);
    client.expectServed();
  }

  private void expectLogged(String text) {
    assertThat(servers.log().await(Level.SEVERE).stream().map(ServerLog::describe))
        .singleElement()
        .asString()
        .contains(text);
  }

  @Test
  void announcesExtendedConnect() {
    assertThat(client.setting(Http2Frame.ENABLE_CONNECT_PROTOCOL, 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chat", "CHAT"})
  void passesBytesOfAnExtendedConnectBothWays(String protocol) {
    expectEcho(connect("/chat", protocol));
  }

  @Test
  void passesBytesOfAPlainConnectBothWays() {
    expectEcho(connectPlainly(false));
  }

  @Test
  void notifiesTheListenerOfAnEndThatCameWithTheRequest() {
    int stream = connectPlainly(true);

    assertThat(client.await(stream).content()).isEmpty();
    client.expectServed();
  }

  @Test
  void resetsATunnelWithTrailers() {
    int stream = connectPlainly(false);
    client.awaitHead(stream);

    client.block(stream, PlainHpack.literal("x-trailer", "yes"), true);

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void takesNoMoreBytesThanItsClientTakesBack() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    int stream = connect("/chat", "chat");
    client.awaitHead(stream);

    int sent = fill(stream);

    assertThat(sent).isLessThan(SENT_MAX);
    client.grant(stream, sent).grant(0, sent);
    client.pumpUntil(() -> client.response(stream).content().length == sent);
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Http2Windows.DEFAULT).expectServed();
  }

  /** Sends as much as the server takes, up to a bound. Returns the number of bytes. */
  private int fill(int stream) {
    int sent = 0;
    int before = -1;
    while (before < sent && sent < SENT_MAX) {
      before = sent;
      while (client.windows().sendable(stream) > 0 && sent < SENT_MAX) {
        int part = (int) Math.min(Http2Frame.BYTES_MAX, client.windows().sendable(stream));
        client.send(Http2Frame.data(stream, Requests.content(part), false));
        sent += part;
      }
      client.roundTrip().roundTrip();
    }
    return sent;
  }

  @Test
  void rejectsAProtocolThatTheClientDidNotName() {
    int stream = connect("/chat", "other");

    client.awaitHead(stream);

    assertThat(client.response(stream).status()).isEqualTo(500);
    expectLogged("the client did not offer to switch to chat");
    client.expectServed();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":protocol=chat|:authority=test|:path=/",
        ":protocol=chat|:scheme=http|:authority=test",
        ":protocol=chat|:scheme=http|:path=/",
        ":protocol=|:scheme=http|:authority=test|:path=/",
        ":protocol=a b|:scheme=http|:authority=test|:path=/",
        ":protocol=chat|:protocol=chat|:scheme=http|:authority=test|:path=/",
        ":protocol=chat|:scheme=http|:authority=test|:path=/|connection=upgrade",
        ":protocol=chat|:scheme=http|:authority=test|:path=/|upgrade=chat",
        ":scheme=http|:authority=test|:path=/|:protocol=chat|:method=GET"
      })
  void resetsAMalformedExtendedConnect(String fields) {
    String all = fields.contains(":method") ? fields : ":method=CONNECT|" + fields;

    int stream = client.requestOf(PlainHpack.block(all));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void countsTunnelsForTheLimitOfStreams() {
    int streamsMax = client.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0);
    List<Integer> tunnels = new ArrayList<>();
    for (int i = 0; i < streamsMax; i++) {
      tunnels.add(connect("/chat", "chat"));
    }

    client.expectReset(connect("/chat", "chat"), Http2Code.REFUSED_STREAM);

    client.content(tunnels.getFirst(), new byte[0], true);
    assertThat(client.await(tunnels.getFirst()).isComplete()).isTrue();
    expectEcho(tunnels.getLast());
  }

  /** The end arrives while as much waits for the client as may wait. */
  @Test
  void endsATunnelWhoseEndArrivedBeforeTheWindowOpened() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    int tunnel = connect("/chat", "chat");
    client.awaitHead(tunnel);
    client.content(tunnel, Requests.content(65_000), false);
    client.content(tunnel, Requests.content(1_000), true).roundTrip();

    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 1 << 20).grant(0, 1 << 20);

    assertThat(client.await(tunnel).content()).hasSize(66_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chat", "/closes"})
  void reportsTheRequestOfATunnelThoughOthersFollow(String path) throws Exception {
    BlockingQueue<String> targets = new LinkedBlockingQueue<>();
    ExchangeListener noting =
        new ExchangeListener() {
          @Override
          public void onEnd(ExchangeInfo exchange) {
            targets.add(exchange.target());
          }
        };
    HttpServer observed = servers.start(this::handle, options -> options.exchangeListener(noting));
    Http2Client both = servers.connectHttp2(observed);
    byte[] tunnel = PlainHpack.block(connectFields(path, "chat"));
    byte[] other = PlainHpack.block(both.fields("GET", "/another/target/of/the/same/turn"));
    int first = both.nextStream("GET");
    int second = both.nextStream("GET");

    both.send(Http2Frame.headers(first, tunnel, false), Http2Frame.headers(second, other, true));

    both.await(second);
    assertThat(List.of(targets.take(), targets.take()))
        .containsExactlyInAnyOrder(path, "/another/target/of/the/same/turn");
    both.abort();
  }

  @Test
  void endsATunnelWhoseClientDoesNotEndIt() throws Exception {
    HttpServer server =
        servers.start(
            this::handle, Servers.LIMITS.toBuilder().lingerTime(Duration.ofMillis(50)).build());
    client = servers.connectHttp2(server);
    int stream = connect("/ends", "chat");

    client.awaitHead(stream);
    client.pumpUntil(() -> client.response(stream).isOver());
    client.content(stream, new byte[] {1}, false);

    assertThat(events.take()).isEqualTo("closed");
    assertThat(client.response(stream).text()).isEqualTo("bye");
    client.expectServed();
  }

  @Test
  void notifiesTheListenerOfAReset() throws Exception {
    int stream = connect("/closes", "chat");
    client.awaitHead(stream);

    client.reset(stream, Http2Code.CANCEL);

    assertThat(events.take()).isEqualTo("closed");
    client.expectServed();
  }

  @Test
  void notifiesTheListenerOfTheEndOfTheConnection() throws Exception {
    client.awaitHead(connect("/closes", "chat"));

    client.abort();

    assertThat(events.take()).isEqualTo("closed");
  }

  @Test
  void resetsTheStreamOfAListenerThatThrows() {
    int stream = connect("/fails", "chat");
    client.awaitHead(stream);

    client.content(stream, new byte[] {1}, false);

    client.expectReset(stream, Http2Code.INTERNAL_ERROR);
    expectLogged("thrown by the test");
    client.expectServed();
  }
}
