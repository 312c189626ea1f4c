package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServerLog;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The series of a loop, and their limit. */
final class SeriesTableTest {
  private final ServerLog log = new ServerLog();

  @AfterEach
  void endLog() {
    log.close();
  }

  @Test
  void findsTheSameSeriesForEqualAttributes() {
    SeriesTable table = new SeriesTable(new SeriesLimit(10));
    Series series = table.find("/a", 1);
    Series other = table.find("/a", 2);
    Series without = table.find(null, 1);

    assertThat(new HashSet<>(Set.of(series, other, without))).hasSize(3);
    assertThat(table.find(new String(new char[] {'/', 'a'}), 1)).isSameAs(series);
    assertThat(table.find("/a", 2)).isSameAs(other);
    assertThat(table.find(null, 1)).isSameAs(without);
  }

  @Test
  void findsEachOfManySeries() {
    SeriesTable table = new SeriesTable(new SeriesLimit(5000));
    Series[] all = new Series[5000];
    for (int i = 0; i < all.length; i++) {
      all[i] = table.find("/" + i / 2, i);
    }

    for (int i = 0; i < all.length; i++) {
      assertThat(table.find("/" + i / 2, i)).isSameAs(all[i]);
    }
    int published = 0;
    for (Series series = table.newest(); series != null; series = series.next) {
      published++;
    }
    assertThat(published).isEqualTo(all.length);
  }

  @Test
  void countsCombinationsAboveTheLimitTogetherAndSaysSoOnce() {
    SeriesLimit limit = new SeriesLimit(3);
    SeriesTable table = new SeriesTable(limit);
    for (int i = 0; i < 3; i++) {
      assertThat(table.find("/a", i).key).isNotNull();
    }
    assertThat(log.take(Level.WARNING)).isEmpty();

    Series overflow = table.find("/a", 3);

    assertThat(overflow.attributes()).containsExactly(Map.entry("otel.metric.overflow", "true"));
    assertThat(table.find("/b", 1)).isSameAs(overflow);
    assertThat(table.find("/a", 2).key).isNotNull();
    log.expectOne(Level.WARNING, "metrics have 3 combinations");
    SeriesTable ofAnotherLoop = new SeriesTable(limit);
    assertThat(ofAnotherLoop.find("/a", 0).key).isSameAs(table.find("/a", 0).key);
    assertThat(ofAnotherLoop.find("/a", 3).key).isNull();
    assertThat(log.take(Level.WARNING)).isEmpty();
  }
}
