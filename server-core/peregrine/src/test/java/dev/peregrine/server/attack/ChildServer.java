package dev.peregrine.server.attack;

import dev.peregrine.Peregrine;
import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Servers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A server in a separate JVM: prints its port, then a line of figures for each line it reads. With
 * the argument {@code tls} it speaks TLS.
 */
final class ChildServer {
  private ChildServer() {}

  /** The thread that ends the start prepares what a failure needs. */
  private static boolean hasStarted(HttpServer server) {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals(server.name() + "-start"));
  }

  public static void main(String[] args) throws IOException {
    if (Linux.problem() == null) {
      LinuxMemory.prepare(); // otherwise the start on java.nio ends with that, after a pause
    }
    ServerLimits limits =
        ServerLimits.builder()
            .loopBlockedTime(Duration.ofMinutes(1))
            .requestHeadTime(Duration.ofMinutes(5))
            .build();
    App app = new App();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    HttpServerBuilder options =
        Servers.onMemory(Peregrine.builder())
            .loops(1)
            .transport(Servers.TRANSPORT)
            .limits(limits)
            .json(new NestedJson())
            .handler(app);
    if (List.of(args).contains("tls")) {
      options.with(Certificates.TLS);
    }
    try (HttpServer server = options.start()) {
      Await.until("the server has prepared its log", () -> hasStarted(server));
      System.out.println(server.port());
      while (in.readLine() != null) {
        System.out.println(
            server.connectionCount()
                + " "
                + server.bufferBytesInUse()
                + " "
                + Victim.loopCpuNanos()
                + " "
                + app.sockets.openCount());
      }
    }
  }
}
