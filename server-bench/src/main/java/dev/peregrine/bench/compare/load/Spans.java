package dev.peregrine.bench.compare.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Spans of time, joined where they overlap or touch. Used by one thread.
 *
 * <p>They must be added in the order of their ends.
 */
final class Spans {
  private final List<Span> spans = new ArrayList<>();

  /**
   * A span from one time to another, by {@link System#nanoTime}.
   *
   * @param count the number of joined spans
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

  /** Returns all spans in the order of time. */
  List<Span> all() {
    return List.copyOf(spans);
  }

  /**
   * Returns the length of the longest span that overlaps another one, in nanoseconds; 0 if none
   * does.
   */
  long longestWithin(Span other) {
    return spans.stream()
        .filter(span -> span.meets(other.from(), other.to()))
        .mapToLong(Span::nanos)
        .max()
        .orElse(0);
  }
}
