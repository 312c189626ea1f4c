package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.ServingJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are larger than the heap; {@code -Dmultipart.bytes=3000000000} for more than an int
 * counts.
 */
final class MultipartHeapIT {
  private static final long BYTES = Long.getLong("multipart.bytes", 300_000_000);

  @TempDir Path directory;

  @Test
  void receivesAFileThatIsLargerThanTheHeap() throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    String output =
        Processes.run(
            directory,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=16m",
                ServingJvm.NATIVE,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                UploadProgram.class.getName(),
                Long.toString(BYTES),
                files.toString(),
                Servers.TRANSPORT.name()));

    assertThat(output.lines())
        .satisfiesExactly(
            flow -> assertThat(flow).contains(" 200 OK: " + BYTES + " bytes passed on"),
            disk -> assertThat(disk).contains(" 200 OK: " + BYTES + " bytes on disk"));
    assertThat(files).isEmptyDirectory();
  }
}
