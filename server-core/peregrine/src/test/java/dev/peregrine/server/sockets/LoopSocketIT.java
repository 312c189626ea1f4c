package dev.peregrine.server.sockets;

import static dev.peregrine.server.sockets.ClientThreads.assertFailure;
import static dev.peregrine.server.sockets.ClientThreads.result;
import static dev.peregrine.server.sockets.ClientThreads.socket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.sockets.ClientThreads.Kind;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Servers;
import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets of clients that wait in event loops, by what drivers do with them on all threads. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LoopSocketIT {
  private static final int LARGE = 3_000_000; // more than the buffers of the system take
  private static final int LATER_MILLIS = 3_600_000;
  private static final int SOON_MILLIS = 20;

  @RegisterExtension final Servers servers = new Servers();
  private ClientThreads threads;
  private ServerSocket listener;

  @BeforeEach
  void start() throws Exception {
    threads = new ClientThreads(servers);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws Exception {
    if (listener != null) {
      listener.close();
    }
  }

  private Socket connected(Kind kind) throws Exception {
    return threads.call(
        kind,
        () -> {
          Socket socket = socket();
          socket.connect(listener.getLocalSocketAddress());
          return socket;
        });
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void sendsAndReceivesMoreThanTheSystemBuffers(Kind kind) throws Exception {
    byte[] sent = bytes(LARGE);
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<byte[]> received =
          threads.submit(
              kind,
              () -> {
                OutputStream out = socket.getOutputStream();
                out.write(sent[0]);
                out.write(sent, 1, LARGE - 1);
                InputStream in = socket.getInputStream();
                byte[] echo = new byte[LARGE];
                echo[0] = (byte) in.read();
                new DataInputStream(in).readFully(echo, 1, LARGE - 1);
                return echo;
              });
      byte[] seen = peer.getInputStream().readNBytes(LARGE);
      assertThat(seen).isEqualTo(sent);
      peer.getOutputStream().write(seen);

      assertThat(result(received)).isEqualTo(sent);
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersManySmallMessages(Kind kind) throws Exception {
    int count = 2_000;
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      socket.setTcpNoDelay(true);
      peer.setTcpNoDelay(true);
      CompletableFuture<Integer> sum =
          threads.submit(
              kind,
              () -> {
                int total = 0;
                for (int i = 0; i < count; i++) {
                  socket.getOutputStream().write(i);
                  total += socket.getInputStream().read();
                }
                return total;
              });
      for (int i = 0; i < count; i++) {
        peer.getOutputStream().write(peer.getInputStream().read() & 0x7f);
      }

      int expected = 0;
      for (int i = 0; i < count; i++) {
        expected += i & 0x7f;
      }
      assertThat(result(sum)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsTheEndAfterTheLastBytes(Kind kind) throws Exception {
    for (int i = 0; i < 50; i++) {
      try (Socket socket = connected(kind)) {
        CompletableFuture<String> read =
            threads.submit(
                kind,
                () -> {
                  InputStream in = socket.getInputStream();
                  byte[] some = new byte[100];
                  int n = in.read(some);
                  return new String(some, 0, n, StandardCharsets.US_ASCII)
                      + in.read(some)
                      + in.read();
                });
        try (Socket peer = listener.accept()) {
          peer.getOutputStream().write("end".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(result(read)).isEqualTo("end-1-1");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsOnAfterATimeout(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      socket.setSoTimeout(SOON_MILLIS);
      assertFailure(threads.submit(kind, () -> socket.getInputStream().read()))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("Read timed out");
      socket.setSoTimeout(LATER_MILLIS);
      CompletableFuture<Integer> read = threads.submit(kind, () -> socket.getInputStream().read());
      peer.getOutputStream().write(7);

      assertThat(result(read)).isEqualTo(7);
      assertThat(socket.getSoTimeout()).isEqualTo(LATER_MILLIS);
    }
  }

  /** The timer of the long wait isn't due when the short one ends. */
  @ParameterizedTest
  @EnumSource
  void timesOutEarlierThanTheWaitBefore(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      socket.setSoTimeout(LATER_MILLIS);
      CompletableFuture<Integer> read =
          threads.submit(
              kind,
              () -> {
                int first = socket.getInputStream().read();
                socket.setSoTimeout(SOON_MILLIS);
                assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
                assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
                return first;
              });
      peer.getOutputStream().write(1);

      assertThat(result(read)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("try") // closes early
  void aCloseByAnotherThreadEndsARead(Kind kind) throws Exception {
    for (int i = 0; i < 50; i++) {
      try (Socket socket = connected(kind);
          Socket peer = listener.accept()) {
        InputStream in = socket.getInputStream();
        CompletableFuture<Integer> read = threads.submit(kind, in::read);
        socket.close();

        assertFailure(read).isInstanceOf(SocketException.class).hasMessage("Socket closed");
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("try") // closes early
  void aCloseByAnotherThreadEndsAWrite(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<Integer> write =
          threads.submit(
              kind,
              () -> {
                byte[] block = new byte[LARGE];
                while (true) {
                  socket.getOutputStream().write(block);
                }
              });
      assertThat(peer.getInputStream().readNBytes(LARGE)).hasSize(LARGE);
      socket.close();

      assertFailure(write).isInstanceOf(SocketException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLATFORM")
  void anInterruptEndsAReadAndClosesTheSocket(Kind kind) throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Socket socket = connected(kind);
          Socket peer = listener.accept()) {
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<Integer> read =
            threads.submit(
                kind,
                () -> {
                  reader.complete(Thread.currentThread());
                  try {
                    return socket.getInputStream().read();
                  } finally {
                    assertThat(Thread.interrupted()).isTrue();
                  }
                });
        result(reader).interrupt();

        assertFailure(read).isInstanceOf(SocketException.class).hasMessage("Closed by interrupt");
        assertThat(socket.isClosed()).isTrue();
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "PLATFORM")
  void anInterruptChangesNothingForAPlatformThread(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<Integer> read =
          threads.submit(
              kind,
              () -> {
                Thread.currentThread().interrupt();
                return socket.getInputStream().read();
              });
      peer.getOutputStream().write(3);

      assertThat(result(read)).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedConnectClosesTheSocket(Kind kind) throws Exception {
    InetSocketAddress nobody = (InetSocketAddress) listener.getLocalSocketAddress();
    listener.close();
    Socket socket = socket();

    assertFailure(
            threads.submit(
                kind,
                () -> {
                  socket.connect(nobody, LATER_MILLIS);
                  return 0;
                }))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Connection refused");
    assertThat(socket.isClosed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownHostIsReported(Kind kind) throws Exception {
    try (Socket socket = socket()) {
      InetSocketAddress unknown = InetSocketAddress.createUnresolved("nobody.invalid", 1);

      assertFailure(
              threads.submit(
                  kind,
                  () -> {
                    socket.connect(unknown);
                    return 0;
                  }))
          .isInstanceOf(UnknownHostException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theEndOfItsInputEndsARead(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      InputStream in = socket.getInputStream();
      CompletableFuture<Integer> read = threads.submit(kind, in::read);
      socket.shutdownInput();

      assertThat(result(read)).isEqualTo(-1);
      assertThat(threads.call(kind, in::available)).isZero();
      socket.getOutputStream().write(5);
      assertThat(peer.getInputStream().read()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsAfterTheEndOfItsOutput(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<Integer> read =
          threads.submit(
              kind,
              () -> {
                socket.getOutputStream().write(1);
                socket.shutdownOutput();
                return socket.getInputStream().read();
              });
      assertThat(peer.getInputStream().readAllBytes()).containsExactly(1);
      peer.getOutputStream().write(9);

      assertThat(result(read)).isEqualTo(9);
      assertThat(socket.isOutputShutdown()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aResetIsReportedByEachRead(Kind kind) throws Exception {
    try (Socket socket = connected(kind)) {
      InputStream in = socket.getInputStream();
      CompletableFuture<Integer> read = threads.submit(kind, in::read);
      Socket peer = listener.accept();
      peer.setSoLinger(true, 0);
      peer.close();

      assertFailure(read).isInstanceOf(SocketException.class).hasMessage("Connection reset");
      assertFailure(threads.submit(kind, in::read)).hasMessage("Connection reset");
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("try") // closes early
  void aSocketThatLingersForNoTimeIsReset(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      threads.run(
          kind,
          () -> {
            socket.setSoLinger(true, 0);
            socket.close();
          });

      assertThatThrownBy(() -> peer.getInputStream().read()).hasMessage("Connection reset");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsWhatCanBeReadAtOnce(Kind kind) throws Exception {
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      peer.getOutputStream().write(new byte[10]);

      assertThat(
              threads.call(
                  kind,
                  () -> {
                    int first = socket.getInputStream().read();
                    return first + socket.getInputStream().available();
                  }))
          .isEqualTo(9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void carriesTls(Kind kind) throws Exception {
    byte[] sent = bytes(LARGE);
    SSLSocketFactory factory = Certificates.client().getSocketFactory();
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<byte[]> received =
          threads.submit(
              kind,
              () -> {
                Socket secure = factory.createSocket(socket, "localhost", 1, true);
                secure.setSoTimeout(LATER_MILLIS);
                secure.getOutputStream().write(sent);
                return secure.getInputStream().readNBytes(LARGE);
              });
      SSLSocket secured =
          (SSLSocket)
              Certificates.client(Certificates.LOCALHOST)
                  .getSocketFactory()
                  .createSocket(peer, null, peer.getPort(), true);
      secured.setUseClientMode(false);
      byte[] seen = secured.getInputStream().readNBytes(LARGE);
      secured.getOutputStream().write(seen);

      assertThat(result(received)).isEqualTo(sent);
    }
  }

  /** Each exchange waits on another thread, so that the socket moves from loop to loop. */
  @ParameterizedTest
  @EnumSource
  void isPassedOnBetweenThreadsOfAllKinds(Kind first) throws Exception {
    try (Socket socket = connected(first);
        Socket peer = listener.accept()) {
      for (int i = 0; i < 200; i++) {
        Kind kind = List.of(first, Kind.CARRIED, Kind.VIRTUAL, Kind.PLATFORM).get(i % 4);
        int sent = i & 0x7f;
        CompletableFuture<Integer> read =
            threads.submit(
                kind,
                () -> {
                  socket.setSoTimeout(LATER_MILLIS);
                  socket.getOutputStream().write(sent);
                  return socket.getInputStream().read();
                });
        peer.getOutputStream().write(peer.getInputStream().read());

        assertThat(result(read)).isEqualTo(sent);
      }
    }
  }

  /** Reads and writes wait at the same time, in different loops. */
  @ParameterizedTest
  @EnumSource
  void readsWhileAnotherThreadWrites(Kind kind) throws Exception {
    byte[] sent = bytes(LARGE);
    try (Socket socket = connected(kind);
        Socket peer = listener.accept()) {
      CompletableFuture<byte[]> received =
          threads.submit(kind, () -> socket.getInputStream().readNBytes(LARGE));
      CompletableFuture<Integer> written =
          threads.submit(
              kind,
              () -> {
                socket.getOutputStream().write(sent);
                return LARGE;
              });
      byte[] some = new byte[10_000];
      int left = LARGE;
      while (left > 0) {
        int n = peer.getInputStream().read(some);
        peer.getOutputStream().write(some, 0, n);
        left -= n;
      }

      assertThat(result(written)).isEqualTo(LARGE);
      assertThat(result(received)).isEqualTo(sent);
    }
  }
}
