package dev.peregrine.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The ends of a connection, on every transport. */
class TransportEndTest extends OnEveryTransport {
  @Test
  void endsItsSideAndContinuesToRead() throws IOException {
    Pair pair = pair();
    pair.socket.shutdownOutput();
    assertThat(pair.client.getInputStream().read()).isEqualTo(-1);
    pair.client.getOutputStream().write(new byte[3]);
    until(() -> pair.told.times() > 0);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(3);
  }

  @Test
  void resets() throws IOException {
    Pair pair = pair();
    pair.socket.reset();
    assertThat(pair.socket.isOpen()).isFalse();
    poll(0); // java.nio closes attached channels in a poll
    assertThatThrownBy(() -> pair.client.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    pair.socket.close();
  }

  @Test
  void endsTheStreamWhenItIsClosedEvenTwice() throws IOException {
    Pair pair = pair();
    pair.socket.close();
    pair.socket.close();
    assertThat(pair.socket.isOpen()).isFalse();
    assertThat(pair.client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void closesWhatWasNeverAttached() throws IOException {
    Socket first = connect();
    Socket second = connect();
    until(() -> listening.times() > 0);
    Objects.requireNonNull(listener.accept()).close();
    Objects.requireNonNull(listener.accept()).reset();
    assertThat(first.getInputStream().read()).isEqualTo(-1);
    assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketException.class);
  }
}
