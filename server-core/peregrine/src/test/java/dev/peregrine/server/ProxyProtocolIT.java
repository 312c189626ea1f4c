package dev.peregrine.server;

import static dev.peregrine.testing.ProxyHeaders.block;
import static dev.peregrine.testing.ProxyHeaders.line;
import static dev.peregrine.testing.ProxyHeaders.show;
import static dev.peregrine.testing.ProxyHeaders.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handlers;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.FileAndContent;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.http2.Http2Client;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The PROXY protocol in front of HTTP/1.1, HTTP/2 and TLS. */
final class ProxyProtocolIT extends ProxyProtocolCase {
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
    HttpServer server =
        serve(FACTS, PLAIN.with(Certificates.TLS).with(ProxyProtocol.from(LOOPBACK)));

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
    HttpServer server = serve(FACTS, PROXIED.with(Certificates.TLS));
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
    HttpServer server = serve(new FileAndContent(folder, content), PROXIED);

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
  void listensOnAUnixSocket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("p");
    HttpServer server =
        serve(
            (request, response) ->
                response.text(show(request.remoteAddress()) + "|" + request.peerAddress()),
            Endpoint.unix(path).with(ProxyProtocol.from(TrustedPeers.unixSockets())));
    byte[] request = Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      client.write(ByteBuffer.wrap(Requests.join(block(), request)));
      byte[] response = Channels.newInputStream(client).readAllBytes();
      assertThat(new String(response, StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("\r\n\r\n" + ProxyHeaders.CLIENT + "|");
    }
    assertThat(event()).isEqualTo("open a socket by a socket");
    assertThat(event()).isEqualTo(CloseReason.LAST_RESPONSE + " 192.0.2.7 by a socket");
    Await.until("the connection is closed", () -> server.connectionCount() == 0);
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
