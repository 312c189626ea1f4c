package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.await;
import static dev.peregrine.jdk.httpserver.TestServer.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers with TLS, whose configurator chooses the parameters of each connection. */
@Timeout(60)
class HttpsIT {
  private static final SSLContext SERVER = TestKeys.withCertificate();

  /** Tells what the session is: its protocol, and whether the client has a certificate. */
  private static final HttpHandler SESSION =
      exchange -> {
        SSLSession session = ((HttpsExchange) exchange).getSSLSession();
        TestServer.answer(exchange, 200, session.getProtocol() + " " + peer(session));
      };

  private static String peer(SSLSession session) {
    try {
      return session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException none) {
      return "nobody";
    }
  }

  private static HttpsServer https() throws IOException {
    HttpsServer https = HttpsServer.create(loopback(0), 0);
    https.createContext("/", SESSION);
    return https;
  }

  private static TestServer start(HttpsConfigurator configurator) throws IOException {
    HttpsServer https = https();
    https.setHttpsConfigurator(configurator);
    https.start();
    return TestServer.of(https);
  }

  private static TestServer start(Consumer<HttpsParameters> configure) throws IOException {
    return start(
        new HttpsConfigurator(SERVER) {
          @Override
          public void configure(HttpsParameters parameters) {
            configure.accept(parameters);
          }
        });
  }

  private static RawClient connect(TestServer server, SSLContext context, String... protocols)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    return new RawClient(socket);
  }

  private static String get(TestServer server, SSLContext context, String... protocols)
      throws IOException {
    try (RawClient client = connect(server, context, protocols)) {
      return client.request("GET", "/").receive().content();
    }
  }

  private static String get(TestServer server, String... protocols) throws IOException {
    return get(server, TestKeys.withoutCertificate(), protocols);
  }

  @Test
  void servesByTheDefaultConfigurator() throws IOException {
    HttpsConfigurator configurator = new HttpsConfigurator(SERVER);
    try (TestServer server = start(configurator)) {
      assertThat(((HttpsServer) server.http).getHttpsConfigurator()).isSameAs(configurator);
      assertThat(get(server)).isEqualTo("TLSv1.3 nobody");
      assertThat(get(server, "TLSv1.2")).isEqualTo("TLSv1.2 nobody");
    }
  }

  @Test
  void servesOrdinaryClientsByHttp1() throws Exception {
    try (TestServer server = start(new HttpsConfigurator(SERVER));
        HttpClient client =
            HttpClient.newBuilder().sslContext(TestKeys.withoutCertificate()).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/")).build();

      var response = client.send(request, BodyHandlers.ofString());

      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
      assertThat(response.body()).isEqualTo("TLSv1.3 nobody");
    }
  }

  @Test
  void carriesLargeContent() throws IOException {
    try (TestServer server = start(new HttpsConfigurator(SERVER))) {
      server.http.createContext("/large", answering("0123456789abcdef".repeat(1 << 17)));
      try (RawClient client = connect(server, TestKeys.withoutCertificate())) {
        assertThat(client.request("GET", "/large").receive().content()).hasSize(1 << 21);
      }
    }
  }

  @Test
  void refusesOlderClientsWithAnAlert() throws IOException {
    try (TestServer server =
        start(
            parameters -> {
              SSLParameters chosen = SERVER.getDefaultSSLParameters();
              chosen.setProtocols(new String[] {"TLSv1.3"});
              parameters.setSSLParameters(chosen);
            })) {
      assertThatThrownBy(() -> get(server, "TLSv1.2")).hasMessageContaining("protocol_version");
      assertThat(get(server, "TLSv1.3", "TLSv1.2")).startsWith("TLSv1.3");
    }
  }

  @Test
  @SuppressWarnings("deprecation") // programs still use it
  void takesProtocolsAndCipherSuitesOneByOne() throws IOException {
    try (TestServer server =
        start(
            parameters -> {
              parameters.setProtocols(new String[] {"TLSv1.2"});
              parameters.setCipherSuites(
                  new String[] {
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
                  });
            })) {
      server.http.createContext(
          "/suite",
          exchange ->
              TestServer.answer(
                  exchange, 200, ((HttpsExchange) exchange).getSSLSession().getCipherSuite()));
      assertThat(get(server)).startsWith("TLSv1.2");
      try (RawClient client = connect(server, TestKeys.withoutCertificate())) {
        assertThat(client.request("GET", "/suite").receive().content()).contains("AES_128_GCM");
      }
      assertThatThrownBy(() -> get(server, "TLSv1.3")).isInstanceOf(IOException.class);
    }
  }

  private static void needsCertificates(Consumer<HttpsParameters> configure) throws IOException {
    try (TestServer server = start(configure)) {
      assertThatThrownBy(() -> get(server)).isInstanceOf(IOException.class);
      assertThat(get(server, TestKeys.withCertificate())).contains("CN=");
    }
  }

  private static void wantsCertificates(Consumer<HttpsParameters> configure) throws IOException {
    try (TestServer server = start(configure)) {
      assertThat(get(server)).endsWith("nobody");
      assertThat(get(server, TestKeys.withCertificate())).contains("CN=");
    }
  }

  @Test
  @SuppressWarnings("deprecation") // programs still use it
  void needsTheCertificateOfAClient() throws IOException {
    needsCertificates(parameters -> parameters.setNeedClientAuth(true));
    needsCertificates(
        parameters -> {
          SSLParameters chosen = SERVER.getDefaultSSLParameters();
          chosen.setNeedClientAuth(true);
          parameters.setSSLParameters(chosen);
        });
  }

  @Test
  @SuppressWarnings("deprecation") // programs still use it
  void wantsTheCertificateOfAClient() throws IOException {
    wantsCertificates(parameters -> parameters.setWantClientAuth(true));
    wantsCertificates(
        parameters -> {
          SSLParameters chosen = SERVER.getDefaultSSLParameters();
          chosen.setWantClientAuth(true);
          parameters.setSSLParameters(chosen);
        });
  }

  @Test
  void tellsTheConfiguratorWhoseConnectionItIs() throws IOException {
    List<Integer> ports = new CopyOnWriteArrayList<>();
    CompletableFuture<HttpsConfigurator> told = new CompletableFuture<>();
    try (TestServer server =
            start(
                parameters -> {
                  ports.add(parameters.getClientAddress().getPort());
                  told.complete(parameters.getHttpsConfigurator());
                });
        RawClient client = connect(server, TestKeys.withoutCertificate())) {
      for (int i = 0; i < 2; i++) {
        assertThat(client.request("GET", "/").receive().status()).isEqualTo(200);
      }
      assertThat(ports).containsExactly(client.localPort());
      assertThat(await(told)).isSameAs(((HttpsServer) server.http).getHttpsConfigurator());
    }
  }

  @Test
  void closesConnectionsWithoutAConfigurator() throws IOException {
    HttpsServer https = https();
    assertThat(https.getHttpsConfigurator()).isNull();
    https.start();
    try (TestServer server = TestServer.of(https)) {
      assertThatThrownBy(() -> get(server)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void closesTheConnectionWhoseConfiguratorThrows() throws IOException {
    List<String> clients = new CopyOnWriteArrayList<>();
    try (TestServer server =
        start(
            parameters -> {
              clients.add("one");
              if (clients.size() == 1) {
                throw new IllegalStateException("on purpose");
              }
            })) {
      assertThatThrownBy(() -> get(server)).isInstanceOf(IOException.class);
      assertThat(get(server)).startsWith("TLSv1.3");
    }
  }

  @Test
  void servesOthersWhileAConfiguratorBlocks() throws IOException {
    CompletableFuture<String> entered = new CompletableFuture<>();
    CompletableFuture<String> released = new CompletableFuture<>();
    try (TestServer server =
            start(
                parameters -> {
                  if (entered.complete("")) {
                    await(released);
                  }
                });
        RawClient blocked = connect(server, TestKeys.withoutCertificate())) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      Thread ignored =
          Thread.ofPlatform().daemon().start(() -> answer.complete(contentOf(blocked)));
      await(entered);

      for (int i = 0; i < 8; i++) { // on all loops
        assertThat(get(server)).startsWith("TLSv1.3");
      }

      assertThat(answer).isNotDone();
      released.complete("");
      assertThat(await(answer)).startsWith("TLSv1.3");
    }
  }

  private static String contentOf(RawClient client) {
    try {
      return client.request("GET", "/").receive().content();
    } catch (IOException failure) {
      return failure.toString();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what this is about
  void takesAConfiguratorOnlyBeforeItsStart() throws IOException {
    HttpsServer unstarted = HttpsServer.create();
    assertThatThrownBy(() -> unstarted.setHttpsConfigurator(null))
        .isInstanceOf(NullPointerException.class);
    try (TestServer server = start(new HttpsConfigurator(SERVER))) {
      HttpsServer https = (HttpsServer) server.http;
      assertThatThrownBy(() -> https.setHttpsConfigurator(new HttpsConfigurator(SERVER)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(get(server)).startsWith("TLSv1.3");
    }
  }

  @Test
  void readsTheSessionAfterTheEnd() throws IOException {
    CompletableFuture<HttpsExchange> kept = new CompletableFuture<>();
    try (TestServer server = start(new HttpsConfigurator(SERVER))) {
      server.http.createContext(
          "/kept",
          exchange -> {
            exchange.sendResponseHeaders(204, -1);
            kept.complete((HttpsExchange) exchange);
          });
      try (RawClient client = connect(server, TestKeys.withoutCertificate())) {
        assertThat(client.request("GET", "/kept").receive().status()).isEqualTo(204);
      }
      HttpsExchange exchange = await(kept);
      assertThat(exchange.getSSLSession().getProtocol()).isEqualTo("TLSv1.3");
      assertThat(exchange.getProtocol()).isEqualTo("HTTP/1.1");
    }
  }
}
