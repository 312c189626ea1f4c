package dev.peregrine.server;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A file of some megabytes to send. Every opened channel must be closed in the end. */
abstract class SentFiles {
  static final byte[] CONTENT = Requests.content(3_000_000);
  static final int SMALL_WINDOW_BYTES = 4 * 1024;

  @RegisterExtension final Servers servers = new Servers();
  final List<FileChannel> channels = new CopyOnWriteArrayList<>();

  @TempDir Path dir;
  Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.write(dir.resolve("content"), CONTENT);
  }

  @AfterEach
  void closesEveryChannel() {
    Await.until("all channels are closed", () -> channels.stream().noneMatch(FileChannel::isOpen));
    if (Descriptors.areVisible()) {
      Await.until(
          () -> Descriptors.ofFilesIn(dir).toString(), () -> Descriptors.ofFilesIn(dir).isEmpty());
    }
  }

  /** Appends zeros, so that the system's buffers don't take the file. */
  void lengthen() throws IOException {
    try (FileChannel longer = FileChannel.open(file, StandardOpenOption.WRITE)) {
      longer.write(ByteBuffer.allocate(1), SystemBuffers.MORE_BYTES - 1);
    }
  }

  FileChannel open() throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    channels.add(channel);
    return channel;
  }

  Handler sending(long position, long count) {
    return (request, response) -> response.send(open(), position, count);
  }

  static byte[] part(int from, int to) {
    return Arrays.copyOfRange(CONTENT, from, to);
  }
}
