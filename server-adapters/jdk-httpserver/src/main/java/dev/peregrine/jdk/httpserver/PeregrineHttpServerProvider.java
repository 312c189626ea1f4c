package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Has {@link HttpServer#create} and {@link HttpsServer#create} return servers that run on
 * Peregrine. A program gets it by this artifact alone, on its class path or module path:
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 8080), 0);
 * server.createContext("/", exchange -> {
 *   byte[] content = "Hello".getBytes(UTF_8);
 *   exchange.sendResponseHeaders(200, content.length);
 *   try (OutputStream out = exchange.getResponseBody()) {
 *     out.write(content);
 *   }
 * });
 * server.start();
 * }</pre>
 *
 * <p>Where several providers are present, the system property {@code
 * com.sun.net.httpserver.HttpServerProvider} chooses one by the name of its class. The guide's page
 * about the JDK's server lists the differences and the system properties.
 */
public final class PeregrineHttpServerProvider extends HttpServerProvider {
  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public PeregrineHttpServerProvider() {}

  /**
   * {@inheritDoc}
   *
   * @param backlog connections that the system holds before they are accepted; 1024 for 0 or less
   */
  @Override
  public HttpServer createHttpServer(@Nullable InetSocketAddress address, int backlog)
      throws IOException {
    PlainServer server = new PlainServer();
    if (address != null) {
      server.bind(address, backlog);
    }
    return server;
  }

  /**
   * {@inheritDoc}
   *
   * @param backlog connections that the system holds before they are accepted; 1024 for 0 or less
   */
  @Override
  public HttpsServer createHttpsServer(@Nullable InetSocketAddress address, int backlog)
      throws IOException {
    SecureServer server = new SecureServer();
    if (address != null) {
      server.bind(address, backlog);
    }
    return server;
  }
}
