package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.ProxyHeaders;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Headers of the PROXY protocol from HAProxy, nginx and curl. Each test runs only where its sender
 * is installed.
 */
final class ProxySendersIT {
  private static final TcpEndpoint PROXIED =
      Endpoint.tcp("127.0.0.1", 0).with(ProxyProtocol.from(TrustedPeers.of("127.0.0.1")));
  private static final byte[] REQUEST = Requests.get("/");

  /** Responds with the client, the version of HTTP, and the values of the header. */
  private static final Handler FACTS =
      (request, response) -> response.text(facts(request) + values(request));

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path directory;

  private static String facts(Request request) {
    return request.scheme()
        + " "
        + request.version()
        + " "
        + ProxyHeaders.show(request.remoteAddress())
        + " to "
        + ProxyHeaders.show(request.localAddress());
  }

  private static String values(Request request) {
    ProxyInfo proxy = Objects.requireNonNull(request.proxy());
    byte[] id = proxy.uniqueId();
    return (proxy.isLocal() ? " local" : "")
        + (proxy.authority() == null ? "" : " " + proxy.authority())
        + (id == null ? "" : " " + new String(id, StandardCharsets.US_ASCII))
        + (proxy.tlsVersion() == null ? "" : " " + proxy.tlsVersion() + " " + proxy.cipherSuite())
        + (proxy.value(0x03) == null ? "" : " checked");
  }

  private HttpServer serve(Handler handler, Endpoint endpoint) {
    return servers.watch(
        Peregrine.builder()
            .loops(2)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .endpoint(endpoint)
            .handler(handler)
            .start());
  }

  private Daemon haproxy(String mode, String bind, HttpServer server, String options)
      throws IOException {
    return Daemon.haproxy(
        directory,
        mode,
        bind,
        """
          unique-id-format id-%%rt
          option httpchk GET /ready
          server one 127.0.0.1:%d %s
        """
            .formatted(server.port(), options));
  }

  /** Returns the addresses of a client's connection to a proxy, as the server shall show them. */
  private static String connection(RawClient client, Daemon proxy) {
    return ProxyHeaders.show(client.localAddress()) + " to 127.0.0.1:" + proxy.address().getPort();
  }

  // ---- HAProxy ----

  @ParameterizedTest
  @CsvSource({
    "tcp,send-proxy,''",
    "http,send-proxy,''",
    "tcp,send-proxy-v2,''",
    "http,send-proxy-v2,''",
    "http,send-proxy-v2 proxy-v2-options crc32c,' checked'"
  })
  void acceptsHaproxy(String mode, String options, String values) throws IOException {
    HttpServer server = serve(FACTS, PROXIED);

    try (Daemon proxy = haproxy(mode, "", server, options);
        RawClient client = RawClient.connect(proxy.address())) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.send(REQUEST).read().text())
            .isEqualTo("http HTTP_1_1 " + connection(client, proxy) + values);
      }
    }
  }

  @Test
  void readsTheUniqueIdThatHaproxyGives() throws IOException {
    HttpServer server = serve(FACTS, PROXIED);
    String options = "send-proxy-v2 proxy-v2-options unique-id,crc32c";

    try (Daemon proxy = haproxy("http", "", server, options);
        RawClient client = RawClient.connect(proxy.address())) {
      assertThat(client.send(REQUEST).read().text())
          .startsWith("http HTTP_1_1 " + connection(client, proxy) + " id-")
          .endsWith(" checked");
    }
  }

  @Test
  void readsTheFactsAboutTlsThatHaproxyReports() throws IOException {
    HttpServer server = serve(FACTS, PROXIED);
    String options = "send-proxy-v2-ssl proxy-v2-options ssl,ssl-cipher,authority,crc32c";

    try (Daemon proxy =
        haproxy(
            "tcp",
            "ssl crt " + Certificates.writeBoth(directory, Certificates.LOCALHOST),
            server,
            options)) {
      int port = proxy.address().getPort();
      assertThat(curl("--resolve", "a.example:" + port + ":127.0.0.1", "https://a.example:" + port))
          .matches(
              "https HTTP_1_1 127\\.0\\.0\\.1:\\d+ to 127\\.0\\.0\\.1:"
                  + port
                  + " a\\.example TLSv1\\.3 TLS_\\w+ checked");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "send-proxy ssl verify none,https HTTP_1_1",
    "send-proxy-v2 ssl verify none alpn h2,https HTTP_2",
    "send-proxy-v2 ssl verify none alpn http/1.1,https HTTP_1_1"
  })
  void speaksTlsWithHaproxyAfterTheHeader(String options, String expected) throws IOException {
    HttpServer server = serve(FACTS, PROXIED.with(Certificates.TLS));

    try (Daemon proxy = haproxy("http", "", server, options);
        RawClient client = RawClient.connect(proxy.address())) {
      assertThat(client.send(REQUEST).read().text())
          .isEqualTo(expected + " " + connection(client, proxy));
    }
  }

  /** HAProxy opens the connections of its checks for itself, and says so in version 2. */
  @Test
  void answersTheHealthChecksOfHaproxy() throws IOException {
    AtomicInteger local = new AtomicInteger();
    HttpServer server =
        serve(
            (request, response) -> {
              ProxyInfo proxy = Objects.requireNonNull(request.proxy());
              if (request.pathIs("/ready") && proxy.isLocal()) {
                local.incrementAndGet();
              }
              response.text(facts(request) + values(request));
            },
            PROXIED);
    String options = "send-proxy-v2 check check-send-proxy inter 200ms";

    try (Daemon proxy = haproxy("http", "", server, options);
        RawClient client = RawClient.connect(proxy.address())) {
      Await.until("HAProxy has checked the server", () -> local.get() >= 3);
      assertThat(client.send(REQUEST).read().text())
          .isEqualTo("http HTTP_1_1 " + connection(client, proxy));
      assertThat(proxy.output()).doesNotContain("DOWN");
    }
  }

  // ---- nginx ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void acceptsNginx(boolean tls) throws IOException {
    HttpServer server = serve(FACTS, tls ? PROXIED.with(Certificates.TLS) : PROXIED);

    try (Daemon proxy =
            Daemon.nginxStream(
                directory,
                port ->
                    """
                    server {
                      listen 127.0.0.1:%d;
                      proxy_pass 127.0.0.1:%d;
                      proxy_protocol on;
                    }
                    """
                        .formatted(port, server.port()));
        RawClient client =
            tls
                ? RawClient.connectSecured(proxy.address(), 0)
                : RawClient.connect(proxy.address())) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.send(REQUEST).read().text())
            .isEqualTo((tls ? "https" : "http") + " HTTP_1_1 " + connection(client, proxy));
      }
    }
  }

  // ---- curl ----

  private static String curl(String... arguments) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
    List<String> command = new ArrayList<>(List.of("curl", "--noproxy", "*", "--max-time", "60"));
    command.addAll(List.of("-s", "-k"));
    command.addAll(List.of(arguments));
    Process curl = new ProcessBuilder(command).start();
    return new String(curl.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @CsvSource({
    "http,--http1.1,http HTTP_1_1",
    "http,--http2-prior-knowledge,http HTTP_2",
    "https,--http1.1,https HTTP_1_1",
    "https,--http2,https HTTP_2"
  })
  void acceptsCurl(String scheme, String version, String expected) throws Exception {
    HttpServer server =
        serve(FACTS, scheme.equals("https") ? PROXIED.with(Certificates.TLS) : PROXIED);

    String url = scheme + "://127.0.0.1:" + server.port() + "/";
    assertThat(curl("--haproxy-protocol", version, url))
        .matches(expected + " 127\\.0\\.0\\.1:\\d+ to 127\\.0\\.0\\.1:" + server.port());
  }
}
