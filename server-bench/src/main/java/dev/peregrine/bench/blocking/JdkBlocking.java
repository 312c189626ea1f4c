package dev.peregrine.bench.blocking;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import robaho.net.httpserver.DefaultHttpServerProvider;

/**
 * {@code com.sun.net.httpserver}, of the JDK or robaho's, with a virtual thread per task. The JDK's
 * has Nagle's delay off, because responses would wait for it, and keeps as many idle connections as
 * the others do.
 */
final class JdkBlocking implements BlockingServer {
  private static final int OK = 200;
  private static final int CLOSE_SECONDS = 0;

  private final Work work;
  private final Supplier<HttpServerProvider> provider;
  private @Nullable HttpServer server;

  private JdkBlocking(Work work, Supplier<HttpServerProvider> provider) {
    this.work = work;
    this.provider = provider;
  }

  static JdkBlocking robaho(Work work) {
    return new JdkBlocking(work, DefaultHttpServerProvider::new);
  }

  static JdkBlocking jdk(Work work) {
    return new JdkBlocking(work, JdkBlocking::ofTheJdk);
  }

  /** Returns the JDK's provider although robaho's is on the class path. */
  private static HttpServerProvider ofTheJdk() {
    System.setProperty(
        HttpServerProvider.class.getName().replace(".spi", ""),
        "sun.net.httpserver.DefaultHttpServerProvider");
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
    return HttpServerProvider.provider();
  }

  @Override
  public int start(int port) throws IOException {
    HttpServer created =
        provider
            .get()
            .createHttpServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    created.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    created.createContext("/", this::handle);
    created.start();
    server = created;
    return created.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] content;
    try {
      content = work.at(exchange.getRequestURI().getPath());
    } catch (Exception failure) {
      throw new IOException(failure);
    }
    exchange.getResponseHeaders().set("Content-Type", TEXT);
    exchange.sendResponseHeaders(OK, content.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(content);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop(CLOSE_SECONDS);
    }
  }
}
