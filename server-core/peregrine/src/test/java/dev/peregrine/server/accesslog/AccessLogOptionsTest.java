package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranges of the options, and files that can't be opened at the start. */
final class AccessLogOptionsTest {
  @TempDir private Path dir;

  private AccessLog.Builder builder() {
    return AccessLog.builder(dir.resolve("access.log"));
  }

  @ParameterizedTest
  @ValueSource(ints = {2048, 65_536})
  void takesLengthsOfLinesAtTheLimits(int bytes) {
    try (AccessLog log = builder().lineBytesMax(bytes).build()) {
      assertThat(log.droppedLines()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2047, 65_537})
  void rejectsLengthsOfLinesBeyondTheLimits(int bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().lineBytesMax(bytes))
        .withMessageContaining("lineBytesMax")
        .withMessageContaining(String.valueOf(bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {65_536, 1 << 30})
  void takesBuffersAtTheLimits(int bytes) {
    try (AccessLog log = builder().bufferBytesMax(bytes).build()) {
      assertThat(log.droppedLines()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {65_535, (1 << 30) + 1})
  void rejectsBuffersBeyondTheLimits(int bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().bufferBytesMax(bytes))
        .withMessageContaining("bufferBytesMax")
        .withMessageContaining(String.valueOf(bytes));
  }

  @Test
  void namesAFileThatItMayNotOpen() {
    AccessLog.Builder denied =
        builder()
            .opener(
                path -> {
                  throw new AccessDeniedException(path.toString());
                });

    assertThatThrownBy(denied::build)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("can't open the access log " + dir.resolve("access.log"))
        .hasCauseInstanceOf(AccessDeniedException.class);
  }

  @Test
  void namesAFileWithoutADirectory() {
    Path file = dir.resolve("absent/access.log");

    assertThatThrownBy(() -> AccessLog.builder(file).build())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString());
    assertThat(Files.exists(file.getParent())).isFalse();
  }
}
