package dev.peregrine.jdk.httpserver.users;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** OpenTelemetry's agent, which makes a span of each request that a program answers. */
@Timeout(120)
class OpenTelemetryIT {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private ChildJvm program;
  private int port;
  private Client client;

  @BeforeEach
  void start() throws Exception {
    program =
        ChildJvm.start(
            ChildJvm.agent("opentelemetry-javaagent-.*\\.jar", ""),
            "-Dotel.traces.exporter=console",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none",
            Traced.class.getName());
    port = program.awaitPort(Pattern.compile("^port (\\d+)$"));
    client = Client.http(port);
    Provider.requirePeregrine(port);
  }

  @AfterEach
  void stop() {
    program.close();
    client.close();
  }

  /** Waits for the next span with a name, and returns its trace and its attributes. */
  private Matcher span(String name) throws InterruptedException {
    return program.await(
        Pattern.compile(
            "'" + name + "' : (\\w{32}) \\w{16} SERVER .*java-http-server.*data=\\{(.*)}"));
  }

  @Test
  void hasASpanOfEachRequest() throws Exception {
    assertThat(
            client
                .get("/users/7?a=b", "traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                .body())
        .isEqualTo("ok");
    Matcher users = span("GET /users");
    assertThat(users.group(1)).isEqualTo(TRACE);
    assertThat(users.group(2))
        .contains(
            "http.request.method=GET",
            "http.route=/users",
            "http.response.status_code=200",
            "url.scheme=http",
            "url.path=/users/7",
            "url.query=a=b",
            "server.port=" + port,
            "network.protocol.version=1.1",
            "network.peer.address=127.0.0.1");

    assertThat(client.post("/unavailable", "text/plain", "x").statusCode()).isEqualTo(503);
    assertThat(span("POST /unavailable").group(2))
        .contains("http.response.status_code=503", "error.type=503");
    assertThat(client.method("HEAD", "/users").statusCode()).isEqualTo(200);
    assertThat(span("HEAD /users").group(2)).contains("http.response.status_code=200");
  }

  @Test
  void hasSpansOfTheirOwnForPipelinedRequests() throws Exception {
    String answers =
        exchange(
            "GET /users/1 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /users/2 HTTP/1.1\r\nHost: a\r\n");
    assertThat(answers).containsPattern("(?s)^HTTP/1.1 200 .*ok.*HTTP/1.1 200 .*ok");

    Matcher one = span("GET /users");
    Matcher other = span("GET /users");
    boolean inOrder = one.group(2).contains("url.path=/users/1"); // the threads may end otherwise
    assertThat(one.group(2)).contains("url.path=/users/" + (inOrder ? 1 : 2));
    assertThat(other.group(2)).contains("url.path=/users/" + (inOrder ? 2 : 1));
    assertThat(other.group(1)).isNotEqualTo(one.group(1));
  }

  @Test
  void hasASpanOfAHandlerThatThrows() throws Exception {
    assertThat(exchange("GET /throw HTTP/1.1\r\nHost: a\r\n")).doesNotContain("200");

    assertThat(span("GET /throw").group(2)).contains("error.type=java.lang.IllegalStateException");
  }

  /** Sends requests at once, of which the last one lacks its end, and returns all that comes. */
  private String exchange(String... requests) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(120_000); // the agent rewrites classes before the first response
      String all = String.join("", requests) + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(all.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  /** A program that answers until its input ends. */
  static final class Traced {
    private Traced() {}

    public static void main(String[] args) throws IOException {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/users",
          exchange -> {
            exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : 2);
            if (!exchange.getRequestMethod().equals("HEAD")) {
              exchange.getResponseBody().write("ok".getBytes(US_ASCII));
            }
            exchange.close();
          });
      server.createContext("/unavailable", exchange -> exchange.sendResponseHeaders(503, -1));
      server
          .createContext("/throw")
          .setHandler(
              exchange -> {
                throw new IllegalStateException("on purpose");
              });
      try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
        server.setExecutor(executor);
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        System.in.readAllBytes();
        server.stop(0);
      }
    }
  }
}
