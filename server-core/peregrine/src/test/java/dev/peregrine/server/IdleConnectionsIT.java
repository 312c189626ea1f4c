package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ten thousand idle connections, each after one request: they hold no buffers. */
final class IdleConnectionsIT {
  private static final int WANTED = 10_000;
  private static final int SPARE_DESCRIPTORS = 500; // descriptors of the JVM, Maven and this test

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void holdNoBuffer() throws Exception {
    int count = Math.min(WANTED, (int) descriptorsLeft() - SPARE_DESCRIPTORS);
    if (count < WANTED) {
      System.out.println("tested with " + count + " idle connections: no more open files allowed");
    }
    assertThat(count).isPositive();
    HttpServer server = servers.start((request, response) -> response.text("idle"));
    long idle = server.bufferBytesInUse();

    Process clients = start(server, count);
    try (BufferedReader answers = clients.inputReader(StandardCharsets.US_ASCII);
        OutputStream go = clients.getOutputStream()) {
      for (int round = 0; round < 3; round++) {
        assertThat(answers.readLine()).isEqualTo("" + count);
        assertThat(server.connectionCount()).isEqualTo(count);
        // Between two turns: at most the block that each of the two loops keeps for its next write.
        Await.until(
            () -> "they hold no buffer: " + (server.bufferBytesInUse() - idle),
            () -> server.bufferBytesInUse() <= idle + 2 * 64 * 1024);
        RawClient another = servers.connect(server);
        assertThat(another.get("/").read().text()).isEqualTo("idle");
        another.close();
        Await.until("it is closed", () -> server.connectionCount() == count);
        go.write('\n');
        go.flush();
      }
    } finally {
      clients.destroy();
      clients.waitFor();
    }
  }

  private static Process start(HttpServer server, int count) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "dev.peregrine.testing.IdleClients",
            "" + server.port(),
            "" + count)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static long descriptorsLeft() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
        : WANTED + SPARE_DESCRIPTORS;
  }
}
