package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HAProxy and nginx as proxies that report their clients by fields, in the configurations of
 * docs/RUN-IT.md, while the clients forge such fields. The proxies and the clients have different
 * addresses of loopback.
 */
final class ForwardingProxiesIT {
  private static final String PROXY = "127.0.0.3"; // the address that proxies call from
  private static final TrustedPeers PEERS = TrustedPeers.of(PROXY);
  private static final TrustedProxies X_FORWARDED =
      TrustedProxies.xForwardedFor(PEERS).withXForwardedProto().withXForwardedHost();
  private static final Handler FACTS =
      (request, response) ->
          response.text(
              ((InetSocketAddress) request.remoteAddress()).getAddress().getHostAddress()
                  + " "
                  + request.scheme()
                  + " "
                  + request.host());

  private static final List<String> FORGED =
      List.of(
          "X-Forwarded-For: 1.1.1.1",
          "X-Forwarded-For: 1.1.1.1, " + PROXY,
          "X-Forwarded-For: " + PROXY,
          "X-Forwarded-For: unknown",
          "X-Forwarded-For: ,",
          "X-Forwarded-For: \"",
          "X-Forwarded-Proto: ftp",
          "X-Forwarded-Proto: https, https",
          "X-Forwarded-Host: evil.example",
          "Forwarded: for=1.1.1.1;proto=ftp;host=evil.example",
          "Forwarded: for=" + PROXY,
          "Forwarded: for=\"1.1.1.1",
          "Forwarded: for=1.1.1.1;x=\"\\",
          "Forwarded: \"");

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path directory;

  private HttpServer serve(TrustedProxies trusted) {
    return servers.start(FACTS, options -> options.trustedProxies(trusted));
  }

  private static byte[] request(String field) {
    return Requests.bytes("GET / HTTP/1.1\r\nHost: a.example\r\n" + field + "\r\n\r\n");
  }

  /** Whatever the client forges, the server sees its address, the scheme and the host. */
  private static void expectOnlyTheTruth(Daemon proxy, String expected, boolean tls) {
    for (String field : FORGED) {
      try (RawClient client =
          tls ? RawClient.connectSecured(proxy.address(), 0) : RawClient.connect(proxy.address())) {
        assertThat(client.send(request(field)).read().text()).as(field).isEqualTo(expected);
        assertThat(client.send(request("X: y")).read().text()).isEqualTo(expected);
      }
    }
  }

  @Test
  void letsNoClientForgeTheFieldsItself() {
    for (TrustedProxies trusted : List.of(X_FORWARDED, TrustedProxies.forwarded(PEERS))) {
      RawClient client = servers.connect(serve(trusted));
      for (String field : FORGED) {
        assertThat(client.send(request(field)).read().text()).isEqualTo("127.0.0.1 http a.example");
      }
    }
  }

  private Daemon haproxy(String bind, String rules, String server) throws IOException {
    return Daemon.haproxy(directory, "http", bind, rules + "\n  server one " + server);
  }

  /** Starts HAProxy, which calls the server from its own address. */
  private Daemon haproxy(String bind, String rules, HttpServer server) throws IOException {
    return haproxy(bind, rules, "127.0.0.1:" + server.port() + " source " + PROXY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void seesTheClientOfHaproxy(boolean tls) throws IOException {
    HttpServer server = serve(X_FORWARDED);
    String bind = tls ? "ssl crt " + Certificates.writeBoth(directory, Certificates.LOCALHOST) : "";
    String rules =
        """
          option forwardfor
          http-request set-header X-Forwarded-Proto https if { ssl_fc }
          http-request set-header X-Forwarded-Proto http unless { ssl_fc }
          http-request set-header X-Forwarded-Host %[req.hdr(Host)]
        """;

    try (Daemon proxy = haproxy(bind, rules, server)) {
      expectOnlyTheTruth(proxy, "127.0.0.1 " + (tls ? "https" : "http") + " a.example", tls);
    }
  }

  @Test
  void seesTheClientOfHaproxyByForwarded() throws IOException {
    HttpServer server = serve(TrustedProxies.forwarded(PEERS));
    String rules = "  http-request add-header Forwarded proto=https;for=%[src];host=b.example";

    try (Daemon proxy = haproxy("", rules, server)) {
      expectOnlyTheTruth(proxy, "127.0.0.1 https b.example", false);
    }
  }

  @Test
  void seesTheClientOfHaproxyThroughAUnixSocket() throws IOException {
    Path socket = directory.resolve("s");
    servers.watch(
        Peregrine.builder()
            .transport(Servers.TRANSPORT)
            .limits(Servers.LIMITS)
            .endpoint(Endpoint.unix(socket))
            .trustedProxies(TrustedProxies.xForwardedFor(TrustedPeers.unixSockets()))
            .handler(FACTS)
            .start());

    try (Daemon proxy = haproxy("", "  option forwardfor", "unix@" + socket)) {
      expectOnlyTheTruth(proxy, "127.0.0.1 http a.example", false);
    }
  }

  @Test
  void seesTheClientOfNginx() throws IOException {
    HttpServer server = serve(X_FORWARDED);

    try (Daemon proxy =
        Daemon.nginx(
            directory,
            port ->
                """
                server {
                  listen 127.0.0.1:%d;
                  location / {
                    proxy_pass http://127.0.0.1:%d;
                    proxy_bind %s;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_set_header X-Forwarded-Proto $scheme;
                    proxy_set_header X-Forwarded-Host $host;
                  }
                }
                """
                    .formatted(port, server.port(), PROXY))) {
      expectOnlyTheTruth(proxy, "127.0.0.1 http a.example", false);
    }
  }

  /** A proxy that isn't trusted is the client. */
  @Test
  void seesAnUntrustedProxyAsTheClient() throws IOException {
    HttpServer server = serve(TrustedProxies.xForwardedFor(TrustedPeers.of("127.0.0.4")));

    try (Daemon proxy = haproxy("", "  option forwardfor", server)) {
      expectOnlyTheTruth(proxy, PROXY + " http a.example", false);
    }
  }
}
