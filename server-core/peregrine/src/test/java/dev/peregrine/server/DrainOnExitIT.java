package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ChildJvm;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program that ends while it serves. */
final class DrainOnExitIT {
  @RegisterExtension final Servers servers = new Servers();

  private static ChildJvm start(String lameDuckMillis) {
    return new ChildJvm("" + Servers.TRANSPORT, "0", "name", lameDuckMillis, "120000");
  }

  private static RawClient connect(ChildJvm program) {
    return RawClient.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), program.port()));
  }

  @Test
  void answersTheRequestUnderWayAtSigterm() {
    try (ChildJvm program = start("0");
        RawClient client = connect(program).get("/stream")) {
      client.readUntil("\r\n\r\n");

      program.terminate();

      assertThat(new String(client.readToEnd(), StandardCharsets.ISO_8859_1))
          .endsWith("\r\n0\r\n\r\n");
      assertThat(program.exitValue()).isEqualTo(143);
      assertThat(program.output())
          .contains("the JVM exits: draining, accepting connections for another 0 s")
          .contains("nothing was cut short");
    }
  }

  /** Once the exit has begun, {@code java.util.logging} opens no handlers. */
  @Test
  void logsTheExitBeforeTheFirstRequest() {
    try (ChildJvm program = start("0")) {
      program.terminate();

      assertThat(program.exitValue()).isEqualTo(143);
      assertThat(program.output())
          .contains("the JVM exits: draining")
          .contains("nothing was cut short");
    }
  }

  /** The exit waits for the drain, and the response that the drain waits for never comes. */
  @Test
  void doesNotWaitForAHandlerThatExits() {
    try (ChildJvm program = start("0");
        RawClient client = connect(program).get("/exit")) {
      assertThat(program.exitValue()).isEqualTo(7);
      client.expectClosed();
      assertThat(program.output()).contains("event loops are blocked by their handlers");
    }
  }

  @Test
  void isRemovedWithTheServer() {
    HttpServer server = servers.start((request, response) -> response.send());
    server.drainOnExit(Duration.ZERO, Duration.ofSeconds(1));
    server.drainOnExit(Duration.ZERO, Duration.ofSeconds(2)); // in place of the first
    assertThat(server.running().hasExitHook()).isTrue();

    server.close();

    assertThat(server.running().hasExitHook()).isFalse();
    server.drainOnExit(Duration.ZERO, Duration.ofSeconds(1));
    assertThat(server.running().hasExitHook()).isFalse();
  }
}
