package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.observe.RejectedRequest;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit of connections of an endpoint. */
final class EndpointLimitIT {
  private static final Handler OK = (request, response) -> response.text("ok");
  private static final Endpoint PLAIN = Endpoint.tcp("127.0.0.1", 0);
  private static final int LIMITED = 0;
  private static final int OTHER = 1;

  @RegisterExtension final Servers servers = new Servers();

  private final HandshakeNotes notes = new HandshakeNotes();
  private final List<Integer> rejected = new CopyOnWriteArrayList<>(); // statuses
  private @Nullable RawClient holder; // of the only connection

  /** A server with one endpoint of two connections, and one without a limit. */
  private HttpServer serve(Handler handler, int connectionsMax) {
    ServerLimits limits = Servers.LIMITS.toBuilder().connectionsMax(connectionsMax).build();
    return servers.watch(
        Peregrine.builder()
            .endpoint(PLAIN.withConnectionsMax(2))
            .endpoint(PLAIN)
            .loops(2)
            .limits(limits)
            .transport(Servers.TRANSPORT)
            .handler(handler)
            .start());
  }

  private RawClient connect(HttpServer server, int endpoint) {
    return servers.connect((InetSocketAddress) server.addresses().get(endpoint));
  }

  private static void expectServed(RawClient client) {
    assertThat(client.get("/").read().status()).isEqualTo(200);
  }

  private static void expectRefused(RawClient client) {
    if (Servers.HTTP_2) { // closed before the client has spoken
      client.expectClosed();
    } else {
      assertThat(client.read().status()).isEqualTo(503);
      client.expectEnd();
    }
  }

  @Test
  void shedsConnectionsAboveTheLimitAtThatEndpointOnly() {
    HttpServer server = serve(OK, 0);
    expectServed(connect(server, LIMITED));
    expectServed(connect(server, LIMITED));

    expectRefused(connect(server, LIMITED));

    for (int i = 0; i < 5; i++) {
      expectServed(connect(server, OTHER));
    }
  }

  /** Over TLS after the handshake, because only then the client can read a response. */
  @Test
  void sendsAResponseToAClientOverTls() {
    InetSocketAddress address = full(PLAIN.with(Certificates.TLS));

    try (RawClient refused = RawClient.connectSecured(address, 0)) {
      assertThat(refused.read().status()).isEqualTo(503);
      refused.expectEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"})
  void sendsAResponseToAClientOverTlsThatEndsItsStreamAtOnce(String sent) {
    Semaphore ended = new Semaphore(0);
    InetSocketAddress address =
        full(
            PLAIN.with(Certificates.TLS),
            new ConnectionListener() {
              @Override
              public void onHandshake(ConnectionInfo connection, TlsInfo tls, Duration time) {
                ended.acquireUninterruptibly();
              }
            });

    try (RawClient refused = RawClient.connectSecured(address, 0)) {
      refused.send(sent).halfClose();
      ended.release();
      assertThat(refused.read().status()).isEqualTo(503);
      refused.expectEnd();
    }
    Await.until("the rejection is reported", () -> !rejected.isEmpty());
    assertThat(rejected).containsExactly(503);
  }

  /** Such a client was sent a response or an alert by TLS, and no 503. */
  @ParameterizedTest
  @CsvSource({
    "'GET / HTTP/1.1\r\nHost: a\r\n\r\n', PLAIN_HTTP,  [400]",
    "'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',   PLAIN_HTTP,  [400]",
    "'\u0001 no letter',                    NOT_TLS,     []",
    "'\u0016\u0003\u0001\u0001',              CLIENT_GONE, []"
  })
  void reportsOnlyTheHandshakeIfThatFails(String bytes, HandshakeFailure reason, String statuses)
      throws InterruptedException {
    InetSocketAddress address = full(PLAIN.with(Certificates.TLS), notes);

    try (RawClient refused = RawClient.connect(address)) {
      byte[] answer = refused.send(bytes).halfClose().readToEnd();
      assertThat(new String(answer, ISO_8859_1).startsWith("HTTP/1.1 400 "))
          .isEqualTo(reason == HandshakeFailure.PLAIN_HTTP);
    }
    assertThat(notes.failure().reason()).isEqualTo(reason);
    Await.until(
        () -> "the rejections " + statuses + " are reported: " + rejected,
        () -> rejected.toString().equals(statuses));
    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .noneMatch(line -> line.contains("connectionsMax"));
  }

  @Test
  void namesNoStreamToAClientThatHasAgreedOnHttp2() {
    InetSocketAddress address = full(PLAIN.with(Certificates.TLS));

    try (Http2Client refused = Http2Client.connectSilently(address, true, 0)) {
      assertThat(refused.expectGoaway(Http2Code.NO_ERROR).lastStream()).isZero();
    }
  }

  @Test
  void namesNoStreamToAClientOfAnEndpointWithHttp2Alone() {
    InetSocketAddress address = full(PLAIN.withHttp2Only());

    try (Http2Client refused = Http2Client.connectSilently(address, false, 0)) {
      assertThat(refused.expectGoaway(Http2Code.NO_ERROR).lastStream()).isZero();
    }
  }

  /** Returns the address of an endpoint that has as many connections as it may have. */
  private InetSocketAddress full(Endpoint endpoint) {
    return full(endpoint, notes);
  }

  private InetSocketAddress full(Endpoint endpoint, ConnectionListener listener) {
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .endpoint(endpoint)
                .limits(
                    Servers.LIMITS.toBuilder()
                        .connectionsMax(1)
                        .handshakeTime(Duration.ofMinutes(2)) // the holder sends nothing
                        .build())
                .transport(Servers.TRANSPORT)
                .handler(OK)
                .connectionListener(listener)
                .exchangeListener(
                    new ExchangeListener() {
                      @Override
                      public void onRejected(RejectedRequest request) {
                        rejected.add(request.status());
                      }
                    })
                .start());
    InetSocketAddress address = (InetSocketAddress) server.addresses().getFirst();
    holder = RawClient.connect(address);
    Await.until("it is accepted", () -> server.connectionCount() == 1);
    return address;
  }

  @AfterEach
  void release() {
    if (holder != null) {
      holder.close();
    }
  }

  /** Both limits count: the server's leaves nothing that an endpoint's could admit. */
  @Test
  void keepsToTheLimitOfTheServerToo() {
    HttpServer server = serve(OK, 3);
    expectServed(connect(server, OTHER));
    expectServed(connect(server, LIMITED));
    expectServed(connect(server, OTHER));

    expectRefused(connect(server, LIMITED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void admitsAnotherConnectionForEachThatEnds(boolean reset) {
    HttpServer server = serve(OK, 0);
    for (int round = 0; round < 20; round++) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        clients.add(connect(server, LIMITED));
      }
      clients.forEach(EndpointLimitIT::expectServed);
      Consumer<RawClient> end = reset ? RawClient::reset : RawClient::close;
      clients.forEach(end);
      Await.until("both are closed", () -> server.connectionCount() == 0);
    }
  }

  @Test
  void countsNoConnectionThatItRefuses() {
    HttpServer server = serve(OK, 0);
    expectServed(connect(server, LIMITED));
    RawClient second = connect(server, LIMITED);
    expectServed(second);
    for (int i = 0; i < 10; i++) {
      RawClient refused = connect(server, LIMITED);
      expectRefused(refused);
      refused.close();
    }

    second.close();
    Await.until("one is left", () -> server.connectionCount() == 1);

    expectServed(connect(server, LIMITED));
  }

  @Test
  void sendsFilesAsWithoutALimit(@TempDir Path dir) throws IOException {
    byte[] content = Requests.content(1_000_000);
    Path file = Files.write(dir.resolve("file"), content);
    HttpServer server = serve((request, response) -> response.send(file), 0);

    RawResponse response = connect(server, LIMITED).get("/").read();

    assertThat(response.content()).isEqualTo(content);
  }

  @Test
  void rejectsALimitBelowZero() {
    assertThat(PLAIN.withConnectionsMax(0).connectionsMax()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PLAIN.withConnectionsMax(-1))
        .withMessageContaining("connectionsMax");
  }
}
