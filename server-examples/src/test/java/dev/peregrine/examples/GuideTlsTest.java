package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, as docs/guide/http2-and-tls.md shows it. See {@link GuideTextTest}. */
class GuideTlsTest extends GuideCase {
  @TempDir Path directory;
  private Path chain;
  private Path key;

  @BeforeEach
  void write() throws IOException {
    chain = Files.writeString(directory.resolve("chain.pem"), SampleCertificate.CHAIN);
    key = Files.writeString(directory.resolve("key.pem"), SampleCertificate.KEY);
  }

  @Test
  void servesHttps() throws Exception {
    Handler handler = (request, response) -> response.text(request.scheme());
    // snippet: tls
    Tls tls = Tls.of(chain, key);
    HttpServer server = Peregrine.builder().port(0).with(tls).handler(handler).start();
    // end
    open(server);

    assertThat(get(server.address())).endsWith("\r\n\r\nhttps");
  }

  @Test
  void servesHttpBesideHttps() throws Exception {
    Handler handler = (request, response) -> response.text(request.scheme());
    Tls tls = Tls.of(chain, key);
    // snippet: tls-endpoints
    HttpServer server =
        Peregrine.builder()
            .endpoint(Endpoint.tcp("127.0.0.1", 0))
            .endpoint(Endpoint.tcp("127.0.0.1", 0).with(tls))
            .handler(handler)
            .start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/").body()).isEqualTo("http");
    assertThat(get((InetSocketAddress) server.addresses().get(1))).endsWith("\r\n\r\nhttps");
  }

  @Test
  void speaksOnlyWhatItIsSetTo() throws Exception {
    Handler handler =
        (request, response) -> response.text(Objects.requireNonNull(request.tls()).cipherSuite());
    // snippet: tls-options
    Tls tls =
        Tls.builder()
            .certificate(chain, key)
            .versions("TLSv1.3")
            .suites("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")
            .groups("x25519", "secp384r1")
            .build();
    // end
    HttpServer server = Peregrine.builder().port(0).with(tls).handler(handler).start();
    open(server);

    assertThat(get(server.address())).endsWith("TLS_AES_256_GCM_SHA384");
  }

  @Test
  void reloads() {
    Tls tls = Tls.of(chain, key);
    // snippet: tls-reload
    boolean changed = tls.reload();
    // end
    assertThat(changed).isFalse();
  }

  @Test
  void reloadsAutomatically() throws Exception {
    Handler handler = (request, response) -> response.text(request.scheme());
    // snippet: tls-reload-automatically
    Tls tls =
        Tls.builder().certificate(chain, key).reloadAutomatically(Duration.ofSeconds(10)).build();
    HttpServer server = Peregrine.builder().port(0).with(tls).handler(handler).start();
    // end
    open(server);

    assertThat(get(server.address())).endsWith("\r\n\r\nhttps");
  }

  @Test
  void answersTheChallengesOfCertbot() throws Exception {
    Path webroot = directory;
    Handler handler = (request, response) -> response.text("application");
    // snippet: tls-certbot
    Path folder = Files.createDirectories(webroot.resolve(".well-known/acme-challenge"));
    Routes routes =
        Routes.builder()
            .mount("/.well-known/acme-challenge", StaticFiles.of(folder))
            .get("/*", handler)
            .build();
    Tls tls =
        Tls.builder().certificate(chain, key).reloadAutomatically(Duration.ofMinutes(1)).build();
    HttpServer server =
        Peregrine.builder()
            .endpoint(Endpoint.tcp("127.0.0.1", 0)) // port 80 of all addresses in production
            .endpoint(Endpoint.tcp("127.0.0.1", 0).with(tls)) // port 443
            .handler(routes)
            .start();
    // end
    Client client = open(new Client(open(server).port()));

    Files.writeString(folder.resolve("token"), "token.thumbprint");
    assertThat(client.get("/.well-known/acme-challenge/token").body())
        .isEqualTo("token.thumbprint");
    assertThat(client.get("/").body()).isEqualTo("application");
  }

  @Test
  void staplesAnOcspResponse() {
    Path response = directory.resolve("ocsp.der");
    // snippet: tls-ocsp
    Tls tls = Tls.builder().certificate(chain, key).ocspResponse(response).build();
    // end
    assertThat(tls.reload()).isFalse();
  }

  @Test
  void requiresCertificatesOfClients() {
    Path authorities = chain;
    // snippet: tls-clients
    Tls tls = Tls.builder().certificate(chain, key).requireClientCertificates(authorities).build();
    Handler handler =
        (request, response) -> {
          TlsInfo client = Objects.requireNonNull(request.tls());
          response.text(client.clientCertificates().getFirst().getSubjectX500Principal().getName());
        };
    HttpServer server = Peregrine.builder().port(0).with(tls).handler(handler).start();
    // end
    open(server);

    assertThatThrownBy(() -> get(server.address())).isInstanceOf(IOException.class);
  }

  @Test
  void requiresCertificatesOfSomeClients() throws Exception {
    Path authorities = chain;
    Handler handler = (request, response) -> response.text("public");
    // snippet: tls-clients-by-name
    Tls tls =
        Tls.builder()
            .certificate(chain, key)
            .requireClientCertificates(authorities, "admin.example.com", "*.internal.example.com")
            .build();
    // end
    HttpServer server = Peregrine.builder().port(0).with(tls).handler(handler).start();
    open(server);

    assertThat(get(server.address())).endsWith("public");
  }

  private static String get(InetSocketAddress server) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, null);
    try (Socket socket =
        context.getSocketFactory().createSocket(server.getAddress(), server.getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] presented, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] presented, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
