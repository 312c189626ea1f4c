package dev.peregrine.server.sockets;

import static dev.peregrine.server.sockets.ClientThreads.socket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.sockets.ClientThreads.Kind;
import dev.peregrine.testing.Servers;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads of less than what has arrived, which take one byte more from the system. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LoopInputIT {
  @RegisterExtension final Servers servers = new Servers();
  private ClientThreads threads;
  private ServerSocket listener;
  private Socket socket;
  private Socket peer;
  private InputStream in; // of the socket, which gives none after a shutdown

  @BeforeEach
  void start() throws Exception {
    threads = new ClientThreads(servers);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket = socket();
    socket.connect(listener.getLocalSocketAddress());
    in = socket.getInputStream();
    peer = listener.accept();
  }

  @AfterEach
  void stop() throws Exception {
    if (peer != null) {
      peer.close();
      socket.close();
      listener.close();
    }
  }

  private void send(int... bytes) throws Exception {
    byte[] sent = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      sent[i] = (byte) bytes[i];
    }
    peer.getOutputStream().write(sent);
  }

  private byte[] read(Kind kind, int most) throws Exception {
    return threads.call(
        kind,
        () -> {
          byte[] target = new byte[most];
          int n = in.read(target);
          return Arrays.copyOf(target, Math.max(n, 0));
        });
  }

  @ParameterizedTest
  @EnumSource
  void readsAllBytesByAnyLengths(Kind kind) throws Exception {
    byte[] sent = new byte[400_000];
    new Random(1).nextBytes(sent);
    CompletableFuture<byte[]> received =
        threads.submit(
            kind,
            () -> {
              Random random = new Random(2);
              byte[] target = new byte[sent.length + 1];
              int at = 0;
              int n = 0;
              while (n >= 0) {
                at += n;
                int length = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(80_000);
                n = in.read(target, at, Math.min(length, target.length - at));
              }
              return Arrays.copyOf(target, at);
            });
    OutputStream out = peer.getOutputStream();
    Random random = new Random(3);
    int at = 0;
    while (at < sent.length) {
      int length = Math.min(1 + random.nextInt(50_000), sent.length - at);
      out.write(sent, at, length);
      at += length;
    }
    peer.shutdownOutput();

    assertThat(ClientThreads.result(received)).isEqualTo(sent);
  }

  @ParameterizedTest
  @EnumSource
  void theByteBeyondIsAvailable(Kind kind) throws Exception {
    send(1, 2, 3, 4, 5);

    assertThat(read(kind, 2)).containsExactly(1, 2);
    assertThat(in.available()).isEqualTo(3);
    assertThat(read(kind, 1)).containsExactly(3);
    assertThat(read(kind, 9)).containsExactly(4, 5);
    assertThat(in.available()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theByteBeyondComesBeforeTheEnd(Kind kind) throws Exception {
    send(1, 2, 3);
    peer.close();

    assertThat(read(kind, 2)).containsExactly(1, 2);
    assertThat(read(kind, 9)).containsExactly(3);
    assertThat(read(kind, 9)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theByteBeyondComesBeforeAReset(Kind kind) throws Exception {
    send(1, 2, 3);
    assertThat(read(kind, 2)).containsExactly(1, 2);
    peer.setSoLinger(true, 0);
    peer.close();

    assertThat(read(kind, 9)).containsExactly(3);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> read(kind, 9))
          .cause()
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theByteBeyondIsGoneAfterAShutdown(Kind kind) throws Exception {
    send(1, 2, 3);
    assertThat(read(kind, 2)).containsExactly(1, 2);
    socket.shutdownInput();

    assertThat(in.available()).isZero();
    assertThat(read(kind, 9)).isEmpty();
  }
}
