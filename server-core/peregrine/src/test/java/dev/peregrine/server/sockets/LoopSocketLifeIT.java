package dev.peregrine.server.sockets;

import static dev.peregrine.server.sockets.ClientThreads.assertFailure;
import static dev.peregrine.server.sockets.ClientThreads.result;
import static dev.peregrine.server.sockets.ClientThreads.socket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.peregrine.http.Handlers;
import dev.peregrine.server.sockets.ClientThreads.Kind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How sockets that wait in event loops begin and end, their options, and the ends of loops. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LoopSocketLifeIT {
  private static final int LATER_MILLIS = 3_600_000;
  private static final int SOON_MILLIS = 20;
  private static final int MANY = 500;

  @RegisterExtension final Servers servers = new Servers();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private ClientThreads threads;
  private ServerSocket listener;

  @BeforeEach
  void start() throws Exception {
    threads = new ClientThreads(servers);
    listener = open(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.add(resource);
    return resource;
  }

  private Socket connected() throws IOException {
    Socket socket = open(socket());
    socket.connect(listener.getLocalSocketAddress());
    return socket;
  }

  private Socket accepted() throws IOException {
    return open(listener.accept());
  }

  /** Returns an address that answers no attempt to connect, because its queue is full. */
  private InetSocketAddress silent() throws Exception {
    ServerSocket full = open(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    for (int i = 0; i < 20; i++) {
      SocketChannel waiting = open(SocketChannel.open());
      waiting.configureBlocking(false);
      boolean ignored = waiting.connect(full.getLocalSocketAddress());
    }
    return (InetSocketAddress) full.getLocalSocketAddress();
  }

  private CompletableFuture<Integer> connecting(
      Kind kind, Socket socket, InetSocketAddress target, int millis) {
    return threads.submit(
        kind,
        () -> {
          socket.connect(target, millis);
          return 0;
        });
  }

  @ParameterizedTest
  @EnumSource
  void aConnectEndsWithItsTime(Kind kind) throws Exception {
    Socket socket = open(socket());

    assertFailure(connecting(kind, socket, silent(), SOON_MILLIS))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("Connect timed out");
    assertThat(socket.isClosed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aCloseByAnotherThreadEndsAConnect(Kind kind) throws Exception {
    InetSocketAddress silent = silent();
    for (int i = 0; i < 20; i++) {
      Socket socket = open(socket());
      CompletableFuture<Integer> connecting = connecting(kind, socket, silent, 0);
      socket.close();

      assertFailure(connecting).isInstanceOf(SocketException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLATFORM")
  void anInterruptEndsAConnect(Kind kind) throws Exception {
    Socket socket = open(socket());
    InetSocketAddress silent = silent();
    CompletableFuture<Thread> connector = new CompletableFuture<>();
    CompletableFuture<Integer> connecting =
        threads.submit(
            kind,
            () -> {
              connector.complete(Thread.currentThread());
              try {
                socket.connect(silent);
                return 0;
              } finally {
                assertThat(Thread.interrupted()).isTrue();
              }
            });
    result(connector).interrupt();

    assertFailure(connecting).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
    assertThat(socket.isClosed()).isTrue();
  }

  /** Compares with a socket of the JDK. */
  @Test
  void hasTheOptionsOfSocketsOfTheJdk() throws Exception {
    Socket socket = connected();
    Socket other = open(new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort()));
    for (Socket each : List.of(socket, other)) {
      each.setTcpNoDelay(true);
      each.setKeepAlive(true);
      each.setSoLinger(true, 3);
      each.setSendBufferSize(40_000);
      each.setReceiveBufferSize(50_000);
      each.setReuseAddress(true);
      each.setOOBInline(true);
      each.setTrafficClass(0x10);
      each.setSoTimeout(17);
    }

    for (SocketOption<?> option : socket.supportedOptions()) {
      assertThat((Object) socket.getOption(option))
          .as(option.name())
          .isEqualTo(other.getOption(option));
    }
    assertThat(socket.supportedOptions())
        .contains(StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_KEEPALIVE);
    assertThat(socket.getTcpNoDelay()).isTrue();
    assertThat(socket.getKeepAlive()).isTrue();
    assertThat(socket.getOOBInline()).isTrue();
    assertThat(socket.getSoLinger()).isEqualTo(3);
    assertThat(socket.getSoTimeout()).isEqualTo(17);
    socket.setSoLinger(false, 0);
    assertThat(socket.getSoLinger()).isEqualTo(-1);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, false);
    assertThat(socket.getTcpNoDelay()).isFalse();
    assertThatThrownBy(() -> socket.sendUrgentData(1)).isInstanceOf(SocketException.class);
    socket.close();
    assertThatThrownBy(() -> socket.getTcpNoDelay()).isInstanceOf(SocketException.class);
  }

  @Test
  void refusesValuesThatAnOptionCannotHave() throws Exception {
    Socket socket = open(socket());
    for (SocketOption<?> option : socket.supportedOptions()) {
      assertThatThrownBy(() -> socket.setOption(option, null))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (int bad : new int[] {-1, 256}) {
      assertThatThrownBy(() -> socket.setOption(StandardSocketOptions.IP_TOS, bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> socket.setOption(StandardSocketOptions.SO_RCVBUF, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void takesTheAbsenceOfAHostForTheLoopbackAddress() throws Exception {
    SocketFactory factory = LoopSocketFactory.getDefault();
    String none = null;
    Socket socket = open(factory.createSocket(none, listener.getLocalPort()));
    Socket bound =
        open(
            factory.createSocket(
                none, listener.getLocalPort(), InetAddress.getLoopbackAddress(), 0));

    assertThat(socket.getInetAddress()).isEqualTo(InetAddress.getLoopbackAddress());
    assertThat(bound.getInetAddress()).isEqualTo(InetAddress.getLoopbackAddress());
  }

  /**
   * Like the constructors of {@link Socket}, which take only the absence of a name for the loopback
   * address.
   */
  @Test
  @SuppressWarnings("NullAway") // what is null must not be
  void rejectsTheAbsenceOfAnAddress() {
    SocketFactory factory = LoopSocketFactory.getDefault();
    InetAddress none = null;
    InetAddress local = InetAddress.getLoopbackAddress();
    int port = listener.getLocalPort();

    assertThatThrownBy(() -> factory.createSocket(none, port))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> factory.createSocket(none, port, local, 0))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void tellsItsAddresses() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Socket socket =
        open(
            LoopSocketFactory.getDefault()
                .createSocket(loopback, listener.getLocalPort(), loopback, 0));
    Socket peer = accepted();

    assertThat(socket.getLocalSocketAddress()).isEqualTo(peer.getRemoteSocketAddress());
    assertThat(socket.getRemoteSocketAddress()).isEqualTo(peer.getLocalSocketAddress());
    assertThat(socket.getInetAddress()).isEqualTo(loopback);
    assertThat(socket.isBound() && socket.isConnected()).isTrue();
    assertThatThrownBy(() -> socket.connect(listener.getLocalSocketAddress()))
        .isInstanceOf(SocketException.class);
  }

  @ParameterizedTest
  @EnumSource
  void connectsByIpv6(Kind kind) throws Exception {
    InetAddress loopback = InetAddress.ofLiteral("::1");
    ServerSocket six;
    try {
      six = open(new ServerSocket(0, 50, loopback));
    } catch (IOException absent) {
      six = abort("this machine has no IPv6: " + absent);
    }
    Socket socket = open(socket());
    assertThat(
            result(
                connecting(
                    kind, socket, (InetSocketAddress) six.getLocalSocketAddress(), LATER_MILLIS)))
        .isZero();

    assertThat(socket.getInetAddress()).isInstanceOf(Inet6Address.class).isEqualTo(loopback);
    assertThat(socket.getLocalAddress()).isEqualTo(loopback);
  }

  /** All that races with a close: bytes, the end of the time, and other closes. */
  @ParameterizedTest
  @EnumSource
  void aCloseLeavesNoDescriptorWhateverHappensMeanwhile(Kind kind) throws Exception {
    long before = Descriptors.sockets();
    for (int i = 0; i < MANY; i++) {
      Socket socket = socket();
      socket.connect(listener.getLocalSocketAddress());
      Socket peer = listener.accept();
      socket.setSoTimeout(1);
      InputStream in = socket.getInputStream();
      CompletableFuture<Integer> read =
          threads.submit(
              kind,
              () -> {
                int count = 0;
                while (!socket.isClosed()) {
                  try {
                    count += in.read();
                  } catch (SocketTimeoutException next) {
                    // reads again
                  } catch (SocketException closed) {
                    assertThat(closed).hasMessage("Socket closed");
                  }
                }
                return count;
              });
      peer.getOutputStream().write(1);
      CompletableFuture<Integer> closing =
          threads.submit(
              Kind.VIRTUAL,
              () -> {
                socket.close();
                return 0;
              });
      socket.close();
      result(closing);
      assertThat(result(read)).isLessThanOrEqualTo(1);
      peer.close();
    }

    Await.until("all sockets are closed", () -> Descriptors.sockets() <= before + clients(kind));
  }

  /** Returns how many sockets the requests of the test have left open, of both sides. */
  private static int clients(Kind kind) {
    return kind == Kind.CARRIED ? 2 * MANY : 0;
  }

  /** The thread that closes is parked, so that the loop that carries it isn't kept. */
  @ParameterizedTest
  @EnumSource
  void aCloseThatLingersParksItsThreadUntilThePeerHasRead(Kind kind) throws Exception {
    int bytes = 300_000; // more than the peer's system takes before somebody reads
    listener.setReceiveBufferSize(4096);
    Socket socket = open(socket());
    socket.setSendBufferSize(2 * bytes);
    socket.connect(listener.getLocalSocketAddress());
    socket.setSoLinger(true, LATER_MILLIS / 1000);
    CompletableFuture<Thread> closer = new CompletableFuture<>();
    CompletableFuture<Boolean> closed =
        threads.submit(
            kind,
            () -> {
              socket.setSoTimeout(SOON_MILLIS);
              assertThatThrownBy(() -> socket.getInputStream().read())
                  .isInstanceOf(SocketTimeoutException.class); // so that a loop watches it
              socket.getOutputStream().write(new byte[bytes]);
              closer.complete(Thread.currentThread());
              socket.close();
              return true;
            });
    Socket peer = accepted();
    Thread closing = result(closer);
    Await.until("the closing thread is parked", () -> closing.getState() == Thread.State.WAITING);

    assertThat(peer.getInputStream().readAllBytes()).hasSize(bytes);
    assertThat(result(closed)).isTrue();
  }

  @Test
  void aForgottenSocketIsClosed() throws Exception {
    threads.run(
        Kind.CARRIED,
        () -> {
          Socket forgotten = socket();
          forgotten.connect(listener.getLocalSocketAddress());
          forgotten.setSoTimeout(SOON_MILLIS);
          assertThatThrownBy(() -> forgotten.getInputStream().read())
              .isInstanceOf(SocketTimeoutException.class); // so that a loop watches it
        });
    Socket peer = accepted();
    CompletableFuture<Integer> end =
        threads.submit(Kind.PLATFORM, () -> peer.getInputStream().read());

    Await.until(
        "it is closed",
        () -> {
          System.gc();
          return end.isDone();
        });
    assertThat(result(end)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void aWaitGoesOnAfterTheEndOfTheServer(Kind kind) throws Exception {
    Socket socket = connected();
    Socket peer = accepted();
    CompletableFuture<Integer> read =
        threads.submit(
            kind,
            () -> {
              int first = socket.getInputStream().read();
              socket.getOutputStream().write(first);
              socket.setSoTimeout(LATER_MILLIS);
              return first + socket.getInputStream().read();
            });
    peer.getOutputStream().write(1);
    assertThat(peer.getInputStream().read()).isEqualTo(1);
    threads.server.close();
    peer.getOutputStream().write(2);

    assertThat(result(read)).isEqualTo(3);
  }

  /** Another thread takes the loop from the handler that keeps it. */
  @Test
  void isAnsweredWhileAHandlerKeepsTheLoopThatItWaitsIn() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Socket socket = connected();
    Socket peer = accepted();
    CompletableFuture<Integer> read =
        oneLoop(end, begun)
            .submit(
                Kind.CARRIED,
                () -> {
                  begun.await(); // on the same loop
                  return socket.getInputStream().read();
                });
    peer.getOutputStream().write(4);
    try {
      assertThat(result(read)).isEqualTo(4);
    } finally {
      end.countDown();
    }
  }

  /** Returns threads of a server with one loop, which a handler keeps. */
  private ClientThreads oneLoop(CountDownLatch end, CountDownLatch begun) {
    ClientThreads one = new ClientThreads(servers, options -> options.loops(1));
    var ignored =
        one.submit(
            Kind.CARRIED,
            () -> {
              begun.countDown();
              while (end.getCount() > 0) {
                Thread.onSpinWait();
              }
              return 0;
            });
    return one;
  }

  /** A thread that can't be unmounted keeps the loop, which another thread takes. */
  @Test
  void waitsInTheInitializerOfAClass() throws Exception {
    Socket socket = connected();
    Socket peer = accepted();
    Initialized.in = socket.getInputStream();
    CompletableFuture<Integer> read =
        new ClientThreads(servers, options -> options.loops(1))
            .submit(Kind.CARRIED, () -> Initialized.Late.READ);
    peer.getOutputStream().write(6);

    assertThat(result(read)).isEqualTo(6);
  }

  /** A class whose initializer reads. */
  private static final class Initialized {
    static @Nullable InputStream in;

    private static final class Late {
      static final int READ = read();

      private static int read() {
        try {
          return Objects.requireNonNull(in).read();
        } catch (IOException failure) {
          return -2;
        }
      }
    }
  }

  @Test
  void theFactoryCreatesPlainSocketsForAServerThatLeavesNoHandler() throws Exception {
    threads.server.close();
    servers.start(
        Handlers.blocking((request, response) -> response.text("")),
        options -> options.with(LoopSockets.create()));

    try (Socket plain = LoopSocketFactory.getDefault().createSocket()) {
      assertThat(plain.getClass()).isEqualTo(Socket.class);
    }
  }
}
