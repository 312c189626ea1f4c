package dev.peregrine.bench.technique;

import com.sun.management.OperatingSystemMXBean;
import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TransportKind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Servers as they run from some seconds after their start on: by default they begin with {@code
 * java.nio} and without vectors, so a short measurement would see another server than the one that
 * its page describes.
 */
final class SettledServer {
  private static final String SETTLE = "bench.settle"; // in seconds of processor time; 0 by default

  private SettledServer() {}

  /** A request and its response. */
  interface Exchange {
    int run() throws IOException;
  }

  /** Starts a server with one event loop. */
  static HttpServer start(Handler handler) {
    return start(options -> options.loops(1).handler(handler));
  }

  /** Starts a server on any port, and prints what it runs on. */
  static HttpServer start(Consumer<HttpServerBuilder> options) {
    boolean isLinux = System.getProperty("os.name").equals("Linux");
    TransportKind transport = isLinux ? TransportKind.EPOLL : TransportKind.NIO;
    HttpServerBuilder builder =
        Peregrine.builder().port(0).transport(transport).scanner(ScannerKind.best());
    options.accept(builder);
    HttpServer server = builder.start();
    System.out.println("server on " + server.transport() + ", scanner " + server.scanner());
    return server;
  }

  /**
   * Repeats an exchange until this JVM has compiled what the server runs; for twice the time at
   * most, because some exchanges only wait.
   */
  static void settle(Exchange exchange) throws IOException {
    long nanos = Duration.ofSeconds(Integer.getInteger(SETTLE, 0)).toNanos();
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long begin = System.nanoTime();
    long end = system.getProcessCpuTime() + nanos;
    do {
      exchange.run();
    } while (system.getProcessCpuTime() < end && System.nanoTime() - begin < 2 * nanos);
  }
}
