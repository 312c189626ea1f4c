package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Site;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that HAProxy forwards to the server over HTTP/2, in plain text or over TLS. Runs only
 * where HAProxy is installed. {@code RollingRestartIT} tests that no request fails while servers
 * behind HAProxy are restarted.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class Http2ProxyIT {
  private static final int REQUESTS = 400;
  private static final byte[] CONTENT = Requests.content(200_000); // which buffers hold

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path directory;

  private final Set<HttpVersion> versions = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private HttpServer server;
  private Daemon proxy;
  private HttpClient client;

  private final boolean tls;

  Http2ProxyIT(boolean tls) {
    this.tls = tls;
  }

  @BeforeEach
  void start() throws IOException {
    server =
        servers.start(
            this::handle,
            options -> {
              if (tls) {
                options.with(Certificates.TLS);
              } else {
                options.lenient(Leniency.HTTPS_TARGET); // HAProxy calls all requests https
              }
            });
    Path authority = directory.resolve("authority.pem");
    Certificates.writeChain(authority, Certificates.LOCALHOST);
    String upstream =
        tls
            ? "ssl alpn h2 sni str(localhost) verify required verifyhost localhost ca-file "
                + authority
            : "proto h2";
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    proxy = Daemon.haproxy(directory, port -> configuration(port, upstream));
  }

  private String configuration(int port, String upstream) {
    return """
    global
      maxconn 1000
    defaults
      mode http
      timeout connect 5s
      timeout client 60s
      timeout server 60s
      http-reuse always
    listen front
      bind 127.0.0.1:%d
      server peregrine 127.0.0.1:%d %s
    """
        .formatted(port, server.port(), upstream);
  }

  @AfterEach
  void stop() {
    client.close();
    if (proxy != null) { // null without the program
      proxy.close();
    }
  }

  private void handle(Request request, Response response) throws Exception {
    versions.add(request.version());
    if (request.pathIs("/endless")) {
      response.async().onAbort(cause -> events.add("aborted"));
      pour(response.stream());
    } else {
      Site.handle(request, response);
    }
  }

  private static void pour(ResponseStream out) {
    while (out.isWritable()) {
      out.write(CONTENT);
    }
    out.onWritable(() -> pour(out));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + proxy.address().getPort() + path));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private void expectOnlyHttp2() {
    assertThat(versions).containsExactly(HttpVersion.HTTP_2);
  }

  @Test
  void passesContentBothWays() throws Exception {
    assertThat(send(request("/")).body()).isEqualTo(Requests.bytes("hello"));
    assertThat(send(request("/large")).body()).isEqualTo(Site.LARGE);
    for (String path : List.of("/echo", "/whole", "/blocking")) {
      HttpRequest.Builder post = request(path).POST(BodyPublishers.ofByteArray(CONTENT));
      assertThat(send(post).body()).as(path).isEqualTo(CONTENT);
    }
    assertThat(send(request("/missing")).statusCode()).isEqualTo(404);
    HttpRequest.Builder head = request("/large").HEAD();
    assertThat(send(head).headers().firstValue("content-length")).contains("" + Site.LARGE.length);
    expectOnlyHttp2();
  }

  @Test
  void servesManyClientsByFewConnections() throws Exception {
    List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      HttpRequest request = request(i % 20 == 0 ? "/large" : "/").build();
      responses.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
    }

    for (int i = 0; i < REQUESTS; i++) {
      HttpResponse<byte[]> response = responses.get(i).join();
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).hasSize(i % 20 == 0 ? Site.LARGE.length : "hello".length());
    }
    assertThat(server.connectionCount()).isBetween(1, REQUESTS / 4);
    expectOnlyHttp2();
  }

  @Test
  void noticesAnAbortedDownload() throws Exception {
    RawClient downloading = RawClient.connect(proxy.address()).get("/endless");
    assertThat(downloading.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200");

    downloading.close();

    assertThat(events.take()).isEqualTo("aborted");
    assertThat(send(request("/")).body()).isEqualTo(Requests.bytes("hello"));
    expectOnlyHttp2();
  }
}
