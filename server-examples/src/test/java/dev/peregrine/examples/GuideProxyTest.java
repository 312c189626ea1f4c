package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.proxy.ProxyProtocol;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Servers behind proxies, as docs/guide/server.md shows them. See {@link GuideTextTest}. */
class GuideProxyTest {
  private static final String REQUEST =
      "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\nConnection: close\r\n\r\n";

  private static String send(HttpServer server, String bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(server.address());
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void believesTheProxyOfHttp() throws IOException {
    Handler handler = (request, response) -> response.text("" + request.remoteAddress());
    // snippet: trusted-proxies
    TrustedProxies proxies =
        TrustedProxies.xForwardedFor(TrustedPeers.of("127.0.0.1", "10.0.0.0/8"))
            .withXForwardedProto();
    HttpServer server =
        Peregrine.builder().port(0).trustedProxies(proxies).handler(handler).start();
    // end
    try (server) {
      assertThat(send(server, REQUEST)).endsWith("/192.0.2.7:0");
    }
  }

  @Test
  void readsTheHeaderOfAProxyOfConnections() throws IOException {
    // snippet: proxy-protocol
    Handler handler =
        (request, response) -> {
          ProxyInfo proxy = request.proxy(); // null without the protocol
          String host = proxy == null ? null : proxy.authority();
          response.text(request.remoteAddress() + " asked for " + host);
        };
    Endpoint endpoint =
        Endpoint.tcp("127.0.0.1", 0).with(ProxyProtocol.from(TrustedPeers.of("127.0.0.1")));
    HttpServer server = Peregrine.builder().endpoint(endpoint).handler(handler).start();
    // end
    try (server) {
      assertThat(send(server, "PROXY TCP4 192.0.2.7 192.0.2.1 4711 80\r\n" + REQUEST))
          .endsWith("/192.0.2.7:4711 asked for null");
    }
  }
}
