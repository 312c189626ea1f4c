package dev.peregrine.http.files;

import dev.peregrine.http.files.tree.FileStatus;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of a listed directory, as the query of its page has it: {@code sort=size&order=desc}.
 *
 * @param key what the entries are sorted by
 * @param isDescending whether the greatest is first; directories are first in any case
 */
record ListingOrder(Key key, boolean isDescending) {
  private static final Comparator<FileStatus> BY_NAME =
      Comparator.comparing(FileStatus::name, String.CASE_INSENSITIVE_ORDER)
          .thenComparing(FileStatus::name);

  /** A property to sort entries by. */
  enum Key {
    NAME("name", "Name"),
    SIZE("size", "Size"),
    TIME("time", "Changed (UTC)");

    final String word;
    final String heading;

    Key(String word, String heading) {
      this.word = word;
      this.heading = heading;
    }
  }

  /** Returns the order that a query names; by name for another query, or none. */
  static ListingOrder of(@Nullable String query) {
    List<String> words = List.of(query == null ? new String[0] : query.split("&", -1));
    Key key = Key.NAME;
    for (Key each : Key.values()) {
      key = words.contains("sort=" + each.word) ? each : key;
    }
    return new ListingOrder(key, words.contains("order=desc"));
  }

  /** Returns the query for a heading: by its key, or the other way round if that is the order. */
  String queryFor(Key heading) {
    return "?sort=" + heading.word + (heading == key && !isDescending ? "&order=desc" : "");
  }

  int compare(FileStatus one, FileStatus other) {
    if (one.isRegular() != other.isRegular()) {
      return one.isRegular() ? 1 : -1;
    }
    int order =
        switch (key) {
          case NAME -> BY_NAME.compare(one, other);
          case SIZE -> one.isRegular() ? Long.compare(one.state().size(), other.state().size()) : 0;
          case TIME -> Long.compare(one.state().modifiedSecond(), other.state().modifiedSecond());
        };
    return order == 0 ? BY_NAME.compare(one, other) : isDescending ? -order : order;
  }
}
