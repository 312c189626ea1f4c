package dev.peregrine.server.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Readiness to read, and reading, on every transport. */
class TransportReadTest extends OnEveryTransport {
  @Test
  void readsReceivedBytes() throws IOException {
    for (boolean direct : new boolean[] {true, false}) {
      Pair pair = pair();
      pair.client.getOutputStream().write("hello".getBytes(US_ASCII));
      until(() -> pair.told.times() > 0);
      assertThat(pair.told.ops.getFirst()).isEqualTo(Ready.READ);
      ByteBuffer target = direct ? ByteBuffer.allocateDirect(16) : ByteBuffer.allocate(16);
      target.position(3);
      assertThat(pair.socket.read(target)).isEqualTo(5);
      assertThat(target.position()).isEqualTo(8);
      assertThat(US_ASCII.decode(target.flip().position(3)).toString()).isEqualTo("hello");
      assertThat(pair.socket.read(target.clear())).isZero();
      assertThat(pair.socket.read(target.limit(0))).isZero();
    }
  }

  @Test
  void notifiesAgainWhileBytesAreLeft() throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(10);
    Pair pair = pair();
    pair.react = ops -> pair.socket.read(target.clear());
    pair.client.getOutputStream().write(new byte[95]);
    until(() -> pair.told.times() == 10);
    assertThat(target.position()).isEqualTo(5);
    poll(0);
    assertThat(pair.told.times()).isEqualTo(10);
  }

  @Test
  void notifiesAgainOfBytesThatTheHandlerDidNotRead() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(1);
    until(() -> pair.told.times() == 3);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(1);
  }

  @Test
  void notifiesOfTheEndOfTheStream() throws IOException {
    Pair pair = pair();
    pair.client.shutdownOutput();
    until(() -> pair.told.times() > 0);
    ByteBuffer target = ByteBuffer.allocateDirect(8);
    assertThat(pair.socket.read(target)).isEqualTo(-1);
    int before = pair.told.times();
    until(() -> pair.told.times() > before);
    assertThat(pair.socket.read(target)).isEqualTo(-1);
  }

  @Test
  void notifiesOfTheEndThatArrivedWithTheLastBytes() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(new byte[5]);
    pair.client.shutdownOutput();
    List<Integer> reads = new ArrayList<>();
    pair.react = ops -> reads.add(pair.socket.read(ByteBuffer.allocateDirect(8)));
    until(() -> reads.contains(-1));
    assertThat(reads.stream().filter(n -> n > 0).mapToInt(n -> n).sum()).isEqualTo(5);
  }

  @Test
  void notifiesOfTheEndThatArrivedWithoutInterest() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(new byte[5]);
    until(() -> pair.told.times() > 0);
    pair.socket.interest(0);
    pair.client.shutdownOutput();
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(5);
    poll(0);
    int before = pair.told.times();
    pair.socket.interest(Ready.READ);
    until(() -> pair.told.times() > before);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(-1);
  }

  @Test
  void failsToReadAfterAReset() throws IOException {
    Pair pair = pair();
    pair.client.setSoLinger(true, 0);
    pair.client.close();
    until(() -> pair.told.times() > 0);
    assertThatThrownBy(() -> pair.socket.read(ByteBuffer.allocateDirect(8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Connection reset");
  }

  @Test
  void notifiesAConnectionThatOnlyWaitsToWriteOfAReset() throws IOException {
    Pair pair = pair();
    fill(pair.socket);
    pair.socket.interest(Ready.WRITE);
    poll(0);
    pair.told.ops.clear();
    pair.client.setSoLinger(true, 0);
    pair.client.close();
    until(() -> pair.told.times() > 0);
    assertThatThrownBy(() -> pair.socket.write(ByteBuffer.allocateDirect(8)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void readsAroundUrgentData() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write("ab".getBytes(US_ASCII));
    pair.client.sendUrgentData('!');
    pair.client.getOutputStream().write("cd".getBytes(US_ASCII));
    StringBuilder text = new StringBuilder();
    pair.react =
        ops -> {
          ByteBuffer target = ByteBuffer.allocateDirect(8);
          pair.socket.read(target);
          text.append(US_ASCII.decode(target.flip()));
        };
    until(() -> text.length() >= 4);
    assertThat(text).hasToString("abcd");
  }
}
