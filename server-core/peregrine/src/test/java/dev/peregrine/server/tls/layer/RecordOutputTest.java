package dev.peregrine.server.tls.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScarceMemory;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordOutputTest {
  private static final int PACKET_BYTES = 1369;
  private static final int FIRST_BYTES = 40 * 1024;
  private static final int CALLS_MAX = 10_000;

  private final ScarceMemory memory = new ScarceMemory();
  private final ScriptedLoop loop = new ScriptedLoop(System::nanoTime, memory);
  private final ScriptedSocket socket = new ScriptedSocket();
  private final PlainRecords session = new PlainRecords();

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
  }

  private RecordOutput output() {
    return new RecordOutput(
        socket, new TlsLoop(loop.loop(), new CurrentContext(List.of()), ServerLimits.DEFAULT));
  }

  private static ByteBuffer direct(byte[] content) {
    return ByteBuffer.allocateDirect(content.length).put(content).flip();
  }

  private byte[] sentContent() {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    PlainRecords.contents(socket.written()).forEach(content::writeBytes);
    return content.toByteArray();
  }

  @Test
  void joinsSmallPiecesToOneRecord() {
    ByteBuffer[] pieces = {direct(new byte[] {1, 2}), direct(new byte[] {3}), direct(new byte[5])};
    loop.run(
        () -> {
          assertThat(output().write(session, pieces, 0, 3)).isEqualTo(8);

          assertThat(PlainRecords.contents(socket.written()))
              .containsExactly(new byte[] {1, 2, 3, 0, 0, 0, 0, 0});
          assertThat(socket.writes()).isEqualTo(1);
        });
  }

  @Test
  void countsContentAsWrittenOnceItsRecordsAreSent() {
    byte[] content = Requests.content(100_000);
    ByteBuffer source = direct(content);
    socket.takePerWrite(() -> 777);
    loop.run(
        () -> {
          RecordOutput output = output();
          long written = 0;
          for (int call = 0; source.hasRemaining(); call++) {
            assertThat(call).isLessThan(CALLS_MAX);
            written += output.write(session, new ByteBuffer[] {source}, 0, 1);

            assertThat(source.position()).isEqualTo(written);
            assertThat(written).isLessThanOrEqualTo(socket.written().length);
          }
          assertThat(output.isBlocked()).isFalse();
          assertThat(sentContent()).isEqualTo(content);
        });
  }

  @Test
  void sendsRecordsOfAPacketUntilTheWindowOfTheNetworkHasGrown() {
    ByteBuffer source = direct(new byte[200_000]);
    loop.run(
        () -> {
          RecordOutput output = output();
          while (source.hasRemaining()) {
            output.write(session, new ByteBuffer[] {source}, 0, 1);
          }
          List<Integer> sizes =
              PlainRecords.contents(socket.written()).stream().map(one -> one.length).toList();
          int small = Math.ceilDiv(FIRST_BYTES, PACKET_BYTES);
          assertThat(sizes.subList(0, small)).containsOnly(PACKET_BYTES);
          assertThat(sizes.get(small)).isEqualTo(TlsSession.CONTENT_BYTES_MAX);
        });
  }

  @Test
  void dropsRecordsThatWait() {
    socket.takePerWrite(() -> 0);
    loop.run(
        () -> {
          RecordOutput output = output();
          output.write(session, new ByteBuffer[] {direct(new byte[10])}, 0, 1);
          assertThat(output.isBlocked()).isTrue();

          output.drop();

          assertThat(output.isBlocked()).isFalse();
          assertThat(loop.loop().bufferPool().blocksInUse()).isZero();
        });
  }

  @Test
  void sendsNoContentTwiceOnceMemoryHasRunOut() {
    BufferPool pool = loop.loop().bufferPool();
    ByteBuffer source = direct(Requests.content(100_000));
    socket.takePerWrite(
        () -> {
          memory.exhaust(pool); // so that the rest can't be kept
          return 777;
        });
    loop.run(
        () -> {
          RecordOutput output = output();
          ByteBuffer[] sources = {source};
          try {
            assertThatThrownBy(() -> output.write(session, sources, 0, 1))
                .isInstanceOf(OutOfMemoryError.class);
          } finally {
            memory.giveBack(pool);
          }
          int sent = socket.written().length;

          source.rewind(); // as its owner does, who doesn't know that any was sent
          assertThatThrownBy(() -> output.write(session, sources, 0, 1))
              .isInstanceOf(IOException.class);

          assertThat(socket.written()).hasSize(sent);
        });
  }

  @Test
  void sendsAFileInAsManyCallsAsTheSocketNeeds(@TempDir Path folder) throws IOException {
    byte[] content = Requests.content(150_000);
    Path file = Files.write(folder.resolve("content"), content);
    socket.takePerWrite(() -> 20_000);
    try (FileChannel channel = FileChannel.open(file)) {
      loop.run(
          () -> {
            RecordOutput output = output();
            long sent = 0;
            for (int call = 0; sent < content.length; call++) {
              assertThat(call).isLessThan(CALLS_MAX);
              sent += output.sendFile(session, channel, sent, content.length - sent);
            }
            assertThat(sentContent()).isEqualTo(content);
          });
    }
  }
}
