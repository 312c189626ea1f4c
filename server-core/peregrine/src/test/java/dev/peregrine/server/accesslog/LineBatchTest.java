package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.ScriptedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that a disk takes in part. */
final class LineBatchTest {
  private final List<ScriptedDisk> disks = new ArrayList<>();
  private final LineRing ring = new LineRing(100);
  private final LineBatch batch = new LineBatch(64);
  @TempDir private Path dir;
  private LogFile file;

  @BeforeEach
  void addLines() throws IOException {
    file = new LogFile(dir.resolve("log"), path -> open());
    file.reopen();
    for (String line : new String[] {"first\n", "second\n", "third\n"}) {
      assertThat(ring.add(line.getBytes(StandardCharsets.US_ASCII), line.length())).isPositive();
    }
    assertThat(batch.addFrom(ring)).isFalse();
  }

  private ScriptedDisk open() {
    disks.add(new ScriptedDisk(Integer.MAX_VALUE));
    return disks.getLast();
  }

  private void fill(int bytes) {
    disks.getLast().room(bytes);
    assertThatThrownBy(() -> batch.write(file)).isInstanceOf(IOException.class);
  }

  @Test
  void continuesWhereAWriteHasEnded() throws Exception {
    for (int i = 0; i < 15; i++) {
      fill(1);
    }
    disks.getLast().room(100);
    batch.write(file);
    assertThat(batch.isEmpty()).isTrue();
    assertThat(disks.getLast().text()).isEqualTo("first\nsecond\nthird\n");
  }

  @Test
  void completesTheLineBeforeTheFileIsLeft() throws Exception {
    fill(8);
    disks.getLast().room(100);
    batch.completeLine(file);
    assertThat(disks.getLast().text()).isEqualTo("first\nsecond\n");
    file.reopen();
    disks.getLast().room(100);
    batch.write(file);

    assertThat(disks.getLast().text()).isEqualTo("third\n");
  }

  @Test
  void repeatsALineThatCannotBeCompleted() throws Exception {
    fill(8);
    batch.completeLine(file);
    file.reopen();
    disks.getLast().room(100);
    batch.write(file);

    assertThat(disks.getFirst().text()).isEqualTo("first\nse");
    assertThat(disks.getLast().text()).isEqualTo("second\nthird\n");
  }

  @Test
  void countsTheLinesThatAreLeft() {
    assertThat(batch.lines()).isEqualTo(3);
    fill(6);
    assertThat(batch.lines()).isEqualTo(2);
    fill(1);
    assertThat(batch.lines()).isEqualTo(2);
  }
}
