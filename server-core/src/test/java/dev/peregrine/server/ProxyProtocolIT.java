package dev.peregrine.server;

import static dev.peregrine.testing.ProxyHeaders.block;
import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.show;
import static dev.peregrine.testing.ProxyHeaders.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol in front of HTTP/1.1, HTTP/2 and TLS, and peers that violate it. */
final class ProxyProtocolIT {
  private static final TrustedPeers LOOPBACK = TrustedPeers.of("127.0.0.0/8");
  private static final TcpEndpoint PLAIN = Endpoint.tcp("127.0.0.1", 0);
  private static final TcpEndpoint PROXIED = PLAIN.withProxyProtocol(LOOPBACK);
  private static final byte[] REQUEST = Requests.get("/");
  private static final byte[] TLS_VALUE = ProxyHeaders.tls(1, 1, value(0x21, "TLSv1.3"));
  private static final Handler FACTS = (request, response) -> response.text(facts(request));

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  /** Records a line for each connection that opens or is closed. */
  private final class Notes implements ConnectionListener {
    @Override
    public void onOpen(ConnectionInfo connection) {
      events.add("open " + clients(connection));
    }

    @Override
    public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
      events.add(reason + " " + clients(connection));
    }

    private static String clients(ConnectionInfo connection) {
      return host(connection.remoteAddress()) + " by " + host(connection.peerAddress());
    }

    private static String host(Object address) {
      return address instanceof InetSocketAddress inet
          ? inet.getAddress().getHostAddress()
          : "a socket";
    }
  }

  private static String facts(Request request) {
    ProxyInfo proxy = request.proxy();
    String remote = show(request.remoteAddress());
    return request.scheme()
        + " "
        + (remote.startsWith("127.0.0.1") ? "loopback" : remote)
        + " by "
        + ((InetSocketAddress) request.peerAddress()).getAddress().getHostAddress()
        + (proxy == null ? " unproxied" : proxy.isLocal() ? " local" : "")
        + (proxy == null || proxy.authority() == null ? "" : " " + proxy.authority());
  }

  private static final String CLIENT = "http " + ProxyHeaders.CLIENT + " by 127.0.0.1";

  private HttpServer serve(Handler handler, Consumer<HttpServerBuilder> options) {
    HttpServerBuilder builder =
        HttpServer.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .connectionListener(new Notes())
            .handler(handler);
    options.accept(builder);
    return servers.watch(builder.start());
  }

  private HttpServer serve(Handler handler, Endpoint... endpoints) {
    return serve(handler, options -> List.of(endpoints).forEach(options::endpoint));
  }

  private static RawClient connect(HttpServer server) {
    return RawClient.connect((InetSocketAddress) server.addresses().getFirst());
  }

  private String event() throws InterruptedException {
    return Objects.requireNonNull(events.poll(30, TimeUnit.SECONDS));
  }

  private void expectClosedBy(CloseReason reason) throws InterruptedException {
    assertThat(event()).isEqualTo("open 127.0.0.1 by 127.0.0.1");
    assertThat(event()).isEqualTo(reason + " 127.0.0.1 by 127.0.0.1");
  }

  /** Waits for the one line about a header that the log has since the last call. */
  private String logged() {
    List<String> lines = new ArrayList<>();
    Await.until(
        "a line about the header",
        () -> {
          servers.log().take(Level.INFO).stream()
              .map(LogRecord::getMessage)
              .filter(line -> line.contains("PROXY protocol"))
              .forEach(lines::add);
          return !lines.isEmpty();
        });
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  private boolean logsNothing() {
    return servers.log().take(Level.INFO).stream()
        .noneMatch(line -> line.getMessage().contains("PROXY protocol"));
  }

  // ---- addresses ----

  @Test
  void showsTheAddressesOfTheHeader() {
    HttpServer server = serve(FACTS, PROXIED, PLAIN);

    for (byte[] header : List.of(line(), block(), block(value(4, "padding")))) {
      try (RawClient client = connect(server)) {
        client.send(Requests.join(header, REQUEST, REQUEST));
        assertThat(client.read().text()).isEqualTo(CLIENT);
        assertThat(client.read().text()).isEqualTo(CLIENT);
        assertThat(client.send(REQUEST).read().text()).isEqualTo(CLIENT);
      }
    }
    RawClient plain = servers.connect((InetSocketAddress) server.addresses().get(1));
    assertThat(plain.send(REQUEST).read().text()).isEqualTo("http loopback by 127.0.0.1 unproxied");
  }

  @Test
  void showsTheAddressThatTheClientConnectedTo() {
    HttpServer server =
        serve((request, response) -> response.text(show(request.localAddress())), PROXIED);

    try (RawClient client = connect(server)) {
      client.send(Requests.join(line(), REQUEST));
      assertThat(client.read().text()).isEqualTo("198.51.100.1:443");
    }
    try (RawClient client = connect(server)) {
      client.send(Requests.join(line("PROXY UNKNOWN"), REQUEST));
      assertThat(client.read().text()).isEqualTo(show(server.address()));
    }
  }

  @Test
  void usesTheConnectionsAddressesIfTheProxyReportsNone() {
    HttpServer server = serve(FACTS, PROXIED);
    byte[] local = block(ProxyHeaders.LOCAL, 0, new byte[0]);
    byte[] unspecified = block(ProxyHeaders.PROXY, 0, new byte[0]);

    for (byte[] header : List.of(local, unspecified, line("PROXY UNKNOWN"))) {
      try (RawClient client = connect(server)) {
        client.send(Requests.join(header, REQUEST));
        assertThat(client.read().text())
            .isEqualTo(
                "http loopback by 127.0.0.1" + (Arrays.equals(header, local) ? " local" : ""));
      }
    }
  }

  @Test
  void showsPathsOfUnixSockets() {
    HttpServer server =
        serve(
            (request, response) ->
                response.text(request.remoteAddress() + " " + request.localAddress()),
            PROXIED);
    byte[] paths = ProxyHeaders.paths("/run/a", "/run/b");

    try (RawClient client = connect(server)) {
      client.send(Requests.join(block(ProxyHeaders.PROXY, ProxyHeaders.UNIX, paths), REQUEST));
      assertThat(client.read().text()).isEqualTo("/run/a /run/b");
    }
  }

  /** Row T23 of the attacks. */
  @Test
  void keepsNothingOfAHeaderForTheNextConnection() {
    HttpServer server = serve(FACTS, PROXIED);

    try (RawClient first = connect(server)) {
      first.send(Requests.join(block(value(2, "a.example"), TLS_VALUE), REQUEST));
      assertThat(first.read().text())
          .isEqualTo("https " + ProxyHeaders.CLIENT + " by 127.0.0.1 a.example");
    }
    for (int i = 0; i < 4; i++) { // on each loop
      try (RawClient next = connect(server)) {
        next.send(Requests.join(line("PROXY UNKNOWN"), REQUEST));
        assertThat(next.read().text()).isEqualTo("http loopback by 127.0.0.1");
      }
    }
  }

  @Test
  void keepsTheAddressesForOtherThreads() {
    HttpServer server =
        serve(
            (request, response) -> {
              response.async();
              Thread.ofVirtual().start(() -> response.text(facts(request)));
            },
            PROXIED);

    try (RawClient client = connect(server)) {
      client.send(Requests.join(block(value(2, "a.example")), REQUEST));
      assertThat(client.read().text()).isEqualTo(CLIENT + " a.example");
    }
  }

  @Test
  void tellsListenersTheClientOnceItIsKnown() throws Exception {
    HttpServer server = serve(FACTS, PROXIED);

    try (RawClient client = connect(server)) {
      client.send(Requests.join(line(), REQUEST));
      assertThat(client.read().status()).isEqualTo(200);
    }

    assertThat(event()).isEqualTo("open 127.0.0.1 by 127.0.0.1");
    assertThat(event()).isEqualTo(CloseReason.CLIENT_CLOSED + " 192.0.2.7 by 127.0.0.1");
  }

  // ---- what follows the header ----

  @Test
  void takesTheHeaderByteByByte() {
    HttpServer server = serve(FACTS, PROXIED);

    for (byte[] header : List.of(line(), block(value(2, "a.example")))) {
      try (RawClient client = connect(server)) {
        for (byte one : Requests.join(header, REQUEST)) {
          client.send(new byte[] {one});
        }
        assertThat(client.read().text()).startsWith(CLIENT);
      }
    }
  }

  @Test
  void speaksHttp2AfterTheHeader() {
    HttpServer server = serve(FACTS, PROXIED);
    for (byte[] header : List.of(line(), block())) {
      try (Http2Client client = Http2Client.connectSilently(server.address(), false, 0)) {
        client.send(header).handshake();
        assertThat(client.get("/").text()).isEqualTo(CLIENT);
        assertThat(client.get("/").text()).isEqualTo(CLIENT);
      }
    }
  }

  @Test
  void speaksTlsAfterTheHeader() {
    HttpServer server = serve(FACTS, PLAIN.withTls(Certificates.TLS).withProxyProtocol(LOOPBACK));

    for (byte[] header : List.of(line(), block())) {
      try (RawClient client = RawClient.connectBeforeHandshake(server.address(), 0)) {
        client.sendUnsecured(header);
        assertThat(client.send(REQUEST).read().text())
            .isEqualTo("https " + ProxyHeaders.CLIENT + " by 127.0.0.1");
      }
    }
  }

  /** The layer is next to the network, in whichever order the endpoint was described. */
  @Test
  void takesTheHeaderAndTheClientHelloInOneSegment() throws Exception {
    HttpServer server = serve(FACTS, PROXIED.withTls(Certificates.TLS));
    SSLEngine client = Certificates.client().createSSLEngine("localhost", 443);
    client.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
    client.wrap(ByteBuffer.allocate(0), hello);

    try (RawClient plain = connect(server)) {
      plain.send(Requests.join(block(), Arrays.copyOf(hello.array(), hello.position())));
      assertThat(plain.readBytes(1)).containsExactly(22); // a handshake record
    }
  }

  @Test
  void countsAConnectionThatTheProxyHasDecryptedAsSecure() {
    HttpServer server = serve(FACTS, PROXIED);

    try (RawClient client = connect(server)) {
      client.send(Requests.join(block(TLS_VALUE), Requests.get("https://a/")));
      assertThat(client.read().text()).isEqualTo("https " + ProxyHeaders.CLIENT + " by 127.0.0.1");
    }
    try (RawClient client = connect(server)) {
      client.send(Requests.join(block(ProxyHeaders.tls(0, 0)), Requests.get("https://a/")));
      assertThat(client.read().status()).isEqualTo(421);
    }
  }

  @Test
  void sendsContentAndFilesUnchanged(@TempDir Path folder) throws IOException {
    byte[] content = Requests.content(3_000_000);
    Path file = Files.write(folder.resolve("file"), content);
    HttpServer server =
        serve(
            (request, response) -> {
              if (request.pathIs("/file")) {
                response.send(file);
              } else {
                response.send(content);
              }
            },
            PROXIED);

    try (RawClient client = connect(server).send(line())) {
      assertThat(client.get("/file").read().content()).isEqualTo(content);
      assertThat(client.get("/array").read().content()).isEqualTo(content);
    }
  }

  @Test
  void readsContentAfterTheHeader() {
    HttpServer server =
        serve(
            Handlers.blocking(
                (request, response) -> response.text("" + request.body().readAll(300_000).length)),
            PROXIED);

    try (RawClient client = connect(server)) {
      client.send(Requests.join(line(), Requests.post("/", new byte[200_000])));
      assertThat(client.read().text()).isEqualTo("200000");
    }
  }

  @Test
  void listensOnAUnixSocket(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("p");
    HttpServer server =
        serve(
            (request, response) ->
                response.text(show(request.remoteAddress()) + "|" + request.peerAddress()),
            Endpoint.unix(path).withProxyProtocol(TrustedPeers.unixSockets()));
    byte[] request = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      client.write(ByteBuffer.wrap(Requests.join(block(), request)));
      byte[] response = Channels.newInputStream(client).readAllBytes();
      assertThat(new String(response, StandardCharsets.US_ASCII))
          .endsWith("\r\n\r\n" + ProxyHeaders.CLIENT + "|");
    }
    assertThat(server.connectionCount()).isLessThanOrEqualTo(1);
  }

  // ---- peers that are not trusted ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesTheConnectionOfAPeerThatIsNotTrusted(boolean tls) throws Exception {
    TcpEndpoint other = PLAIN.withProxyProtocol(TrustedPeers.of("192.0.2.0/24").withUnixSockets());
    HttpServer server = serve(FACTS, tls ? other.withTls(Certificates.TLS) : other);

    try (RawClient client = connect(server)) { // at once, before it has sent anything
      client.expectClosed();
    }

    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("/127.0.0.1:", "192.0.2.0/24", "Unix domain sockets");
    try (RawClient client = connect(server)) {
      boolean ignored = client.sendWhileOpen(Requests.join(line(), REQUEST));
      client.expectClosed();
    }
    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
  }

  @Test
  void closesTheConnectionOfAPeerOfAnUntrustedUnixSocket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("p");
    serve(FACTS, Endpoint.unix(path).withProxyProtocol(LOOPBACK));

    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      assertThat(client.read(ByteBuffer.allocate(1))).isNegative();
    }

    assertThat(event()).isEqualTo("open a socket by a socket");
    assertThat(event()).startsWith("" + CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("a peer of " + path);
  }

  // ---- headers that are not valid ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u0016\u0003\u0001",
        "PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\nGET / HTTP/1.1\r\n",
        "PROXY TCP4 192.0.2.07 198.51.100.1 4711 443\r\n",
        "\r\n\r\n\0\r\nQUIT\n1"
      })
  void closesAConnectionWithoutAValidHeader(String bytes) throws Exception {
    for (boolean tls : new boolean[] {false, true}) {
      HttpServer server = serve(FACTS, tls ? PROXIED.withTls(Certificates.TLS) : PROXIED);

      try (RawClient client = connect(server)) {
        client.send(Requests.bytes(bytes + " ".repeat(4)));
        client.expectClosed();
      }

      expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
      assertThat(logged()).contains("closed /127.0.0.1:", "PROXY protocol header rejected: ");
    }
  }

  @Test
  void closesAConnectionWhoseHeaderIsAboveTheLimit() throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderBytesMax(536).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));
    int padding = 536 - block().length - 3;

    for (int bytes : new int[] {padding - 1, padding}) {
      try (RawClient client = connect(server)) {
        client.send(Requests.join(block(value(4, new byte[bytes])), REQUEST));
        assertThat(client.read().text()).isEqualTo(CLIENT);
      }
    }
    try (RawClient client = connect(server)) {
      client.send(Arrays.copyOf(block(value(4, new byte[padding + 1])), 16));
      client.expectClosed();
    }
    assertThat(logged()).contains("537 bytes; the limit is 536 bytes (proxyHeaderBytesMax)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 20})
  void closesAConnectionWhoseHeaderIsLate(int bytes) throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderTime(Duration.ofMillis(50)).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));

    try (RawClient client = connect(server)) {
      client.send(Arrays.copyOf(line(), bytes));
      client.expectClosed();
    }

    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("PT0.05S (proxyHeaderTime), " + bytes + " bytes in all");
  }

  @Test
  void isLateWithTheHeaderInFrontOfTlsToo() throws Exception {
    ServerLimits limits = Servers.LIMITS.toBuilder().proxyHeaderTime(Duration.ofMillis(50)).build();
    Endpoint endpoint = PROXIED.withTls(Certificates.TLS);
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(endpoint));

    try (RawClient client = connect(server)) {
      client.send(Arrays.copyOf(block(), 13)).expectClosed();
    }

    expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    assertThat(logged()).contains("13 bytes in all");
  }

  /** The time ends with the header: requests have times of their own. */
  @Test
  void hasNoDeadlineAfterTheHeader() throws Exception {
    ServerLimits limits =
        Servers.LIMITS.toBuilder().proxyHeaderTime(Duration.ofMillis(500)).build();
    HttpServer server = serve(FACTS, options -> options.limits(limits).endpoint(PROXIED));

    try (RawClient client = connect(server);
        RawClient clock = connect(server)) {
      client.send(line());
      clock.expectClosed(); // a later deadline than the client's has passed
      assertThat(client.send(REQUEST).read().text()).isEqualTo(CLIENT);
    }
  }

  @Test
  void closesAConnectionThatEndsWithinItsHeader() throws Exception {
    HttpServer server = serve(FACTS, PROXIED);

    for (byte[] header : List.of(line(), block())) {
      for (int length = 1; length < header.length; length++) {
        try (RawClient client = connect(server)) {
          client.send(Arrays.copyOf(header, length)).halfClose().expectClosed();
        }
        expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
      }
    }
  }

  /** Checks of health connect, and close or reset. */
  @Test
  void doesNotLogConnectionsThatWereOnlyOpened() throws Exception {
    HttpServer server = serve(FACTS, PROXIED);

    connect(server).close();
    expectClosedBy(CloseReason.CLIENT_CLOSED);
    connect(server).reset();
    expectClosedBy(CloseReason.CLIENT_RESET);
    try (RawClient client = connect(server)) {
      client.send(line()).halfClose().expectEnd();
    }

    assertThat(event()).startsWith("open");
    assertThat(event()).isEqualTo(CloseReason.CLIENT_CLOSED + " 192.0.2.7 by 127.0.0.1");
    assertThat(logsNothing()).isTrue();
  }

  @Test
  void logsABoundedNumberOfLines() throws Exception {
    HttpServer server = serve(FACTS, options -> options.loops(1).endpoint(PROXIED));

    for (int i = 0; i < 15; i++) {
      try (RawClient client = connect(server)) {
        client.send("GET").expectClosed();
      }
      expectClosedBy(CloseReason.PROXY_HEADER_REJECTED);
    }

    assertThat(servers.log().take(Level.INFO))
        .extracting(LogRecord::getMessage)
        .filteredOn(line -> line.contains("PROXY protocol header rejected"))
        .hasSize(10);
  }

  // ---- overload and shutdown ----

  @Test
  void rejectsAConnectionAboveTheLimit() {
    HttpServer server = serve(FACTS, PROXIED.withConnectionsMax(1));

    try (RawClient first = connect(server);
        RawClient second = connect(server)) {
      first.send(Requests.join(line(), REQUEST));
      assertThat(first.read().text()).isEqualTo(CLIENT);
      second.send(Requests.join(line(), REQUEST));
      assertThat(second.read().status()).isEqualTo(503);
      second.expectEnd();
    }
  }

  @Test
  void shutsDownWithHeadersUnderWay() {
    HttpServer server = serve(FACTS, PROXIED);

    try (RawClient silent = connect(server);
        RawClient begun = connect(server)) {
      begun.send("PROXY TC");
      Await.until("both are open", () -> server.connectionCount() == 2);
      assertThat(server.shutdown(Duration.ofSeconds(30)).isComplete()).isTrue();
      silent.expectEnd();
      begun.expectEnd();
    }
  }
}
