package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A queue and its pool, which have nothing left after each test: no block and no open file. */
final class TestedQueue implements AfterEachCallback {
  final BufferPool pool = new BufferPool();
  final OutboundQueue queue = new OutboundQueue(pool);

  private final List<FileChannel> files = new ArrayList<>();

  @Override
  public void afterEach(ExtensionContext context) {
    queue.clear();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.pendingBytes()).isZero();
    assertThat(pool.blocksInUse()).isZero();
    pool.close();
    assertThat(files).noneMatch(FileChannel::isOpen);
  }

  /** A file with those bytes from its third on; closed by the queue. */
  OpenFile file(byte[] content) throws IOException {
    Path path = Files.createTempFile("part", "");
    Files.write(path, Requests.join(new byte[3], content, new byte[5]));
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
    files.add(channel);
    return new OpenFile(channel);
  }

  void drain(ScriptedChannel channel) throws IOException {
    for (int i = 0; !queue.isEmpty(); i++) {
      assertThat(i).as("writes without an end").isLessThan(100_000);
      queue.writeTo(channel);
    }
  }

  static ByteBuffer direct(byte[] content) {
    return ByteBuffer.allocateDirect(content.length).put(content).flip();
  }
}
