package dev.peregrine.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.PlainHpack;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostRoutesIT {
  @RegisterExtension final Servers servers = new Servers();

  private static Handler says(String text) {
    return (request, response) -> response.text(text);
  }

  private static HostRoutes.Builder hosts() {
    return Routes.host("api.example.org", Routes.builder().get("/", says("api")).build())
        .host("*.example.org", Handlers.blocking(says("tenant")))
        .host("[::1]", says("loopback"));
  }

  private static String describe(RawResponse response) {
    return response.status() == 200 ? response.text() : "" + response.status();
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.org, api",
    "API.Example.ORG.:8080, api",
    "www.example.org, tenant",
    "a.b.example.org:1, tenant",
    "[::1]:8080, loopback",
    "[0:0:0:0:0:0:0:1], loopback",
    "example.org, 421",
    "api.example.org.evil.example, 421",
    "127.0.0.1, 421",
  })
  void choosesTheHandlerByHost(String host, String expected) {
    RawClient client = servers.connect(servers.start(hosts().build()));

    RawResponse response = client.send(Requests.lines("GET / HTTP/1.1", "Host: " + host)).read();

    assertThat(describe(response)).isEqualTo(expected);
    assertThat(response.text()).doesNotContain(host);
  }

  @Test
  void servesTheNextRequestOfAConnectionAfter421() {
    RawClient client = servers.connect(servers.start(hosts().build()));

    client.send(Requests.lines("GET / HTTP/1.1", "Host: other.example"));
    assertThat(client.read().status()).isEqualTo(421);
    client.send(Requests.lines("GET / HTTP/1.1", "Host: api.example.org"));
    assertThat(client.read().text()).isEqualTo("api");
  }

  @Test
  void passesAnyOtherHostToTheHandlerForTheRest() {
    RawClient client = servers.connect(servers.start(hosts().otherwise(says("rest")).build()));

    client.send(Requests.lines("GET / HTTP/1.1", "Host: other.example"));
    assertThat(client.read().text()).isEqualTo("rest");
    client.send(Requests.lines("GET / HTTP/1.1", "Host: www.example.org"));
    assertThat(client.read().text()).isEqualTo("tenant");
  }

  /** The authority of the target counts, and not Host (RFC 9112 section 3.2.2). */
  @OnlyHttp1("absolute targets")
  @ParameterizedTest
  @CsvSource({
    "http://api.example.org/, other.example, api",
    "http://API.example.org:80/, api.example.org, api",
    "http://other.example/, api.example.org, 421",
    "http://[::1]:8080/, x, loopback",
  })
  void takesTheHostOfAnAbsoluteTarget(String target, String host, String expected) {
    RawClient client = servers.connect(servers.start(hosts().build()));

    client.send(Requests.lines("GET " + target + " HTTP/1.1", "Host: " + host));

    assertThat(describe(client.read())).isEqualTo(expected);
  }

  @OnlyHttp1("requests without a host")
  @ParameterizedTest
  @CsvSource({"'Host:', HTTP/1.1", "'A: b', HTTP/1.0"})
  void servesNoRequestWithoutHostUnlessThereIsAHandlerForTheRest(String field, String version) {
    byte[] request = Requests.lines("GET / " + version, field);

    RawClient strict = servers.connect(servers.start(hosts().build()));
    assertThat(strict.send(request).read().status()).isEqualTo(421);
    RawClient lenient = servers.connect(servers.start(hosts().otherwise(says("rest")).build()));
    assertThat(lenient.send(request).read().text()).isEqualTo("rest");
  }

  /** One connection of HTTP/2 serves all hosts, as clients coalesce them. */
  @ParameterizedTest
  @CsvSource({
    "api.example.org, , api",
    "www.example.org, www.example.org, tenant",
    "other.example, , 421",
    "API.example.org:443, , api",
    "other.example, api.example.org, 0",
  })
  void takesTheAuthorityOfHttp2AndRejectsAnotherHostBesideIt(
      String authority, @Nullable String host, String expected) {
    Http2Client client = servers.connectHttp2(servers.start(hosts().build()));
    List<RawResponse.Field> fields =
        new ArrayList<>(
            host == null
                ? client.fields("GET", "/")
                : client.fields("GET", "/", new RawResponse.Field("host", host)));
    fields.replaceAll(
        field ->
            field.name().equals(":authority")
                ? new RawResponse.Field(field.name(), authority)
                : field);

    Http2Response response = client.await(client.requestOf(PlainHpack.block(fields)));

    assertThat(response.status() == 200 ? response.text() : "" + response.status())
        .isEqualTo(expected);
    assertThat(client.get("/").status()).isEqualTo(421); // the authority of others is "test"
  }

  @Test
  void takesTheHostThatATrustedProxyReportsAndThatOfNoOther() {
    byte[] request =
        Requests.lines(
            "GET / HTTP/1.1",
            "Host: inner",
            "X-Forwarded-For: 192.0.2.1",
            "X-Forwarded-Host: api.example.org");
    TrustedProxies proxies =
        TrustedProxies.xForwardedFor(TrustedPeers.of("127.0.0.1")).withXForwardedHost();

    RawClient trusted =
        servers.connect(servers.start(hosts().build(), options -> options.trustedProxies(proxies)));
    assertThat(trusted.send(request).read().text()).isEqualTo("api");
    RawClient direct = servers.connect(servers.start(hosts().build()));
    assertThat(direct.send(request).read().status()).isEqualTo(421);
  }

  @Test
  void seesTheHostThroughAFilter() {
    RawClient client = servers.connect(servers.start(Decompression.of(hosts().build())));

    client.send(Requests.lines("GET / HTTP/1.1", "Host: api.example.org"));

    assertThat(client.read().text()).isEqualTo("api");
  }

  /** A connection that was opened for one name of a certificate serves the others. */
  @Test
  void servesEachHostThatTheCertificateOfAConnectionCovers(@TempDir Path folder)
      throws IOException {
    HttpServer server =
        servers.start(
            hosts().build(),
            options ->
                options.with(
                    Certificates.builder(
                            folder, Certificates.create("api.example.org", "www.example.org"))
                        .build()));
    try (SSLSocket socket =
        HttpsClient.connect(
            server,
            Certificates.client(),
            options -> options.setServerNames(List.of(new SNIHostName("api.example.org"))))) {
      socket
          .getOutputStream()
          .write(
              Requests.join(
                  Requests.lines("GET / HTTP/1.1", "Host: www.example.org"),
                  Requests.lines("GET / HTTP/1.1", "Host: other.example", "Connection: close")));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(all).contains("tenant").contains("421 Misdirected Request");
    }
  }

  @Test
  void findsHandlersWithoutAllocation() {
    assumeTrue(!Servers.HTTP_2, "the gateway sends one request at a time");
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicLong found = new AtomicLong();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    Handler handler =
        (request, response) -> {
          found.setPlain(threads.getCurrentThreadAllocatedBytes());
          response.send();
        };
    Handler all = Routes.host("api.example.org", handler).host("*.example.org", handler).build();
    HttpServer server =
        servers.start(
            (request, response) -> {
              long before = threads.getCurrentThreadAllocatedBytes();
              all.handle(request, response);
              least.setPlain(Math.min(least.getPlain(), found.getPlain() - before));
            });
    RawClient client = servers.connect(server);
    byte[] both =
        Requests.join(
            Requests.lines("GET / HTTP/1.1", "Host: API.example.org:8080"),
            Requests.lines("GET / HTTP/1.1", "Host: www.example.org"));

    for (int i = 0; i < 5_000; i++) {
      client.send(both);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.read().status()).isEqualTo(200);
    }

    assertThat(least.get()).isZero();
  }

  @Test
  void rejectsHostsOfAWrongFormAndTwoHandlersForOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Routes.host("example.org:80", says("")).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Routes.host("a", says("")).host("a", says("")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Routes.host("a", says("")).host("A.", says("")).build());
  }
}
