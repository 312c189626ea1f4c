package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.openssl.OpenSslContext;
import dev.peregrine.openssl.OpenSslSession;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.http2.Http2Client;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The servers and clients of one test. After the test, closes the clients and checks each server:
 * it has closed their connections, holds as much memory as when it was idle, releases the rest at
 * its close, and has logged no warning or error that the test didn't take.
 */
public final class Servers implements AfterEachCallback {
  private static final Duration SHUTDOWN_PATIENCE = Duration.ofMinutes(2);

  /**
   * Default limits, but the same when the machine is too loaded to serve a turn in time: no report,
   * and no handler leaves its loop.
   */
  public static final ServerLimits LIMITS =
      ServerLimits.builder().loopBlockedTime(Duration.ofMinutes(1)).leftHandlersMax(0).build();

  /** The transport of this run of the tests; NIO by default. */
  public static final TransportKind TRANSPORT =
      TransportKind.valueOf(System.getProperty("peregrine.test.transport", "NIO"));

  /** True if this run of the tests is over TLS. */
  public static final boolean TLS = System.getProperty("peregrine.test.tls") != null;

  /** True if the clients of this run of the tests speak HTTP/2 to the server. */
  public static final boolean HTTP_2 =
      "HTTP_2".equals(System.getProperty("peregrine.test.protocol", "HTTP_1_1"));

  /** The version of HTTP that a handler sees. */
  public static final HttpVersion VERSION = HTTP_2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;

  /** Returns the name of a field as the server receives it: HTTP/2 has names in lower case. */
  public static String received(String name) {
    return HTTP_2 ? name.toLowerCase(Locale.ROOT) : name;
  }

  // The class of a source of memory, for runs of these tests with an adapter.
  private static final @Nullable String MEMORY = System.getProperty("peregrine.test.memory");

  private record Started(HttpServer server, long idleBytes) {}

  private final List<Started> servers = new ArrayList<>();
  // Clients may be connected by several threads of a test.
  private final List<RawClient> clients = Collections.synchronizedList(new ArrayList<>());
  private final List<Http2Client> http2Clients = Collections.synchronizedList(new ArrayList<>());
  private final Set<Integer> secured = new HashSet<>();
  private final ServerLog log = new ServerLog();

  /** A server on a free port, with two loops. */
  public HttpServer start(Handler handler) {
    return start(handler, options -> {});
  }

  /** A server on a free port, with two loops and limits that a test has changed. */
  public HttpServer start(Handler handler, ServerLimits limits) {
    return start(handler, options -> options.limits(limits));
  }

  /**
   * A server on a free port, with two loops unless the options say otherwise. Reuses exchanges from
   * the first request on, so that few requests show what one leaves for the next.
   */
  public HttpServer start(Handler handler, Consumer<HttpServerBuilder> options) {
    return startByDefaults(handler, builder -> options.accept(builder.reuseExchanges(true)));
  }

  /** Like {@link #start}, but reuses exchanges as servers do by default. */
  public HttpServer startByDefaults(Handler handler, Consumer<HttpServerBuilder> options) {
    HttpServerBuilder builder =
        onMemory(Peregrine.builder())
            .port(0)
            .loops(2)
            .limits(LIMITS)
            .transport(TRANSPORT)
            .handler(handler);
    if (TLS) {
      builder.with(Certificates.TLS);
    }
    options.accept(builder);
    HttpServer server = watch(builder.start());
    if (TLS) {
      secured.add(server.port());
    }
    return server;
  }

  /** Adds the options of a JVM by which tests in it run like these. */
  public static void addProperties(List<String> command) {
    command.add("-Dperegrine.test.transport=" + TRANSPORT);
    if (MEMORY != null) {
      command.add("-Dperegrine.test.memory=" + MEMORY);
    }
  }

  /** Sets the source of memory of this run of the tests; the server's own by default. */
  public static HttpServerBuilder onMemory(HttpServerBuilder builder) {
    try {
      return MEMORY == null
          ? builder
          : builder.memory(
              Class.forName(MEMORY)
                  .asSubclass(MemorySource.class)
                  .getDeclaredConstructor()
                  .newInstance());
    } catch (ReflectiveOperationException absent) {
      throw new IllegalStateException(absent);
    }
  }

  /**
   * Checks that a server still answers: a new connection gets a response to a malformed request.
   * Returns the client.
   */
  public RawClient expectUnharmed(HttpServer server) {
    RawClient client = connect(server).send("BAD\r\n\r\n");
    if (!HTTP_2) {
      assertThat(client.read().status()).isEqualTo(400);
    }
    client.expectEnd();
    return client;
  }

  /** Watches a server that a test has started by itself. */
  public HttpServer watch(HttpServer server) {
    servers.add(new Started(server, server.bufferBytesInUse()));
    return server;
  }

  /** Begins a shutdown with more patience than it needs; the result tells whether all has ended. */
  public static CompletableFuture<Boolean> shutdown(HttpServer server) {
    return CompletableFuture.supplyAsync(
        () -> server.shutdown(SHUTDOWN_PATIENCE).isComplete(),
        work -> Thread.ofPlatform().start(work));
  }

  public RawClient connect(HttpServer server) {
    return connect(server.address(), 0);
  }

  /** Aborts the calling test in the run in which clients can't connect before the handshake. */
  public static void assumeHandshakesCanWait() {
    assumeFalse(TLS && HTTP_2, "the gateway of HTTP/2 begins with the handshake");
  }

  /** A client of a server whose loop is too busy for a handshake of TLS. */
  public RawClient connectBeforeHandshake(HttpServer server) {
    return TLS && !HTTP_2
        ? watch(RawClient.connectBeforeHandshake(server.address(), 0))
        : connect(server);
  }

  /** A client of a server that listens on more than one address. */
  public RawClient connect(InetSocketAddress address) {
    return connect(address, 0);
  }

  /** A client that the server can't send much ahead to. */
  public RawClient connect(HttpServer server, int receiveBufferBytes) {
    return connect(server.address(), receiveBufferBytes);
  }

  private RawClient connect(InetSocketAddress address, int receiveBufferBytes) {
    boolean tls = secured.contains(address.getPort());
    if (HTTP_2) {
      return watch(RawClient.connectByHttp2(address, tls, receiveBufferBytes));
    }
    return watch(
        tls
            ? RawClient.connectSecured(address, receiveBufferBytes)
            : RawClient.connect(address, receiveBufferBytes));
  }

  private RawClient watch(RawClient client) {
    clients.add(client);
    return client;
  }

  /** A client of HTTP/2 that has sent its preface with settings, and has received the server's. */
  public Http2Client connectHttp2(HttpServer server, int... settings) {
    return connectHttp2Silently(server).handshake(settings);
  }

  /** A client of HTTP/2 that has sent nothing yet. */
  public Http2Client connectHttp2Silently(HttpServer server) {
    Http2Client client =
        Http2Client.connectSilently(server.address(), secured.contains(server.port()), 0);
    http2Clients.add(client);
    return client;
  }

  public ServerLog log() {
    return log;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    boolean passed = context.getExecutionException().isEmpty();
    try {
      clients.forEach(RawClient::close);
      http2Clients.forEach(Http2Client::close);
      if (passed) {
        servers.forEach(Servers::checkIdle);
      }
    } catch (AssertionError left) {
      printLog();
      throw left;
    } finally {
      servers.forEach(started -> started.server.close());
      log.close();
    }
    if (passed) {
      servers.forEach(Servers::checkClosed);
      Await.until(
          () -> OpenSslSession.live() + " SSL and " + OpenSslContext.live() + " SSL_CTX are left",
          () -> OpenSslSession.live() + OpenSslContext.live() == 0);
      checkLog();
    } else {
      printLog();
    }
  }

  private void printLog() {
    log.take(Level.ALL).forEach(record -> System.err.println(ServerLog.describe(record)));
  }

  private static void checkIdle(Started started) {
    HttpServer server = started.server;
    Await.until(
        () -> "no connection is open: " + server.connectionCount(),
        () -> server.connectionCount() == 0);
    Await.until(
        () ->
            "the server is back at "
                + started.idleBytes
                + " bytes of buffers: "
                + server.bufferBytesInUse(),
        () -> server.bufferBytesInUse() <= started.idleBytes);
  }

  private static void checkClosed(Started started) {
    if (started.server.bufferBytesInUse() != 0) {
      throw new AssertionError(
          started.server.bufferBytesInUse() + " bytes of buffers are left after the close");
    }
  }

  private void checkLog() {
    List<LogRecord> unexpected = log.take(Level.WARNING);
    if (!unexpected.isEmpty()) {
      throw new AssertionError(
          "the server logged: " + unexpected.stream().map(ServerLog::describe).toList());
    }
  }
}
