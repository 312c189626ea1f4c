package dev.peregrine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Descriptors;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxFileTest {
  private static final byte[] CONTENT = Requests.content(200_000);

  private final CallPool pool = new CallPool();

  @TempDir private Path dir;
  private Path path;
  private LinuxFile file;

  @BeforeEach
  void open() throws IOException {
    String problem = Linux.problem();
    assumeTrue(problem == null, problem);
    path = Files.write(dir.resolve("file"), CONTENT);
    FileCalls calls = pool.acquire();
    int fd = calls.open(FileCalls.WORKING_DIRECTORY, path.toString(), FileCalls.READ, 0);
    pool.release(calls);
    file = new LinuxFile(fd, pool);
  }

  @AfterEach
  void leavesNothingOpen() throws IOException {
    if (file != null) {
      file.close();
      assertThat(Descriptors.ofFilesIn(dir)).isEmpty();
    }
  }

  private byte[] readAll(ByteBuffer target, int from) throws IOException {
    while (target.hasRemaining() && file.read(target, (long) from + target.position()) > 0) {
      // Reads to the end of the buffer or the file.
    }
    byte[] bytes = new byte[target.position()];
    target.flip().get(bytes);
    return bytes;
  }

  @Test
  void readsFromAPositionOn() throws IOException {
    assertThat(readAll(ByteBuffer.allocate(CONTENT.length), 0)).isEqualTo(CONTENT);
    assertThat(readAll(ByteBuffer.allocateDirect(CONTENT.length), 0)).isEqualTo(CONTENT);
    assertThat(readAll(ByteBuffer.allocateDirect(10), 150_000))
        .isEqualTo(Arrays.copyOfRange(CONTENT, 150_000, 150_010));
    assertThat(readAll(ByteBuffer.allocate(10), CONTENT.length - 4))
        .isEqualTo(Arrays.copyOfRange(CONTENT, CONTENT.length - 4, CONTENT.length));
    assertThat(file.read(ByteBuffer.allocate(1), CONTENT.length)).isEqualTo(-1);
    assertThat(file.read(ByteBuffer.allocate(0), 0)).isZero();
    assertThat(file.size()).isEqualTo(CONTENT.length);
  }

  @Test
  void leavesTheRestOfABufferAlone() throws IOException {
    ByteBuffer heap = ByteBuffer.allocate(20).position(5).limit(8);
    ByteBuffer direct = ByteBuffer.allocateDirect(20).position(5).limit(8);

    assertThat(file.read(heap, 100)).isEqualTo(3);
    assertThat(file.read(direct, 100)).isEqualTo(3);

    assertThat(heap.position()).isEqualTo(8);
    assertThat(direct.position()).isEqualTo(8);
    assertThat(heap.clear().get(4)).isZero();
    assertThat(heap.get(5)).isEqualTo(CONTENT[100]);
    assertThat(direct.clear().get(7)).isEqualTo(CONTENT[102]);
    assertThat(direct.get(8)).isZero();
  }

  @Test
  void readsWhatIsInMemoryWithoutWaiting() throws IOException {
    readAll(ByteBuffer.allocate(CONTENT.length), 0);
    ByteBuffer target = ByteBuffer.allocate(100);

    int n = file.readCached(target, 7);

    assertThat(n).isIn(100, 0); // 0 where the file system doesn't support cached reads
    assertThat(target.array()[0]).isEqualTo(n == 0 ? 0 : CONTENT[7]);
  }

  @Test
  void sendsToChannelsOfTheJdk() throws IOException {
    Path copy = dir.resolve("copy");
    Files.move(path, dir.resolve("elsewhere")); // the open file is sent, not the one at the path
    try (FileChannel target =
        FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(file.transferTo(10, 100_000, target)).isEqualTo(100_000);
      assertThat(file.transferTo(CONTENT.length, 5, target)).isZero();
    }
    assertThat(Files.readAllBytes(copy)).isEqualTo(Arrays.copyOfRange(CONTENT, 10, 100_010));
  }

  @Test
  void staysOpenWhenItsThreadIsInterrupted() throws IOException {
    Thread.currentThread().interrupt();

    assertThat(file.read(ByteBuffer.allocate(10), 0)).isEqualTo(10);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(file.isOpen()).isTrue();
  }

  @Test
  void isNotAFileAnyMoreWhenItIsClosed() throws IOException {
    FileChannel copy = FileChannel.open(path, StandardOpenOption.WRITE);
    file.transferTo(0, 1, copy);
    file.close();
    file.close();

    assertThat(file.isOpen()).isFalse();
    assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.size()).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.transferTo(0, 1, copy))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.sendTo(new Kernel(), 0, 0, 1))
        .isInstanceOf(ClosedChannelException.class);
    copy.close();
  }

  @Test
  void hasNoPositionAndIsNotWritten() {
    ByteBuffer buffer = ByteBuffer.allocate(1);

    assertThatThrownBy(() -> file.read(buffer)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> file.position()).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> file.write(buffer)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> file.truncate(0)).isInstanceOf(UnsupportedOperationException.class);
  }
}
