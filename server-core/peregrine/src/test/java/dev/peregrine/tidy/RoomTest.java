package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A package is small enough to be read in an hour. The larger ones are in baseline.txt, rounded up
 * to whole hundreds of lines; the benchmarks aren't measured.
 */
final class RoomTest {
  private static final int LINES_STEP = 100;

  /** The sizes that are counted, each with its limit. */
  enum Size {
    ROOM_FILES(25, 1),
    ROOM_LINES(2_500, 2 * LINES_STEP);

    final int most;
    final int slack;

    Size(int most, int slack) {
      this.most = most;
      this.slack = slack;
    }

    String rule() {
      return this == ROOM_FILES ? "room-files" : "room-lines";
    }
  }

  private static final Baseline BASELINE = Baseline.read();
  private static final Map<String, Integer> FILES = new TreeMap<>();
  private static final Map<String, Integer> LINES = new TreeMap<>();

  @BeforeAll
  static void measure() throws IOException {
    for (Path file : MainCode.files()) {
      String name = MainCode.packageOf(file);
      if (!name.startsWith("dev.peregrine.bench")
          && !name.isEmpty()
          && !file.endsWith("package-info.java")) {
        FILES.merge(name, 1, Integer::sum);
        try (var lines = Files.lines(file)) {
          LINES.merge(name, (int) lines.count(), Integer::sum);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void growsNoPackageAboveTheLimitOrTheBaseline(Size size) {
    Map<String, Integer> listed = BASELINE.of(size.rule());
    List<String> larger = new ArrayList<>();
    measured(size)
        .forEach(
            (name, count) -> {
              if (count > Math.max(size.most, listed.getOrDefault(name, 0))) {
                larger.add(size.rule() + " " + name + " " + count);
              }
            });

    assertThat(larger).as("larger than %d, or than baseline.txt has it", size.most).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void listsNoPackageThatHasShrunk(Size size) {
    List<String> shrunk = new ArrayList<>();
    BASELINE
        .of(size.rule())
        .forEach(
            (name, listed) -> {
              int count = measured(size).getOrDefault(name, 0);
              if (count <= size.most || count <= listed - size.slack) {
                shrunk.add(size.rule() + " " + name + " " + count);
              }
            });

    assertThat(shrunk).as("smaller than baseline.txt has it: take the new count").isEmpty();
  }

  @Test
  void measuresThePackageOfEvents() {
    assertThat(FILES.get("dev.peregrine.server.jfr")).isBetween(10, 25);
    assertThat(LINES.get("dev.peregrine.server.jfr")).isBetween(500, 2_500);
  }

  private static Map<String, Integer> measured(Size size) {
    return size == Size.ROOM_FILES ? FILES : LINES;
  }
}
