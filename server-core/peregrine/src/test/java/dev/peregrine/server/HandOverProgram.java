package dev.peregrine.server;

import dev.peregrine.Peregrine;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A server in a JVM of its own. Prints its port when it accepts connections. Ends when another
 * process has its sockets, or when its input ends.
 */
public final class HandOverProgram {
  private HandOverProgram() {}

  /**
   * Starts the server.
   *
   * @param args the hand-over path, the port, its name in responses, and optionally the step at
   *     which it waits: {@code before} it is ready
   */
  public static void main(String... args) throws IOException {
    HandOver handOver = HandOver.at(Path.of(args[0])).withPatience(Duration.ofSeconds(20));
    boolean waits = args.length > 3;
    HttpServer server =
        Peregrine.builder()
            .port(Integer.parseInt(args[1]))
            .loops(2)
            .limits(Servers.LIMITS.toBuilder().shutdownIdleTime(Duration.ofMinutes(1)).build())
            .transport(Servers.TRANSPORT)
            .with(waits ? handOver.beforeReady(HandOverProgram::waitForever) : handOver)
            .handler((request, response) -> response.text(args[2]))
            .start();
    System.out.println(server.port());
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              waitForInput();
              server.close();
            });
  }

  private static void waitForever() {
    System.out.println("waiting");
    waitForInput();
  }

  private static void waitForInput() {
    try {
      int next;
      do {
        next = System.in.read();
      } while (next >= 0 && next != '\n');
    } catch (IOException lost) {
      System.err.println(lost);
    }
  }
}
