package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.attack.Child;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.server.handover.InheritedSockets;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.UnixSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers on sockets that they were started with, by systemd's own program and by numbers. */
final class SocketActivationIT {
  @RegisterExtension final Servers servers = new Servers();

  private Path directory = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("sa");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve("s"));
    Files.delete(directory);
  }

  private static void needEpoll() {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio hides the sockets' descriptors");
  }

  /** Starts the program when the first client connects to one of the sockets. */
  private static Child activate(String options, String... endpoints) throws Exception {
    needEpoll();
    assumeTrue(
        Processes.succeeds("systemd-socket-activate", "--version"),
        "systemd-socket-activate is not installed (Debian: systemd)");
    return Child.start(
        "set -- systemd-socket-activate " + options + " \"$@\";",
        List.of("-XX:TieredStopAtLevel=1"),
        ActivatedProgram.class,
        endpoints);
  }

  private static RawClient connect(InetSocketAddress address, Child child) throws Exception {
    while (true) {
      try {
        return RawClient.connect(address);
      } catch (UncheckedIOException refused) {
        assertThat(child.isAlive()).as("%s", child.errors).isTrue(); // it doesn't listen yet
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void servesSocketsOfSystemdByTheirNames() throws Exception {
    int port = FreePort.of(InetAddress.ofLiteral("127.0.0.1"));
    int port6 = FreePort.of(InetAddress.ofLiteral("::1"));
    Path socket = directory.resolve("s");
    String options =
        "--fdname=web:six:local -l 127.0.0.1:%d -l [::1]:%d -l %s".formatted(port, port6, socket);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (Child child = activate(options, "local", "web", "six");
        RawClient first = connect(address, child)) {
      assertThat(child.line())
          .isEqualTo("[%s, /127.0.0.1:%d, /[0:0:0:0:0:0:0:1]:%d]".formatted(socket, port, port6));
      assertThat(first.get("/").read().text()).isEqualTo("activated");
      try (RawClient six =
              RawClient.connect(new InetSocketAddress(InetAddress.ofLiteral("::1"), port6));
          UnixSocket local = new UnixSocket(socket)) {
        assertThat(six.get("/").read().text()).isEqualTo("activated");
        local
            .getOutputStream()
            .write(
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(local.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 200 ")
            .endsWith("activated");
      }
    }
    assertThat(socket).exists(); // it is systemd's
  }

  @Test
  void servesAllSocketsOfSystemdInOrder() throws Exception {
    int port = FreePort.of(InetAddress.ofLiteral("127.0.0.1"));
    String options = "-l 127.0.0.1:%d -l @peregrine-%d".formatted(port, port);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (Child child = activate(options, "all");
        RawClient client = connect(address, child)) {
      assertThat(child.line()).isEqualTo("[/127.0.0.1:%d, @peregrine-%d]".formatted(port, port));
      assertThat(client.get("/").read().text()).isEqualTo("activated");
    }
  }

  @Test
  void servesASocketByItsNumber() throws Exception {
    int port = FreePort.of(InetAddress.ofLiteral("127.0.0.1"));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (Child child = activate("-l 127.0.0.1:" + port, "fd:3");
        RawClient client = connect(address, child)) {
      assertThat(child.line()).isEqualTo("[/127.0.0.1:%d]".formatted(port));
      assertThat(client.get("/").read().text()).isEqualTo("activated");
    }
  }

  @Test
  void namesTheDescriptorThatItCannotListenOn() throws Exception {
    needEpoll();
    Kernel kernel = new Kernel();
    int notListening = (int) kernel.call(SystemCall.SOCKET, 2, 1, 0);
    int eventCounter = (int) kernel.call(SystemCall.EVENTFD2, 0, 0);
    int netlink = (int) kernel.call(SystemCall.SOCKET, 16, 3, 0);
    try (LocalSocket datagrams = LocalSocket.sender("@nobody")) {
      expectFailure(notListening, "it is a stream socket that doesn't listen");
      expectFailure(eventCounter, "it is not a socket");
      expectFailure(netlink, "it is a socket of the address family 16");
      expectFailure(datagrams.descriptor(), "it is a socket of the type 2 (datagrams)");
    } finally {
      kernel.close(notListening);
      kernel.close(eventCounter);
      kernel.close(netlink);
    }
    expectFailure(12345, "it is not open");
  }

  private void expectFailure(int descriptor, String reason) {
    assertThatThrownBy(
            () ->
                servers.watch(
                    builder(Endpoint.of(InheritedSockets.descriptor(descriptor))).start()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("descriptor " + descriptor + " is not a listening socket: " + reason);
  }

  private static HttpServerBuilder builder(Endpoint endpoint) {
    return Peregrine.builder()
        .endpoint(endpoint)
        .transport(Servers.TRANSPORT)
        .handler((request, response) -> response.send());
  }

  @Test
  void reportsThatSystemdHasGivenNoSockets() {
    needEpoll();
    assertThatThrownBy(
            () -> servers.watch(builder(Endpoint.of(InheritedSockets.activated("web"))).start()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the sockets of systemd named web")
        .hasMessageContaining("LISTEN_FDS is not set");
  }

  @Test
  void reportsThatJavaNioCannotUseThem() {
    assertThatThrownBy(
            () ->
                servers.watch(
                    builder(Endpoint.of(InheritedSockets.descriptor(3)))
                        .transport(TransportKind.NIO)
                        .start()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("an inherited socket needs the epoll transport, but ");
    assertThatThrownBy(
            () ->
                servers.watch(
                    builder(Endpoint.tcp("127.0.0.1", 0))
                        .with(HandOver.at(directory.resolve("s")))
                        .transport(TransportKind.NIO)
                        .start()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("handOver needs the epoll transport, but ");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void reportsANegativeNumber() {
    assertThatThrownBy(() -> Endpoint.of(InheritedSockets.descriptor(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("descriptor is -1, but must be at least 0");
  }
}
