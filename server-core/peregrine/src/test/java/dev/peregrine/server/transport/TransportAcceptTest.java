package dev.peregrine.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Listening and accepting, on every transport. */
class TransportAcceptTest extends OnEveryTransport {
  @Test
  void notifiesOfAConnectionAndAcceptsIt() throws IOException {
    Socket client = connect();
    until(() -> listening.times() > 0);
    StreamSocket socket = Objects.requireNonNull(listener.accept());
    open.add(socket);
    assertThat(listening.ops.getFirst()).isEqualTo(Ready.ACCEPT);
    assertThat(socket.isOpen()).isTrue();
    assertThat(socket.remoteAddress()).isEqualTo(client.getLocalSocketAddress());
    assertThat(socket.localAddress()).isEqualTo(client.getRemoteSocketAddress());
    assertThat(listener.accept()).isNull();
  }

  @Test
  void notifiesAgainOfConnectionsThatWereLeftWaiting() throws IOException {
    connect();
    connect();
    until(() -> listening.times() > 0);
    open.add(Objects.requireNonNull(listener.accept()));
    int before = listening.times();
    until(() -> listening.times() > before);
    open.add(Objects.requireNonNull(listener.accept()));
    assertThat(listener.accept()).isNull();
  }

  @Test
  void isNotNotifiedOfConnectionsWhileNotListening() throws IOException {
    listener.listening(false);
    connect();
    poll(0);
    poll(0);
    assertThat(listening.times()).isZero();
    listener.listening(true);
    until(() -> listening.times() > 0);
    open.add(Objects.requireNonNull(listener.accept()));
  }

  @Test
  void failsToAcceptWhenDescriptorsRunOutAndAcceptsLater() throws Throwable {
    assumeTrue(Descriptors.areVisible(), "only Linux shows a process its descriptors");
    Listener closed = transport.listen(ANY_PORT, BACKLOG, false);
    closed.close();
    assertThatThrownBy(closed::accept).isInstanceOf(IOException.class); // loads the classes
    connect();
    until(() -> listening.times() > 0);
    List<Throwable> failures = new ArrayList<>();
    Descriptors.exhausted(
        () -> {
          try {
            listener.accept();
          } catch (IOException failure) {
            failures.add(failure);
          }
        });
    assertThat(failures).singleElement().asString().contains("Too many open files");
    listener.listening(false);
    poll(0);
    listener.listening(true);
    int before = listening.times();
    until(() -> listening.times() > before);
    open.add(Objects.requireNonNull(listener.accept()));
  }

  @Test
  void acceptsWhatWasCompletedBeforeListeningStopped() throws IOException {
    for (int i = 0; i < 3; i++) {
      connect();
    }
    listener.stopListening();
    poll(0);
    for (int i = 0; i < 3; i++) {
      open.add(Objects.requireNonNull(listener.accept()));
    }
    assertThat(listener.accept()).isNull();
    listener.close();
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
  }

  @Test
  void beginsNoConnectionAfterListeningStoppedIfItWaitsForOthers() throws IOException {
    Socket before = connect();
    assumeTrue(listener.stopListening() > 0, "the transport can't hold new connections off");
    assertThatThrownBy(() -> new Socket().connect(listener.localAddress(), 200))
        .isInstanceOf(SocketTimeoutException.class);
    before.getOutputStream().write(1); // only SYN segments are dropped
    Pair pair = new Pair(before, Objects.requireNonNull(listener.accept()));
    open.add(pair.socket);
    pair.socket.attach(poller, pair.told);
    pair.socket.interest(Ready.READ);
    until(() -> pair.told.times() > 0);
    assertThat(listener.accept()).isNull();
  }

  @Test
  void rejectsAPortInUse() {
    InetSocketAddress taken = (InetSocketAddress) listener.localAddress();
    assertThatThrownBy(() -> transport.listen(taken, BACKLOG, false))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("already in use");
  }

  @Test
  void sharesAPortIfConfigured() throws IOException {
    Listener first = transport.listen(ANY_PORT, BACKLOG, true);
    open.add(first);
    Listener second = transport.listen((InetSocketAddress) first.localAddress(), BACKLOG, true);
    open.add(second);
    assertThat(second.localAddress()).isEqualTo(first.localAddress());
  }

  @Test
  void listensOnIpv6() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("::1");
    assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "no IPv6 here");
    StreamSocket socket = acceptOn(new InetSocketAddress(loopback, 0), loopback);
    InetSocketAddress remote = (InetSocketAddress) socket.remoteAddress();
    assertThat(remote.getAddress()).isEqualTo(loopback);
    assertThat(((InetSocketAddress) socket.localAddress()).getAddress()).isEqualTo(loopback);
  }

  @Test
  void listensOnEveryAddressOfBothFamilies() throws IOException {
    InetAddress ipv4 = InetAddress.ofLiteral("127.0.0.1");
    InetAddress ipv6 = InetAddress.ofLiteral("::1");
    for (String wildcard : List.of("0.0.0.0", "::")) {
      InetSocketAddress everywhere = new InetSocketAddress(wildcard, 0);
      StreamSocket socket = acceptOn(everywhere, ipv4);
      assertThat(((InetSocketAddress) socket.remoteAddress()).getAddress()).isEqualTo(ipv4);
      if (NetworkInterface.getByInetAddress(ipv6) != null) {
        acceptOn(everywhere, ipv6);
      }
    }
  }

  @Test
  void keepsTheAddressesForOtherThreadsAndAfterTheClose() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (String host : List.of("127.0.0.1", "0.0.0.0")) {
      StreamSocket socket = acceptOn(new InetSocketAddress(host, 0), loopback);
      SocketAddress remote = socket.remoteAddress();
      poller.confineTo(Thread.currentThread());
      socket.keepAddresses();
      SocketAddress local = CompletableFuture.supplyAsync(() -> localAddress(socket)).join();
      socket.close();

      assertThat(local).isEqualTo(lastClient().getRemoteSocketAddress());
      assertThat(socket.localAddress()).isEqualTo(local);
      assertThat(socket.remoteAddress())
          .isEqualTo(remote)
          .isEqualTo(lastClient().getLocalSocketAddress());
    }
  }

  @Test
  void neverReadsAnAddressOnAnotherThread() throws Exception {
    StreamSocket socket =
        acceptOn(new InetSocketAddress("0.0.0.0", 0), InetAddress.getLoopbackAddress());
    socket.attach(poller, new Told());
    poller.confineTo(Thread.currentThread());
    Object seen =
        CompletableFuture.<Object>supplyAsync(() -> localAddress(socket))
            .exceptionally(Throwable::getCause)
            .join();
    if (seen instanceof UncheckedIOException unknown) {
      assertThat(unknown).hasMessageContaining("outside of the event loop");
    } else {
      assertThat(seen).isEqualTo(lastClient().getRemoteSocketAddress());
    }
  }

  private static SocketAddress localAddress(StreamSocket socket) {
    try {
      return socket.localAddress();
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  private Socket lastClient() {
    return (Socket)
        open.stream().filter(Socket.class::isInstance).reduce((first, last) -> last).orElseThrow();
  }

  private StreamSocket acceptOn(InetSocketAddress address, InetAddress reachedBy)
      throws IOException {
    Listener other = transport.listen(address, BACKLOG, false);
    open.add(other);
    Told told = new Told();
    other.attach(poller, told);
    int port = ((InetSocketAddress) other.localAddress()).getPort();
    open.add(new Socket(reachedBy, port));
    until(() -> told.times() > 0);
    StreamSocket socket = Objects.requireNonNull(other.accept());
    open.add(socket);
    return socket;
  }
}
