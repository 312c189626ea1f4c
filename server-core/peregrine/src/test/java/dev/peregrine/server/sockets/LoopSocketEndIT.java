package dev.peregrine.server.sockets;

import static dev.peregrine.server.sockets.ClientThreads.assertFailure;
import static dev.peregrine.server.sockets.ClientThreads.result;
import static dev.peregrine.server.sockets.ClientThreads.socket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.sockets.ClientThreads.Kind;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many connections at a time that peers reset, half-close, answer or leave alone. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LoopSocketEndIT {
  private static final int THREADS = 8;
  private static final int EACH = 240;
  private static final int CLOSES = 100;

  @RegisterExtension final Servers servers = new Servers();
  private ClientThreads threads;
  private ServerSocket listener;

  @BeforeEach
  void start() throws Exception {
    threads = new ClientThreads(servers);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  @AfterEach
  void stop() throws Exception {
    if (listener != null) {
      listener.close();
    }
  }

  /** Does to a connection what its first byte says. */
  private void serve() {
    while (!listener.isClosed()) {
      try (Socket peer = listener.accept()) {
        int wish = peer.getInputStream().read();
        switch (wish & 3) {
          case 0 -> peer.setSoLinger(true, 0); // the close resets
          case 1 -> {
            peer.getOutputStream().write(wish);
            peer.setSoLinger(true, 0);
          }
          case 2 -> {
            peer.getOutputStream().write(wish);
            peer.shutdownOutput();
            int end = peer.getInputStream().read();
            assertThat(end).isEqualTo(-1);
          }
          default -> {
            int end = peer.getInputStream().read(); // the client closes while it reads
            assertThat(end).isEqualTo(-1);
          }
        }
      } catch (IOException next) {
        // A client has reset the connection, or the test has ended.
      }
    }
  }

  private int use(Kind kind, int count) throws Exception {
    int answers = 0;
    for (int i = 0; i < count; i++) {
      int wish = i & 0x7f;
      try (Socket socket = socket()) {
        socket.connect(listener.getLocalSocketAddress());
        InputStream in = socket.getInputStream();
        socket.getOutputStream().write(wish);
        if ((wish & 3) == 3) {
          Thread closer =
              kind.isVirtual()
                  ? Thread.startVirtualThread(() -> closeHard(socket))
                  : Thread.ofPlatform().start(() -> closeHard(socket));
          answers += read(in);
          closer.join();
        } else {
          answers += read(in);
        }
      }
    }
    return answers;
  }

  private static int read(InputStream in) throws IOException {
    try {
      int n = in.read(new byte[2]);
      if (n == 1) {
        assertThat(in.read()).isEqualTo(-1);
      }
      return Math.max(n, 0);
    } catch (SocketException ended) {
      assertThat(ended.getMessage()).isIn("Connection reset", "Socket closed");
      return 0;
    }
  }

  /** The thread looks once a millisecond. */
  @Test
  void anInterruptEndsAReadThatNoLoopWaitsFor() throws Exception {
    try (Socket socket = socket()) {
      socket.connect(listener.getLocalSocketAddress());
      socket.getOutputStream().write(3); // is left alone
      threads.server.close();
      CompletableFuture<Thread> reader = new CompletableFuture<>();
      CompletableFuture<Integer> read =
          threads.submit(
              Kind.VIRTUAL,
              () -> {
                reader.complete(Thread.currentThread());
                return socket.getInputStream().read();
              });
      result(reader).interrupt();

      assertFailure(read).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
      assertThat(socket.isClosed()).isTrue();
    }
  }

  private static void closeHard(Socket socket) {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyConnectionsLeaveNoDescriptor(Kind kind) throws Exception {
    long before = Descriptors.sockets();
    List<CompletableFuture<Integer>> users = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      users.add(threads.submit(kind, () -> use(kind, EACH)));
    }
    int answers = 0;
    for (CompletableFuture<Integer> user : users) {
      answers += result(user);
    }

    assertThat(answers).isEqualTo(THREADS * EACH / 4); // those before an end, not before a reset
    int requests = kind == Kind.CARRIED ? 2 * THREADS : 0; // both sides of each
    Await.until("all sockets are closed", () -> Descriptors.sockets() <= before + requests);
  }

  /** A loop that watches the socket sleeps when it is closed, and nothing wakes it afterwards. */
  @ParameterizedTest
  @EnumSource
  void aCloseIsNotLeftToALaterTurnOfTheLoop(Kind kind) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < CLOSES; i++) {
        try (Socket socket = socket()) {
          socket.connect(other.getLocalSocketAddress());
          try (Socket peer = other.accept()) {
            socket.setSoTimeout(1);
            assertFailure(threads.submit(kind, () -> socket.getInputStream().read()))
                .isInstanceOf(SocketTimeoutException.class);
            threads.run(
                kind,
                () -> {
                  socket.setSoLinger(true, 0); // otherwise the peer sees an end before the close
                  closeHard(socket);
                });
            assertThatThrownBy(() -> peer.getInputStream().read()).hasMessage("Connection reset");
          }
        }
      }
    }
  }
}
