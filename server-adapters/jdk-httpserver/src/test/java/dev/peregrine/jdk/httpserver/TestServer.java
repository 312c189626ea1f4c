package dev.peregrine.jdk.httpserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server of the provider on a free port of the loopback interface. */
final class TestServer implements AutoCloseable {
  private static final long SECONDS_MAX = 120;
  private static final int ATTEMPTS_MAX = 100;

  final HttpServer http;

  private TestServer(HttpServer http) {
    this.http = http;
  }

  /** Returns a server that stops at the end of its test. */
  static TestServer of(HttpServer http) {
    return new TestServer(http);
  }

  /** Returns a server that isn't bound. */
  static TestServer unbound() throws IOException {
    return of(HttpServer.create());
  }

  /** Returns a server that is bound, and not started. */
  static TestServer bound() throws IOException {
    return of(HttpServer.create(loopback(0), 0));
  }

  /** Returns a server with one handler for all paths. */
  static TestServer start(HttpHandler handler) throws IOException {
    TestServer server = bound();
    server.http.createContext("/", handler);
    server.http.start();
    return server;
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /**
   * Returns a free port that can be taken again after a stop: systems give ports from 32768 on to
   * whoever asks for any, which other tests do all the time.
   */
  static int ownPort() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_768);
      try (ServerSocket _ = new ServerSocket(port)) {
        return port;
      } catch (BindException taken) {
        if (attempt == ATTEMPTS_MAX) {
          throw taken;
        }
      }
    }
  }

  /** Returns a handler that answers with a text. */
  static HttpHandler answering(String text) {
    return exchange -> answer(exchange, 200, text);
  }

  static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] content = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, content.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(content);
    }
  }

  /** Waits for a result; fails rather than hangs. */
  static <T> T await(Future<T> future) {
    try {
      return future.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw new AssertionError(failure.getCause());
    } catch (TimeoutException | InterruptedException missing) {
      throw new AssertionError("no result", missing);
    }
  }

  int port() {
    return http.getAddress().getPort();
  }

  URI uri(String path) {
    return URI.create("http://localhost:" + port() + path);
  }

  RawClient connect() throws IOException {
    return RawClient.connect(port());
  }

  /** Sends a GET request on a connection of its own. */
  Answer get(String target) throws IOException {
    try (RawClient client = connect()) {
      return client.request("GET", target).receive();
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
