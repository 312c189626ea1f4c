package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.openssl.Identity;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 over TLS, by ALPN. */
final class TlsHttp2IT {
  private static final Endpoint ANY_PORT = Endpoint.tcp("127.0.0.1", 0);
  private static final int FRAME_TYPE_AT = 3;
  private static final byte SETTINGS = 4;

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer serve(Tls tls) {
    return servers.start(
        (request, response) -> {
          if (request.pathIs("/echo")) {
            request.body().receiveAll(2_000_000, response::send);
          } else {
            response.text(request.version() + " " + request.scheme());
          }
        },
        options -> options.with(tls));
  }

  private HttpServer serve(Endpoint... endpoints) {
    HttpServerBuilder options =
        Peregrine.builder().loops(2).limits(Servers.LIMITS).transport(Servers.TRANSPORT);
    List.of(endpoints).forEach(options::endpoint);
    return servers.watch(
        options
            .handler(
                (request, response) -> response.text(request.version() + " " + request.scheme()))
            .start());
  }

  private static Consumer<SSLParameters> offering(String... protocols) {
    return options -> options.setApplicationProtocols(protocols);
  }

  private static HttpResponse<String> ask(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(Certificates.client()).build()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static URI uri(HttpServer server, String path) {
    return URI.create("https://localhost:" + server.port() + path);
  }

  @Test
  void isChosenByClientsThatOfferIt() throws Exception {
    HttpServer server = serve(Certificates.TLS);

    HttpResponse<String> response = ask(HttpRequest.newBuilder(uri(server, "/")));

    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.body()).isEqualTo("HTTP_2 https");
  }

  @Test
  void echoesContent() throws Exception {
    HttpServer server = serve(Certificates.TLS);
    String content = "0123456789".repeat(100_000);

    HttpResponse<String> response =
        ask(HttpRequest.newBuilder(uri(server, "/echo")).POST(BodyPublishers.ofString(content)));

    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.body()).isEqualTo(content);
  }

  @Test
  void isNotOfferedOnceTurnedOff(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.builder(folder, Certificates.LOCALHOST).http2(false).build();
    HttpServer server = serve(tls);

    assertThat(tls.applicationProtocols()).isEqualTo(List.of("http/1.1", "http/1.0"));
    assertThat(ask(HttpRequest.newBuilder(uri(server, "/"))).body()).isEqualTo("HTTP_1_1 https");
  }

  @Test
  void isNotOfferedByAnEndpointWithoutIt() throws Exception {
    for (Endpoint endpoint :
        List.of(
            ANY_PORT.with(Certificates.TLS).withHttp2(false),
            ANY_PORT.withHttp2(false).with(Certificates.TLS))) {
      HttpServer server = serve(endpoint);

      assertThat(ask(HttpRequest.newBuilder(uri(server, "/"))).body()).isEqualTo("HTTP_1_1 https");
      assertThat(HttpsClient.refused(server, Certificates.client(), offering("h2")))
          .hasMessageContaining("no_application_protocol");
    }
  }

  @Test
  void isOfferedAloneByAnEndpointWithNothingElse() throws Exception {
    for (Endpoint endpoint :
        List.of(
            ANY_PORT.with(Certificates.TLS).withHttp2Only(),
            ANY_PORT.withHttp2Only().with(Certificates.TLS))) {
      HttpServer server = serve(endpoint);

      assertThat(ask(HttpRequest.newBuilder(uri(server, "/"))).body()).isEqualTo("HTTP_2 https");
      for (String other : List.of("http/1.1", "http/1.0")) {
        assertThat(HttpsClient.refused(server, Certificates.client(), offering(other)))
            .hasMessageContaining("no_application_protocol");
      }
    }
  }

  @Test
  void isOfferedByEachEndpointAsThatSpeaksIt(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.builder(folder, Certificates.LOCALHOST).build();
    HttpServer server =
        serve(
            ANY_PORT.with(tls).withHttp2(false),
            ANY_PORT.with(tls),
            ANY_PORT.with(tls).withHttp2Only());
    List<String> versions = List.of("HTTP_1_1 https", "HTTP_2 https", "HTTP_2 https");

    assertThat(askAll(server, versions)).containsOnly(Certificates.LOCALHOST.chain().getFirst());

    TlsCredential next = Certificates.create("localhost");
    Certificates.writeChain(folder.resolve("chain.pem"), next);
    Certificates.writeKey(folder.resolve("key.pem"), next);
    assertThat(tls.reload()).isTrue();

    assertThat(askAll(server, versions)).containsOnly(next.chain().getFirst());
  }

  /** Returns the certificates of all endpoints, which must give those responses. */
  private static List<Certificate> askAll(HttpServer server, List<String> responses)
      throws Exception {
    List<Certificate> certificates = new ArrayList<>();
    for (int i = 0; i < responses.size(); i++) {
      int port = ((InetSocketAddress) server.addresses().get(i)).getPort();
      HttpResponse<String> response =
          ask(HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/")));
      assertThat(response.body()).isEqualTo(responses.get(i));
      certificates.add(response.sslSession().orElseThrow().getPeerCertificates()[0]);
    }
    return certificates;
  }

  @Test
  void canNotBeServedAloneWhereItIsTurnedOff(@TempDir Path folder) {
    Tls tls = Certificates.builder(folder, Certificates.LOCALHOST).http2(false).build();

    for (Endpoint endpoint :
        List.of(ANY_PORT.with(tls).withHttp2Only(), ANY_PORT.withHttp2Only().with(tls))) {
      assertThatThrownBy(() -> serve(endpoint))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("an endpoint speaks only HTTP/2, but its TLS was built with http2(false)");
    }
  }

  @Test
  void answersAClientThatAgreedOnItByNothingElse() throws IOException {
    HttpServer server = serve(Certificates.TLS);

    String answer =
        HttpsClient.send(
            server, Certificates.client(), offering("h2"), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(answer).isNotEmpty().doesNotContain("HTTP/1.1");
    assertThat(Requests.bytes(answer)[FRAME_TYPE_AT]).isEqualTo(SETTINGS);
  }

  @Test
  void isNeverChosenUnderTheNameOfPlainText() throws IOException {
    HttpServer server = serve(Certificates.TLS);

    assertThat(HttpsClient.refused(server, Certificates.client(), offering("h2c")))
        .hasMessageContaining("no_application_protocol");
    assertThat(HttpsClient.ask(server, Certificates.client(), offering("h2c", "http/1.1")))
        .isEqualTo("HTTP_1_1 https");
  }

  @Test
  void isNotSpokenWithClientsThatDidNotAgreeOnIt() throws IOException {
    HttpServer server = serve(Certificates.TLS);

    String answer =
        HttpsClient.send(
            server,
            Certificates.client(),
            options -> {},
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");

    assertThat(Requests.bytes(answer))
        .as("SETTINGS, and GOAWAY with HTTP_1_1_REQUIRED")
        .hasSize(9 + 17)
        .endsWith(0, 0, 0, 13);
  }

  /** Such suites are not offered, so no connection of HTTP/2 can use one (RFC 9113 appendix A). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"
      })
  void refusesClientsThatHaveOnlyAProhibitedSuite(String suite) throws IOException {
    HttpServer server = serve(Certificates.TLS);

    assertThat(HttpsClient.refused(server, Certificates.client(), offeringHttp2With(suite)))
        .hasMessageContaining("handshake_failure");
  }

  @Test
  void hasTheSuiteThatDeploymentsMustSupport(@TempDir Path folder) throws Exception {
    Identity rsa = Identity.ofRsa(2048);
    TlsCredential credential =
        new TlsCredential(rsa.keys().getPrivate(), List.of(rsa.certificate()));
    HttpServer server = serve(Certificates.builder(folder, credential).build());

    String answer =
        HttpsClient.send(
            server,
            Certificates.client(),
            offeringHttp2With("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            "this is not the preface of HTTP/2");

    assertThat(Requests.bytes(answer)[FRAME_TYPE_AT]).isEqualTo(SETTINGS);
  }

  /** Has a client offer HTTP/2 with one suite of TLS 1.2 and the group P-256. */
  private static Consumer<SSLParameters> offeringHttp2With(String suite) {
    return options -> {
      options.setApplicationProtocols(new String[] {"h2"});
      options.setProtocols(new String[] {"TLSv1.2"});
      options.setCipherSuites(new String[] {suite});
      options.setNamedGroups(new String[] {"secp256r1"});
    };
  }
}
