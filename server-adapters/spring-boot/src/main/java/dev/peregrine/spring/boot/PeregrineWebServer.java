package dev.peregrine.spring.boot;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.observe.DrainResult;
import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory.ServerRecipe;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;

/**
 * A server of Peregrine that Spring Boot starts and stops; created by {@link
 * PeregrineReactiveWebServerFactory}. It may be started again after it was stopped. Thread-safe.
 */
public final class PeregrineWebServer implements WebServer {
  private static final Log LOG = LogFactory.getLog(PeregrineWebServer.class);

  /** Without end, because Boot stops the server when its own time for a shutdown is over. */
  private static final Duration PATIENCE = Duration.ofDays(365);

  private final ServerRecipe recipe;
  private final int configuredPort;
  private final boolean secure;
  private final Shutdown shutdown;
  private final Duration lameDuck;
  private volatile @Nullable HttpServer server; // null while stopped; written under this

  PeregrineWebServer(
      ServerRecipe recipe,
      int configuredPort,
      boolean secure,
      Shutdown shutdown,
      Duration lameDuck) {
    this.recipe = recipe;
    this.configuredPort = configuredPort;
    this.secure = secure;
    this.shutdown = shutdown;
    this.lameDuck = lameDuck;
  }

  /**
   * Starts the server, unless it runs. With port -1 and no Unix domain socket it doesn't listen,
   * and this does nothing.
   *
   * @throws PortInUseException if another process listens on the port
   */
  @Override
  public synchronized void start() {
    if (server != null || recipe.endpoints().isEmpty()) {
      return;
    }
    List<PeregrineServerCustomizer> applied = new ArrayList<>();
    HttpServer started;
    try {
      HttpServerBuilder builder = recipe.builder();
      for (PeregrineServerCustomizer customizer : recipe.customizers()) {
        applied.add(customizer);
        customizer.customize(builder);
      }
      started = builder.start();
    } catch (RuntimeException failure) {
      applied.forEach(PeregrineServerCustomizer::onStopped);
      PortInUseException.throwIfPortBindingException(failure, () -> configuredPort);
      throw new WebServerException("Unable to start Peregrine", failure);
    }
    server = started;
    LOG.info(startedMessage(started));
  }

  private String startedMessage(HttpServer started) {
    List<String> ports = new ArrayList<>();
    List<String> files = new ArrayList<>();
    String scheme = secure ? " (https)" : " (http)";
    for (SocketAddress address : started.addresses()) {
      if (address instanceof InetSocketAddress tcp) {
        ports.add(tcp.getPort() + scheme);
      } else {
        files.add(address + scheme);
      }
    }
    List<String> parts = new ArrayList<>();
    if (!ports.isEmpty()) {
      parts.add((ports.size() == 1 ? "port " : "ports ") + String.join(", ", ports));
    }
    if (!files.isEmpty()) {
      parts.add((files.size() == 1 ? "socket " : "sockets ") + String.join(", ", files));
    }
    return "Peregrine started on " + String.join(" and ", parts);
  }

  /** Returns the line that the last start has logged. */
  String startedMessage() {
    HttpServer running = server;
    if (running == null) {
      throw new IllegalStateException("the server is not running");
    }
    return startedMessage(running);
  }

  /**
   * Ends the server without losing requests, on a thread of its own, and calls back then.
   * Connections are refused, and those that are open close after the response to their request, or
   * when none arrives within {@code ServerLimits.shutdownIdleTime}.
   */
  @Override
  public void shutDownGracefully(GracefulShutdownCallback callback) {
    HttpServer running = server;
    if (shutdown != Shutdown.GRACEFUL || running == null) {
      callback.shutdownComplete(GracefulShutdownResult.IMMEDIATE);
      return;
    }
    LOG.info("Commencing graceful shutdown. Waiting for active requests to complete");
    Thread.ofPlatform()
        .name(running.name() + "-shutdown")
        .start(() -> callback.shutdownComplete(drain(running)));
  }

  private GracefulShutdownResult drain(HttpServer running) {
    DrainResult result = running.drain(lameDuck, PATIENCE);
    if (result.isComplete()) {
      LOG.info("Graceful shutdown complete");
      return GracefulShutdownResult.IDLE;
    }
    LOG.info("Graceful shutdown aborted with one or more requests still active");
    return GracefulShutdownResult.REQUESTS_ACTIVE;
  }

  /** Ends the server at once: cuts open connections, and a graceful shutdown that is under way. */
  @Override
  public synchronized void stop() {
    HttpServer running = server;
    if (running == null) {
      return;
    }
    server = null;
    running.close();
    recipe.customizers().forEach(PeregrineServerCustomizer::onStopped);
  }

  /** Returns the port; -1 while the server is stopped, and if it listens on no port. */
  @Override
  public int getPort() {
    HttpServer running = server;
    if (running != null) {
      for (SocketAddress address : running.addresses()) {
        if (address instanceof InetSocketAddress tcp) {
          return tcp.getPort();
        }
      }
    }
    return -1;
  }
}
