package dev.peregrine.server.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.epoll.Epoll;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server with {@link LoopSockets} in VMs of its own, which may make system calls or not. */
final class NativeAccessIT {
  private static final String OPENING = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static String run(TransportKind kind, String... flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--illegal-native-access=deny");
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Starter.class.getName(), kind.name()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream printed = process.getInputStream()) {
      return new String(printed.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theServerStartsWithoutAWarningAndSocketsWaitInItsLoops() throws IOException {
    assertThat(run(TransportKind.AUTO, OPENING))
        .contains("read 7 by a class dev.peregrine.server.sockets.LoopSocketFactory$LoopSocket")
        .doesNotContain("don't wait in")
        .doesNotContain("restricted method"); // as a warning of the VM has it
  }

  @Test
  void socketsArePlainIfLoopsCarryNoThreads() throws IOException {
    assertThat(run(TransportKind.AUTO))
        .contains("don't wait in event loops: event loops don't carry blocking handlers")
        .contains("read 7 by a " + Socket.class)
        .doesNotContain("restricted method");
  }

  /** They are for epoll, as far as is known then. */
  @Test
  void theLogNamesSocketsThatAServerOnNioIsTooLateFor() throws IOException {
    assumeTrue(Epoll.problem() == null, Epoll::problem);

    assertThat(run(TransportKind.NIO, OPENING, "--enable-native-access=ALL-UNNAMED"))
        .contains("read 7 by a class dev.peregrine.server.sockets.LoopSocketFactory$LoopSocket")
        .contains("created before the server don't wait in its loops");
    assertThat(run(TransportKind.EPOLL, OPENING, "--enable-native-access=ALL-UNNAMED"))
        .contains("read 7 by a class dev.peregrine.server.sockets.LoopSocketFactory$LoopSocket")
        .doesNotContain("don't wait in");
  }

  /** The main of the other VM. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) throws IOException {
      LoopSockets sockets = LoopSockets.create();
      try (Socket early = LoopSocketFactory.getDefault().createSocket();
          HttpServer server = server(early, TransportKind.valueOf(args[0]), sockets);
          ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          Socket socket =
              LoopSocketFactory.getDefault()
                  .createSocket(listener.getInetAddress(), listener.getLocalPort());
          Socket peer = listener.accept()) {
        peer.getOutputStream().write(7);
        int read = socket.getInputStream().read();
        System.out.println(
            "read " + read + " by a " + socket.getClass() + " beside " + server.address());
      }
    }

    private static HttpServer server(Socket early, TransportKind kind, LoopSockets sockets)
        throws IOException {
      early.setTcpNoDelay(true); // creates it in the system
      return Peregrine.builder()
          .port(0)
          .transport(kind)
          .with(sockets)
          .handler(Handlers.blocking((request, response) -> response.send()))
          .start();
    }
  }
}
