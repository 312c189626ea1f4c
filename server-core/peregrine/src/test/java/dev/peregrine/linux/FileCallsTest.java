package dev.peregrine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallsTest {
  @TempDir private Path dir;
  private FileCalls calls;
  private LinuxDirectory root;

  @BeforeEach
  void open() throws IOException {
    String problem = Linux.problem();
    assumeTrue(problem == null, problem);
    calls = new FileCalls();
    Files.createDirectories(dir.resolve("root/sub"));
    Files.writeString(dir.resolve("outside"), "secret");
    Files.writeString(dir.resolve("root/file"), "content");
    String path = dir.resolve("root").toString();
    root = Objects.requireNonNull(LinuxDirectory.open(calls, path, null, true));
  }

  /** Opens and closes a file; returns 0 or the negative error number. */
  private int tryOpen(String path, long how, long resolve) throws IOException {
    int fd = root.open(calls, path, how, resolve);
    if (fd < 0) {
      return -fd;
    }
    calls.close(fd);
    return 0;
  }

  private void look(String path) throws IOException {
    int fd = root.open(calls, path, FileCalls.LOOK, 0);
    assertThat(fd).isNotNegative();
    calls.readStatus(fd);
    calls.close(fd);
  }

  @Test
  void readsTheAttributesThatTheJdkReads() throws IOException {
    Path file = dir.resolve("root/file");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_890_123L));
    Map<String, Object> expected =
        Files.readAttributes(
            file, "unix:size,lastModifiedTime,ctime,dev,ino", LinkOption.NOFOLLOW_LINKS);

    look("file");

    assertThat(calls.isRegular()).isTrue();
    assertThat(calls.isDirectory()).isFalse();
    assertThat(calls.size()).isEqualTo(expected.get("size"));
    assertThat(calls.device()).isEqualTo(expected.get("dev"));
    assertThat(calls.inode()).isEqualTo(expected.get("ino"));
    FileTime changed = (FileTime) Objects.requireNonNull(expected.get("ctime"));
    assertThat(Instant.ofEpochSecond(calls.changedSecond(), calls.changedNano()))
        .isEqualTo(changed.toInstant());
    assertThat(calls.modifiedSecond()).isEqualTo(1_234_567_890);
    assertThat(calls.modifiedNano()).isEqualTo(123_000_000);
    look("sub");
    assertThat(calls.isDirectory()).isTrue();
    assertThat(calls.isRegular()).isFalse();
  }

  @Test
  void checksAPipeWithoutOpeningIt() throws Exception {
    Path pipe = dir.resolve("root/pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    look("pipe");

    assertThat(calls.isRegular()).isFalse();
    assertThat(calls.isDirectory()).isFalse();
  }

  @Test
  void leavesTheDirectoryByNoPathAndNoLink() throws IOException {
    Files.createSymbolicLink(dir.resolve("root/out"), Path.of("../outside"));
    Files.createSymbolicLink(dir.resolve("root/absolute"), dir.resolve("root/file"));
    Files.createSymbolicLink(dir.resolve("root/in"), Path.of("sub/../file"));
    Files.createSymbolicLink(dir.resolve("root/loop"), Path.of("loop"));

    for (String path : new String[] {"../outside", "out", "absolute", "/etc/passwd"}) {
      assertThat(tryOpen(path, FileCalls.LOOK, FileCalls.BENEATH)).as(path).isEqualTo(Errno.EXDEV);
      assertThat(tryOpen(path, FileCalls.READ, FileCalls.BENEATH)).as(path).isEqualTo(Errno.EXDEV);
    }
    assertThat(tryOpen("out", FileCalls.READ, 0)).isZero();
    assertThat(tryOpen("in", FileCalls.READ, FileCalls.BENEATH)).isZero();
    assertThat(tryOpen("loop", FileCalls.READ, FileCalls.BENEATH)).isEqualTo(Errno.ELOOP);
    assertThat(tryOpen("in", FileCalls.READ, FileCalls.BENEATH | FileCalls.NO_LINKS))
        .isEqualTo(Errno.ELOOP);
  }

  @Test
  void reportsWhyNothingIsOpen() throws IOException {
    assertThat(tryOpen("none", FileCalls.READ, 0)).isEqualTo(Errno.ENOENT);
    assertThat(tryOpen("file/none", FileCalls.READ, 0)).isEqualTo(Errno.ENOTDIR);
    assertThat(tryOpen("x".repeat(300), FileCalls.READ, 0)).isEqualTo(Errno.ENAMETOOLONG);
    assertThat(tryOpen("x/".repeat(3000), FileCalls.READ, 0)).isEqualTo(Errno.ENAMETOOLONG);
    assertThat(tryOpen("\u65e5/".repeat(1100), FileCalls.READ, 0)).isEqualTo(Errno.ENAMETOOLONG);
  }

  @Test
  void takesPathsUpToTheSystemsBound() throws IOException {
    for (int bytes : new int[] {4094, 4095}) {
      String path = "./".repeat(2040) + "x".repeat(bytes - 4080);
      assertThat(tryOpen(path, FileCalls.READ, 0)).isEqualTo(Errno.ENOENT);
    }
    assertThat(tryOpen("./".repeat(2048), FileCalls.READ, 0)).isEqualTo(Errno.ENAMETOOLONG);
  }

  @Test
  void closesADescriptorOnce() throws IOException {
    int fd = root.open(calls, "file", FileCalls.READ, 0);
    calls.close(fd);

    assertThatThrownBy(() -> calls.close(fd)).hasMessageContaining("Bad file descriptor");
    assertThatThrownBy(() -> calls.readStatus(-1)).hasMessageContaining("fstat");
  }

  @Test
  void recognisesADirectoryAgain() throws IOException {
    String path = dir.resolve("root").toString();

    assertThat(LinuxDirectory.open(calls, path, root, true)).isSameAs(root);
    Files.move(dir.resolve("root"), dir.resolve("moved"));
    assertThat(tryOpen("file", FileCalls.READ, FileCalls.BENEATH)).isZero();
    assertThat(LinuxDirectory.open(calls, path, root, true)).isNull();
    Files.createDirectory(dir.resolve("root"));
    assertThat(LinuxDirectory.open(calls, path, root, true)).isNotNull().isNotSameAs(root);
    assertThat(LinuxDirectory.open(calls, path + "/file", null, true)).isNull();
  }

  @Test
  void handsOutEachOneOnce() {
    CallPool pool = new CallPool();
    FileCalls first = pool.acquire();
    FileCalls second = pool.acquire();

    assertThat(second).isNotSameAs(first);
    pool.release(first);
    assertThat(pool.acquire()).isSameAs(first);
    pool.release(second);
  }
}
