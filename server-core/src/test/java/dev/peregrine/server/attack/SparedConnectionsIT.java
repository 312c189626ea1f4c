package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that a server closes because others need what they hold; in a separate JVM. */
final class SparedConnectionsIT {
  private static final int DESCRIPTORS_MAX = 128; // the class path takes some fifty

  @BeforeAll
  static void hasShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell to set limits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "tls"})
  void areToldTheLastStreamIfTheyMakeRoomForOthers(String security) throws IOException {
    try (Child server =
        Child.start("ulimit -n " + DESCRIPTORS_MAX + ";", List.of(), ChildServer.class, security)) {
      InetSocketAddress address = address(server);
      List<Http2Client> clients = new ArrayList<>();
      for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        clients.add(Http2Client.connect(address, security.equals("tls")));
        assertThat(clients.getLast().get("/").status()).isEqualTo(200);
      }
      Http2Client longestIdle = clients.getFirst();
      int served = 1;

      assertThat(longestIdle.expectGoaway(Http2Code.NO_ERROR).lastStream()).isEqualTo(served);

      clients.forEach(Http2Client::close);
    }
  }

  private static InetSocketAddress address(Child server) throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.line()));
  }
}
