package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.openssl.OpenSslContext;
import dev.peregrine.openssl.OpenSslSession;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server with one event loop, so that attackers and the well-behaved neighbour share it, and what
 * it held before the attack. {@link #assertUnharmed} compares.
 */
final class Victim implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Paths of the requests that reached the application, in order. */
  final List<String> seen = new CopyOnWriteArrayList<>();

  final ServerLog log = new ServerLog();
  final HttpServer server;
  private final Handler application;
  private final long baseBytes;
  private final long baseSockets;
  private final boolean secured;
  private final long keepAliveNanos;
  private RawClient neighbour;
  private long neighbourNanos; // when it connected, or sent its last request

  private Victim(ServerLimits limits, Handler handler, @Nullable Tls tls) {
    application = handler;
    secured = tls != null;
    keepAliveNanos = limits.keepAliveTime().toNanos();
    HttpServerBuilder builder =
        Servers.onMemory(Peregrine.builder())
            .loops(1)
            .limits(limits)
            .transport(Servers.TRANSPORT)
            .json(new NestedJson())
            .handler(
                (request, response) -> {
                  if (request.pathIs("/neighbour")) {
                    response.text("unharmed");
                  } else {
                    seen.add(request.path());
                    handler.handle(request, response);
                  }
                });
    if (tls != null) {
      builder.with(tls);
    }
    server = builder.start();
    connectNeighbour();
    ping();
    endNeighbour(); // with its last connection a loop releases its spare blocks
    baseSockets = sockets(); // now, because the JDK keeps a socket from the first client on
    baseBytes = server.bufferBytesInUse();
    connectNeighbour();
  }

  static Victim start(ServerLimits limits, Handler handler) {
    return new Victim(limits, handler, Servers.TLS ? Certificates.TLS : null);
  }

  /** A server that speaks HTTPS. */
  static Victim startSecured(ServerLimits limits, Handler handler, Tls tls) {
    return new Victim(limits, handler, tls);
  }

  /** With the default limits and an application that answers every request at once. */
  static Victim start() {
    return start(Servers.LIMITS, (request, response) -> response.text("ok"));
  }

  int port() {
    return server.port();
  }

  RawClient connect() {
    return connect(0);
  }

  /** A client that the server can't send much ahead to. */
  RawClient connect(int receiveBufferBytes) {
    return secured
        ? RawClient.connectSecured(server.address(), receiveBufferBytes)
        : RawClient.connect(server.address(), receiveBufferBytes);
  }

  /** Returns all lines that the server has logged since the last call. */
  List<String> takeLines() {
    return log.take(Level.ALL).stream().map(LogRecord::getMessage).toList();
  }

  /** Waits for a line with that text. */
  void awaitLine(String part) {
    awaitLines(part, 1);
  }

  /** Waits until at least that many lines have the text. */
  void awaitLines(String part, int count) {
    List<String> lines = new ArrayList<>();
    Await.until(
        () -> "\"" + part + "\" is logged " + count + " times: " + lines,
        () -> {
          lines.addAll(takeLines());
          return lines.stream().filter(line -> line.contains(part)).count() >= count;
        });
  }

  /** Bytes of buffers in use above those before the attack. */
  long extraBytes() {
    return server.bufferBytesInUse() - baseBytes;
  }

  /** Completes the responses that the application holds back. */
  void release() {
    ((App) application).release();
  }

  /** Sends a request of the neighbour, on the connection that it keeps. */
  void ping() {
    while (!isPingAnswered()) {
      reconnectNeighbour();
    }
  }

  /** Returns false if a slow machine has made the neighbour idle for longer than it may be. */
  private boolean isPingAnswered() {
    long idleSince = neighbourNanos;
    neighbourNanos = System.nanoTime();
    try {
      RawResponse answer = neighbour.get("/neighbour").read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("unharmed");
      return true;
    } catch (UncheckedIOException ended) {
      if (System.nanoTime() - idleSince < keepAliveNanos) {
        throw ended;
      }
      return false;
    }
  }

  /** The neighbour's connection may have ended by a short keep-alive time of the test's. */
  void reconnectNeighbour() {
    neighbour.close();
    connectNeighbour();
  }

  private void connectNeighbour() {
    neighbourNanos = System.nanoTime();
    neighbour = connect();
  }

  /**
   * Returns when the loop has dealt with everything that was sent before: the first round trip's
   * turn or the one before has read it, and the second's comes after that turn.
   */
  void settle() {
    ping();
    ping();
  }

  /**
   * Checks the server after the attack, when the attackers' sockets are closed: the neighbour's
   * connection works, a new one too, the server holds what it held before, and it is quiet.
   */
  void assertUnharmed() {
    Await.until(
        () -> server.connectionCount() + " connections are open",
        () -> server.connectionCount() <= 1);
    ping();
    reconnectNeighbour();
    ping();
    endNeighbour();
    Await.until(() -> OpenSslSession.live() + " SSL are left", () -> OpenSslSession.live() == 0);
    Await.until(() -> extraBytes() + " bytes of buffers more than before", () -> extraBytes() == 0);
    assertThat(log.take(Level.WARNING)).extracting(ServerLog::describe).isEmpty();
    Await.until(
        () -> sockets() + " sockets are open, before " + baseSockets,
        () -> sockets() <= baseSockets);
    assertQuiet();
  }

  private void endNeighbour() {
    neighbour.close();
    Await.until(
        () -> server.connectionCount() + " connections are open",
        () -> server.connectionCount() == 0);
  }

  /** Checks that an idle server uses nearly no processor time. */
  private void assertQuiet() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5 && used > QUIET_NANOS / 4; i++) { // again: a compiler may have interfered
      long before = loopCpuNanos();
      LockSupport.parkNanos(QUIET_NANOS);
      used = loopCpuNanos() - before;
    }
    assertThat(used).as("processor time of a loop without work").isLessThan(QUIET_NANOS / 4);
  }

  static long loopCpuNanos() {
    long nanos = 0;
    for (long id : THREADS.getAllThreadIds()) {
      var info = THREADS.getThreadInfo(id);
      if (info != null && info.getThreadName().matches("peregrine-[0-9]+-loop-[0-9]+")) {
        nanos += Math.max(THREADS.getThreadCpuTime(id), 0);
      }
    }
    return nanos;
  }

  /** Open sockets of the process. Those of clients count too. */
  static long sockets() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(DESCRIPTORS)) {
      return open.filter(Victim::isSocket).count();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  /** Ends the server; nothing may be left of its memory. */
  @Override
  public void close() {
    neighbour.close();
    server.close();
    log.close();
    assertThat(server.bufferBytesInUse()).as("bytes in use by a closed server").isZero();
    assertThat(OpenSslContext.live()).as("SSL_CTX of a closed server").isZero();
  }
}
