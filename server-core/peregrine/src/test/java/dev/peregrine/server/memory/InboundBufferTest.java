package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InboundBufferTest {
  private final ScriptedLoop loop = new ScriptedLoop();
  private final BufferPool pool = loop.loop().bufferPool();
  private final ScriptedSocket socket = new ScriptedSocket();
  private final InboundBuffer buffer = new InboundBuffer(pool);
  private @Nullable Block carried; // by a connection, between two turns
  private final int idleBlocks = pool.blocksInUse();

  @AfterEach
  void close() {
    assertThat(pool.blocksInUse()).isEqualTo(idleBlocks);
    loop.atEnd(() -> buffer.close());
    loop.start();
    loop.close();
  }

  @Test
  void isEmptyWithoutACarry() {
    begin();

    assertThat(buffer.isEmpty()).isTrue();
    assertThat(buffer.from()).isEqualTo(buffer.to());
    end();
  }

  @Test
  void readsAfterThePresentBytes() throws IOException {
    socket.receive("abc").receive("def");
    begin();

    assertThat(read()).isEqualTo(3);
    assertThat(read()).isEqualTo(3);
    assertThat(read()).isZero();
    assertThat(text()).isEqualTo("abcdef");

    socket.receiveEnd();
    assertThat(read()).isEqualTo(-1);
    assertThat(text()).isEqualTo("abcdef");
    buffer.consumeAll();
    end();
  }

  @Test
  void readsNoMoreThanItMayHold() throws IOException {
    socket.receive("abcdef");
    begin();

    assertThat(buffer.read(socket, 2, 0)).isEqualTo(2);
    buffer.consumeTo(1);
    assertThat(buffer.read(socket, 4, 0)).isEqualTo(3);
    assertThat(text()).isEqualTo("bcde");
    buffer.consumeAll();
    end();
  }

  @Test
  void bringsMoreInALongRead() throws IOException {
    byte[] content = Requests.content(1_000_000);
    socket.receive(content);
    begin();

    assertThat(read()).isEqualTo(InboundBuffer.READ_BYTES - BufferPool.SLACK_BYTES);
    buffer.consumeAll();
    end();
    begin();
    assertThat(buffer.read(socket, Integer.MAX_VALUE, Long.MAX_VALUE))
        .isEqualTo(InboundBuffer.LONG_READ_BYTES - BufferPool.SLACK_BYTES);
    assertThat(bytes())
        .isEqualTo(
            Arrays.copyOfRange(
                content,
                InboundBuffer.READ_BYTES - BufferPool.SLACK_BYTES,
                InboundBuffer.READ_BYTES
                    + InboundBuffer.LONG_READ_BYTES
                    - 2 * BufferPool.SLACK_BYTES));
    buffer.consumeAll();
    end();
  }

  @Test
  void readsNoMoreInALongReadThanTheBufferMayHold() throws IOException {
    socket.receive(Requests.content(200_000));
    begin();

    assertThat(buffer.read(socket, 100_000, Long.MAX_VALUE)).isEqualTo(100_000);
    assertThat(buffer.read(socket, 100_000, Long.MAX_VALUE)).isZero();
    assertThat(buffer.read(socket, 100_001, Long.MAX_VALUE)).isEqualTo(1);
    buffer.consumeAll();
    end();
  }

  @Test
  void mixesLongReadsWithOthers() throws IOException {
    byte[] content = Requests.content(600_000);
    socket.receive(content);
    begin();
    while (buffer.to() - buffer.from() < content.length) {
      assertThat(buffer.read(socket, Integer.MAX_VALUE, Long.MAX_VALUE)).isPositive();
      read();
      assertThat(buffer.block().capacity() - buffer.to())
          .isGreaterThanOrEqualTo(BufferPool.SLACK_BYTES);
    }
    assertThat(bytes()).isEqualTo(content);
    buffer.consumeAll();
    end();
  }

  @Test
  void readsIntoAnotherBlockWhileOneIsPinned() throws IOException {
    socket.receive("abc").receive("DEF");
    begin();
    read();
    Block pinned = buffer.block();
    pool.pin(pinned);
    pool.pin(pinned);
    buffer.consumeTo(2);
    end(); // carries over the third byte
    begin();

    read();

    assertThat(text()).isEqualTo("cDEF");
    assertThat(pinned.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'a');
    assertThat(pinned.segment().get(ValueLayout.JAVA_BYTE, 2)).isEqualTo((byte) 'c');
    buffer.consumeAll();
    end();
    pool.unpin(pinned);
    assertThat(pool.blocksInUse()).isEqualTo(idleBlocks + 1);
    pool.unpin(pinned);
  }

  @Test
  void consumesOnlyReceivedBytes() throws IOException {
    begin();
    socket.receive("abc");
    read();
    buffer.consumeTo(1);

    assertThat(text()).isEqualTo("bc");
    assertThatThrownBy(() -> buffer.consumeTo(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.consumeTo(4)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.consumeTo(3);
    assertThat(buffer.isEmpty()).isTrue();
    end();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4031, 4032, 4033, 4095, 4096, 4097, 30_000, 65_472, 65_473, 300_000})
  void carriesBytesFromTurnToTurn(int size) throws IOException {
    byte[] content = Requests.content(size);
    socket.receive(content);
    begin();
    while (buffer.to() - buffer.from() < size) {
      assertThat(read()).isPositive();
    }
    end();
    assertThat(Objects.requireNonNull(carried).contentTo() - carried.contentFrom()).isEqualTo(size);

    for (int turn = 0; turn < 3; turn++) {
      begin();
      assertThat(bytes()).isEqualTo(content);
      end();
    }
    begin();
    buffer.consumeAll();
    end();
    assertThat(carried).isNull();
  }

  @Test
  void holdsASmallBlockForFewBytes() throws IOException {
    socket.receive("GET / HT");
    begin();
    read();
    long before = pool.bytesInUse();
    end();

    assertThat(pool.bytesInUse() - before).isEqualTo(BufferPool.BLOCK_BYTES_MIN);
    begin();
    assertThat(pool.bytesInUse()).isEqualTo(before);
    buffer.consumeAll();
    end();
  }

  @Test
  void isLentOnceInATurn() {
    begin();
    assertThat(buffer.isLent()).isFalse();
    assertThat(buffer.lend()).isTrue();
    assertThat(buffer.isLent()).isTrue();
    assertThat(buffer.lend()).isFalse();
    end();
    begin();
    assertThat(buffer.isLent()).isFalse();
    assertThat(buffer.lend()).isTrue();
    end();
  }

  @Test
  void leavesTheSlackOfItsBlockUnused() throws IOException {
    socket.receive(new byte[1_000_000]);
    begin();
    for (int i = 0; i < 100; i++) {
      read();
      assertThat(buffer.block().capacity() - buffer.to())
          .isGreaterThanOrEqualTo(BufferPool.SLACK_BYTES);
    }
    buffer.consumeAll();
    end();
  }

  @Test
  void givesEveryByteOnceInOrderToOneOfManyConnections() {
    Seeds.each(
        50,
        random -> {
          @Nullable Block[] carried = new Block[5];
          ScriptedSocket[] sockets = new ScriptedSocket[5];
          ByteArrayOutputStream[] sent = new ByteArrayOutputStream[5];
          ByteArrayOutputStream[] got = new ByteArrayOutputStream[5];
          for (int i = 0; i < 5; i++) {
            sockets[i] = new ScriptedSocket();
            sent[i] = new ByteArrayOutputStream();
            got[i] = new ByteArrayOutputStream();
          }
          for (int turn = 0; turn < 300; turn++) {
            int i = random.nextInt(5);
            byte[] bytes = new byte[random.nextInt(random.nextInt(4) == 0 ? 90_000 : 900)];
            random.nextBytes(bytes);
            sent[i].writeBytes(bytes);
            sockets[i].receive(bytes);
            buffer.begin(carried[i]);
            for (int reads = random.nextInt(3); reads > 0; reads--) {
              buffer.read(sockets[i], Integer.MAX_VALUE, 0);
            }
            int take =
                random.nextBoolean()
                    ? buffer.to() - buffer.from()
                    : random.nextInt(buffer.to() - buffer.from() + 1);
            got[i].writeBytes(Arrays.copyOf(bytes(), take));
            buffer.consumeTo(buffer.from() + take);
            carried[i] = buffer.end();
          }
          for (int i = 0; i < 5; i++) {
            buffer.begin(carried[i]);
            while (buffer.read(sockets[i], Integer.MAX_VALUE, 0) > 0) {
              // All of it.
            }
            got[i].writeBytes(bytes());
            buffer.consumeAll();
            carried[i] = buffer.end();
            assertThat(got[i].toByteArray()).isEqualTo(sent[i].toByteArray());
          }
        });
  }

  private void begin() {
    buffer.begin(carried);
  }

  private void end() {
    carried = buffer.end();
  }

  private int read() throws IOException {
    return buffer.read(socket, Integer.MAX_VALUE, 0);
  }

  private byte[] bytes() {
    return buffer
        .segment()
        .asSlice(buffer.from(), buffer.to() - buffer.from())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  private String text() {
    return new String(bytes(), StandardCharsets.US_ASCII);
  }
}
