package dev.peregrine.server.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.linux.LocalAddress;
import dev.peregrine.linux.LocalMessage;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages to a socket of this test in place of systemd's. */
final class SystemdNotifierIT {
  private static final int NONBLOCKING_DATAGRAMS = 2 | 0x800;
  private static final String ADDRESS = "@peregrine-notify-" + ProcessHandle.current().pid();

  @RegisterExtension final Servers servers = new Servers();

  private final SystemdNotifier notifier = new SystemdNotifier(ADDRESS);
  private LocalSocket systemd;

  @BeforeEach
  void listen() throws IOException {
    assumeTrue(Servers.TRANSPORT == TransportKind.EPOLL, "java.nio hides the sockets' descriptors");
    Kernel kernel = new Kernel();
    int fd = (int) kernel.call(SystemCall.SOCKET, LocalAddress.FAMILY, NONBLOCKING_DATAGRAMS, 0);
    int bytes = LocalAddress.write(ADDRESS, kernel.scratch);
    assertThat(kernel.call(SystemCall.BIND, fd, kernel.scratchAddress, bytes)).isZero();
    systemd = new LocalSocket(fd);
  }

  @AfterEach
  void close() {
    if (systemd != null) {
      systemd.close();
    }
  }

  private LocalMessage receive() throws IOException {
    return Objects.requireNonNull(systemd.receive(), "no message");
  }

  @Test
  void reportsTheStateOfTheService() throws Exception {
    notifier.ready();
    notifier.mainProcess();
    notifier.discard("web");
    notifier.stopping();

    assertThat(receive().text()).isEqualTo("READY=1");
    assertThat(receive().text())
        .isEqualTo("MAINPID=" + ProcessHandle.current().pid() + "\nREADY=1");
    assertThat(receive().text()).isEqualTo("FDSTOREREMOVE=1\nFDNAME=web");
    assertThat(receive().text()).isEqualTo("STOPPING=1");
  }

  @Test
  void storesListeningSocketsForTheNextProcess() throws Exception {
    HttpServer old = servers.start((request, response) -> response.text("old"));
    int port = old.port();
    notifier.store("web", old);
    LocalMessage message = receive();
    assertThat(message.text()).isEqualTo("FDSTORE=1\nFDNAME=web");
    assertThat(message.descriptors()).hasSize(1);
    int stored = message.descriptors().getFirst();
    assertThat(servers.connect(old).get("/").read().text()).isEqualTo("old");

    old.close();
    var waiting = servers.connect(old); // the stored socket takes it
    HttpServer next =
        servers.watch(
            Peregrine.builder()
                .endpoint(Endpoint.of(InheritedSockets.descriptor(stored)))
                .transport(Servers.TRANSPORT)
                .limits(Servers.LIMITS)
                .handler((request, response) -> response.text("next"))
                .start());

    assertThat(next.port()).isEqualTo(port);
    assertThat(waiting.get("/").read().text()).isEqualTo("next");
    waiting.close();
    ListeningSocket.close(stored);
  }

  @Test
  void rejectsNamesThatSystemdWouldNotTake() {
    HttpServer server = servers.start((request, response) -> response.send());

    for (String name : new String[] {"", "a:b", "a\nb", "x".repeat(256)}) {
      assertThatThrownBy(() -> notifier.store(name, server))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void reportsThatSystemdIsAbsent() {
    assertThatThrownBy(() -> new SystemdNotifier("@nobody-listens-here").ready())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Connection refused");
    assertThat(System.getenv("NOTIFY_SOCKET")).isNull();
    assertThat(SystemdNotifier.ofProcess()).isNull();
  }
}
