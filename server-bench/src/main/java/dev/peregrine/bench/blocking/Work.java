package dev.peregrine.bench.blocking;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The work of the handlers by path, which is the same on every server. Thread-safe. */
final class Work implements AutoCloseable {
  /** Returns at once. */
  static final String PLAIN = "/plain";

  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final Duration NAP = Duration.ofMillis(5);
  private static final String PREFIX = "blocking.";

  private final @Nullable ServicePool service;
  private final @Nullable JdbcCache cache;
  private final Duration stuck;
  private final String fifo;

  private Work(
      @Nullable ServicePool service, @Nullable JdbcCache cache, Duration stuck, String fifo) {
    this.service = service;
    this.cache = cache;
    this.stuck = stuck;
    this.fifo = fifo;
  }

  /**
   * Reads the properties that begin with {@code blocking.}: {@code service} is the port of the
   * service, {@code jdbc} the URL of the database, {@code stuck} the milliseconds for which {@code
   * /spin} and {@code /park} last, and {@code fifo} the file that {@code /fifo} reads. Paths whose
   * property is missing fail.
   */
  static Work of(Properties properties) {
    String port = properties.getProperty(PREFIX + "service", "");
    String url = properties.getProperty(PREFIX + "jdbc", "");
    return new Work(
        port.isEmpty() ? null : new ServicePool(Integer.parseInt(port)),
        url.isEmpty() ? null : new JdbcCache(url),
        Duration.ofMillis(Long.parseLong(properties.getProperty(PREFIX + "stuck", "0"))),
        properties.getProperty(PREFIX + "fifo", ""));
  }

  /**
   * Does the work of a path.
   *
   * @return the content of the response, which must not be changed
   */
  byte[] at(String path) throws Exception {
    return switch (path) {
      case PLAIN -> HELLO;
      case "/ask" -> ask();
      case "/jdbc" -> lookUp();
      case "/sleep" -> sleep(NAP);
      case "/spin" -> spin();
      case "/park" -> sleep(stuck);
      case "/fifo" -> readFifo();
      default -> throw new FileNotFoundException(path);
    };
  }

  /** Returns true if the work of that path may wait. */
  static boolean mayWait(String path) {
    return !path.equals(PLAIN);
  }

  private byte[] ask() throws IOException {
    if (service == null) {
      throw new IOException("no service configured: set blocking.service to its port");
    }
    return service.ask();
  }

  private byte[] lookUp() throws Exception {
    if (cache == null) {
      throw new IOException("no database configured: set blocking.jdbc to its URL");
    }
    return cache.next();
  }

  private static byte[] sleep(Duration time) throws InterruptedException {
    Thread.sleep(time);
    return HELLO;
  }

  /** Computes, without a call that could take the thread away from it. */
  private byte[] spin() {
    long end = System.nanoTime() + stuck.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return HELLO;
  }

  /** Waits in the system until somebody writes to the file. */
  private byte[] readFifo() throws IOException {
    try (InputStream in = new FileInputStream(fifo)) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() {
    if (cache != null) {
      cache.close();
    }
  }
}
