package dev.peregrine.jdk.httpserver.users;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import javax.security.auth.Subject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exporter of Prometheus' client library. */
@Timeout(120)
class PrometheusIT {
  private final PrometheusRegistry registry = new PrometheusRegistry();

  @BeforeEach
  void isPeregrine() throws IOException {
    Provider.requirePeregrine();
    Counter hits =
        Counter.builder().name("hits_total").help("Hits.").labelNames("path").register(registry);
    hits.labelValues("/ä").inc(3);
    Counter.builder().name("misses_total").register(registry).inc();
  }

  private HTTPServer.Builder exporter() {
    return HTTPServer.builder().inetAddress(InetAddress.getLoopbackAddress()).registry(registry);
  }

  @Test
  void isScrapedInBothTextFormats() throws Exception {
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      Provider.requirePeregrine(exporter.getPort());
      HttpResponse<String> text = client.get("/metrics");
      HttpResponse<String> open =
          client.get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0");

      assertThat(text.body()).contains("# TYPE hits_total counter", "hits_total{path=\"/ä\"} 3.0");
      assertThat(text.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
      assertThat(text.headers().allValues("Content-Length")).hasSize(1);
      assertThat(open.body()).contains("# TYPE hits counter").endsWith("# EOF\n");
      assertThat(open.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/openmetrics-text");
    }
  }

  @Test
  void isScrapedCompressed() throws Exception {
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      HttpResponse<byte[]> compressed =
          client.send(
              client.request("/metrics", "Accept-Encoding", "br, gzip"),
              BodyHandlers.ofByteArray());

      assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
      assertThat(compressed.headers().firstValue("Content-Length")).isEmpty();
      try (GZIPInputStream page =
          new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
        assertThat(new String(page.readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo(client.get("/metrics").body());
      }
    }
  }

  @Test
  void returnsOnlyTheNamesThatAreAskedFor() throws Exception {
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      assertThat(client.get("/metrics?name%5B%5D=hits_total").body())
          .contains("hits_total{")
          .doesNotContain("misses_total");
      assertThat(client.get("/metrics?name%5B%5D=none").body()).isEmpty();
    }
  }

  @Test
  void answersHeadWithTheLengthOfGet() throws Exception {
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      HttpResponse<String> get = client.get("/metrics");
      HttpResponse<String> head = client.method("HEAD", "/metrics");

      assertThat(head.body()).isEmpty();
      assertThat(head.headers().allValues("Content-Length"))
          .isEqualTo(get.headers().allValues("Content-Length"));
    }
  }

  @Test
  void servesItsOtherPages() throws Exception {
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      assertThat(client.get("/").body()).contains("Prometheus Java Client");
      assertThat(client.get("/-/healthy").body()).isEqualTo("Exporter is healthy.\n");
      assertThat(client.get("/metrics?debug=text").body()).contains("hits_total");
      HttpResponse<String> unknown = client.get("/metrics?debug=none");
      assertThat(unknown.statusCode()).isEqualTo(500);
      assertThat(unknown.body()).contains("Unsupported query parameter");
    }
  }

  @Test
  void answersForACollectorThatFails() throws Exception {
    GaugeWithCallback.builder()
        .name("bad")
        .callback(
            callback -> {
              throw new IllegalStateException("on purpose");
            })
        .register(registry);
    try (HTTPServer exporter = exporter().buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      HttpResponse<String> failed = client.get("/metrics");

      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).contains("error");
      assertThat(client.get("/-/healthy").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void demandsAPassword() throws Exception {
    Authenticator password =
        new BasicAuthenticator("metrics") {
          @Override
          public boolean checkCredentials(String user, String password) {
            return user.equals("ä") && password.equals("b:c");
          }
        };
    try (HTTPServer exporter = exporter().authenticator(password).buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      HttpResponse<String> without = client.get("/metrics");
      assertThat(without.statusCode()).isEqualTo(401);
      assertThat(without.headers().firstValue("WWW-Authenticate").orElse(""))
          .startsWith("Basic realm=\"metrics\"");
      assertThat(without.body()).isEmpty();
      for (String path : new String[] {"/", "/metrics", "/-/healthy"}) {
        assertThat(client.get(path, "Authorization", Client.basic("ä", "b")).statusCode())
            .isEqualTo(401);
        assertThat(client.get(path, "Authorization", Client.basic("ä", "b:c")).statusCode())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void passesTheSubjectOfAnAuthenticatorOn() throws Exception {
    Authenticator subjects =
        new Authenticator() {
          @Override
          public Result authenticate(HttpExchange exchange) {
            Optional<String> user =
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("User"));
            exchange.setAttribute("subject", user.map(name -> new Subject()).orElse(null));
            return new Success(new HttpPrincipal(user.orElse("nobody"), "metrics"));
          }
        };
    try (HTTPServer exporter =
            exporter()
                .authenticator(subjects)
                .authenticatedSubjectAttributeName("subject")
                .buildAndStart();
        Client client = Client.http(exporter.getPort())) {
      assertThat(client.get("/metrics", "User", "me").statusCode()).isEqualTo(200);
      assertThat(client.get("/metrics").statusCode()).isEqualTo(403);
      assertThat(client.get("/metrics", "User", "me").body()).contains("hits_total");
    }
  }

  @Test
  void refusesConnectionsWhenItIsClosed() throws Exception {
    HTTPServer exporter = exporter().buildAndStart();
    int port = exporter.getPort();
    try (Client client = Client.http(port)) {
      assertThat(client.get("/metrics").statusCode()).isEqualTo(200);
    } finally {
      exporter.close();
    }
    Client.expectRefused(port);
  }

  /** It starts the server in a daemon thread for that, so all threads of the server are daemons. */
  @Test
  void doesNotKeepAProgramAlive() throws Exception {
    try (ChildJvm program = ChildJvm.start(Exporting.class.getName())) {
      int port = program.awaitPort(Pattern.compile("^port (\\d+)$"));
      Provider.requirePeregrine(port);
      try (Client client = Client.http(port)) {
        assertThat(client.get("/-/healthy").statusCode()).isEqualTo(200);
        program.endInput();
        program.awaitEnd();
      }
    }
  }

  /** A program that exports until its input ends. */
  static final class Exporting {
    private Exporting() {}

    public static void main(String[] args) throws IOException {
      HTTPServer exporter =
          HTTPServer.builder()
              .inetAddress(InetAddress.getLoopbackAddress())
              .registry(new PrometheusRegistry())
              .buildAndStart();
      System.out.println("port " + exporter.getPort());
      System.in.readAllBytes();
    }
  }
}
