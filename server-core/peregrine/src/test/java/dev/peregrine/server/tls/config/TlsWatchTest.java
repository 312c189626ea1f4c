package dev.peregrine.server.tls.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch alone, with a scripted reload. */
class TlsWatchTest {
  private static final String NONE = "no problem";

  @TempDir Path folder;
  private final ServerLog log = new ServerLog();
  private final BlockingQueue<String> reloads = new SynchronousQueue<>(); // results, taken by each
  private final AtomicBoolean due = new AtomicBoolean();
  private @Nullable TlsWatch watch;

  @AfterEach
  void close() throws InterruptedException {
    TlsWatch ended = watch;
    if (ended != null && ended.thread() != null) {
      Thread thread = Objects.requireNonNull(ended.thread());
      ended.end();
      assertThat(thread.join(Duration.ofMinutes(2))).isTrue();
    }
    log.close();
  }

  private void watch(Path file, Supplier<@Nullable String> reload) {
    TlsWatch begun = new TlsWatch(Duration.ofMillis(1), List.of(file), due::get, reload);
    watch = begun;
    begun.begin();
  }

  private @Nullable String reload() {
    try {
      String result = reloads.poll(120, TimeUnit.SECONDS);
      if (result != null && result.startsWith("throw ")) {
        throw new IllegalStateException(result);
      }
      return result == null || result.equals(NONE) ? null : result;
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Lets the next reload have a result. Waits for it. */
  private void reloads(String result) throws InterruptedException {
    assertThat(reloads.offer(result, 120, TimeUnit.SECONDS)).as(result).isTrue();
  }

  @Test
  void triesAgainUntilTheFilesCanBeUsedAndLogsEachProblemOnce() throws Exception {
    watch(Files.writeString(folder.resolve("a"), "1"), this::reload);

    reloads("a problem");
    reloads("a problem");
    reloads("throw it");
    reloads("throw it");
    reloads("a problem");
    reloads(NONE);
    assertThat(log.take(Level.WARNING))
        .extracting(LogRecord::getMessage)
        .containsExactly("a problem", "java.lang.IllegalStateException: throw it", "a problem");
  }

  @Test
  void reloadsOnlyIfTheContentHasChangedOrIfItIsDue() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "1");
    BlockingQueue<String> contents = new LinkedBlockingQueue<>();
    watch(
        file,
        () -> {
          try {
            contents.add(Files.exists(file) ? Files.readString(file) : "none");
            return null;
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });

    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("1");
    move("2", file);
    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("2");
    Files.delete(file);
    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("none");
    move("2", file);
    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("2");
    move("3", file);
    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("3"); // and none in between
    due.set(true);
    assertThat(contents.poll(120, TimeUnit.SECONDS)).isEqualTo("3");
  }

  /** Replaces a file in one step. */
  private void move(String content, Path file) throws IOException {
    Path made = Files.writeString(folder.resolve("new"), content);
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
