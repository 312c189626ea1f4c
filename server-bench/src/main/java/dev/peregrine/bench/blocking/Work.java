package dev.peregrine.bench.blocking;

import dev.peregrine.server.sockets.LoopSocketFactory;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** The work of the handlers by path, which is the same on every server. Thread-safe. */
final class Work implements AutoCloseable {
  /** Returns at once. */
  static final String PLAIN = "/plain";

  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final Duration NAP = Duration.ofMillis(5);
  private static final String PREFIX = "blocking.";
  private static final int SELECT_CONNECTIONS = 16;

  /** True if the sockets of handlers wait in the event loops of Peregrine. */
  final boolean loopSockets;

  private final @Nullable ServicePool service;
  private final @Nullable Database database;
  private final Duration stuck;
  private final String fifo;

  private Work(
      boolean loopSockets,
      @Nullable ServicePool service,
      @Nullable Database database,
      Duration stuck,
      String fifo) {
    this.loopSockets = loopSockets;
    this.service = service;
    this.database = database;
    this.stuck = stuck;
    this.fifo = fifo;
  }

  /**
   * Reads the properties that begin with {@code blocking.}: {@code service} is the port of the
   * service, {@code jdbc} the URL of the database, {@code stuck} the milliseconds for which {@code
   * /spin} and {@code /park} last, and {@code fifo} the file that {@code /fifo} reads. Paths whose
   * property is missing fail. With {@code loopSockets} the sockets come from {@link
   * LoopSocketFactory}.
   */
  static Work of(Properties properties) {
    String port = properties.getProperty(PREFIX + "service", "");
    String url = properties.getProperty(PREFIX + "jdbc", "");
    boolean loopSockets = Boolean.parseBoolean(properties.getProperty(PREFIX + "loopSockets"));
    SocketFactory sockets =
        loopSockets ? LoopSocketFactory.getDefault() : SocketFactory.getDefault();
    String driver =
        url.isEmpty() || !loopSockets
            ? url
            : url + "&socketFactory=" + sockets.getClass().getName();
    return new Work(
        loopSockets,
        port.isEmpty() ? null : new ServicePool(sockets, Integer.parseInt(port)),
        driver.isEmpty() ? null : new Database(driver),
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
      case "/jdbc" -> database().cache.next();
      case "/select" -> database().items.next();
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

  private Database database() throws IOException {
    if (database == null) {
      throw new IOException("no database configured: set blocking.jdbc to its URL");
    }
    return database;
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
    if (database != null) {
      database.cache.close();
      database.items.close();
    }
  }

  /** The database by pools, which connect when they are first used. */
  private static final class Database {
    final JdbcCache cache;
    final JdbcItems items;

    Database(String url) {
      cache = new JdbcCache(url);
      items = new JdbcItems(url, SELECT_CONNECTIONS);
    }
  }
}
