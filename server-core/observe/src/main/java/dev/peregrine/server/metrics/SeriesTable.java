package dev.peregrine.server.metrics;

import org.jspecify.annotations.Nullable;

/**
 * The series of one event loop, found by their attributes without allocation: a hash table with
 * linear probing. Used by the loop's thread, except for {@link #newest}.
 */
final class SeriesTable {
  private static final int SLOTS_INITIAL = 64;

  private final SeriesLimit limit;
  private final SeriesKey wanted = new SeriesKey(null, 0);
  private @Nullable Series[] slots = new Series[SLOTS_INITIAL];
  private int count;
  private @Nullable Series last; // the one found last
  private @Nullable Series overflow; // created for the first request above the limit
  private volatile @Nullable Series newest;

  SeriesTable(SeriesLimit limit) {
    this.limit = limit;
  }

  /** Returns the newest series, which leads to the others; callable from any thread. */
  @Nullable Series newest() {
    return newest;
  }

  /** Returns the series for requests with these attributes. */
  Series find(@Nullable String route, int attributes) {
    Series recent = last;
    if (recent != null && is(recent, route, attributes)) {
      return recent;
    }
    Series found = lookUp(route, attributes);
    last = found;
    return found;
  }

  private static boolean is(Series series, @Nullable String route, int attributes) {
    SeriesKey key = series.key;
    return key != null && key.is(route, attributes);
  }

  private Series lookUp(@Nullable String route, int attributes) {
    int slot = SeriesKey.hash(route, attributes) & slots.length - 1;
    while (true) {
      Series candidate = slots[slot];
      if (candidate == null) {
        return create(route, attributes);
      }
      if (is(candidate, route, attributes)) {
        return candidate;
      }
      slot = slot + 1 & slots.length - 1;
    }
  }

  private Series create(@Nullable String route, int attributes) {
    wanted.route = route;
    wanted.attributes = attributes;
    SeriesKey key = limit.admit(wanted);
    wanted.route = null;
    if (key == null) {
      Series others = overflow;
      if (others == null) {
        others = publish(null);
        overflow = others;
      }
      return others;
    }
    if (2 * (count + 1) > slots.length) {
      grow();
    }
    Series created = publish(key);
    insert(slots, key, created);
    count++;
    return created;
  }

  private Series publish(@Nullable SeriesKey key) {
    Series created = new Series(key, newest);
    newest = created;
    return created;
  }

  private void grow() {
    @Nullable Series[] larger = new Series[2 * slots.length];
    for (Series series : slots) {
      if (series != null && series.key != null) {
        insert(larger, series.key, series);
      }
    }
    slots = larger;
  }

  private static void insert(@Nullable Series[] into, SeriesKey key, Series series) {
    int slot = key.hashCode() & into.length - 1;
    while (into[slot] != null) {
      slot = slot + 1 & into.length - 1;
    }
    into[slot] = series;
  }
}
