package dev.peregrine.bench.compare.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Spans of time, joined where they overlap or touch. Used by one thread.
 *
 * <p>Those that are added have to come in the order of their ends.
 */
final class Spans {
  private final List<Span> spans = new ArrayList<>();

  /**
   * From one moment to another, as {@link System#nanoTime} gives them.
   *
   * @param count how many were joined
   */
  record Span(long from, long to, int count) {
    long nanos() {
      return to - from;
    }

    private boolean meets(long otherFrom, long otherTo) {
      return from <= otherTo && otherFrom <= to;
    }
  }

  void add(long from, long to) {
    long first = from;
    int count = 1;
    while (!spans.isEmpty() && spans.getLast().meets(first, to)) {
      Span last = spans.removeLast();
      first = Math.min(first, last.from());
      count += last.count();
    }
    spans.add(new Span(first, to, count));
  }

  /** In the order of time. */
  List<Span> all() {
    return List.copyOf(spans);
  }

  /** The longest that overlaps another span, in nanoseconds; 0 if none does. */
  long longestWithin(Span other) {
    return spans.stream()
        .filter(span -> span.meets(other.from(), other.to()))
        .mapToLong(Span::nanos)
        .max()
        .orElse(0);
  }
}
