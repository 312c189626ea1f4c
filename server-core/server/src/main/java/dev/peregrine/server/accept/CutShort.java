package dev.peregrine.server.accept;

import dev.peregrine.server.connection.Unfinished;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;

/** Counts the {@link Unfinished} work that the end of a server cuts short, by kind. Thread-safe. */
public final class CutShort {
  private static final Unfinished[] REASONS = Unfinished.values();

  private final AtomicIntegerArray counts = new AtomicIntegerArray(REASONS.length);

  @SuppressWarnings("EnumOrdinal") // an index of this object's array only
  void add(Unfinished what) {
    counts.incrementAndGet(what.ordinal());
  }

  public boolean isEmpty() {
    return Arrays.stream(REASONS).allMatch(reason -> count(reason) == 0);
  }

  @SuppressWarnings("EnumOrdinal") // an index of this object's array only
  public int count(Unfinished reason) {
    return reason == Unfinished.NOTHING ? 0 : counts.get(reason.ordinal());
  }

  /** Returns each reason with its number, for the log. */
  @Override
  public String toString() {
    return Arrays.stream(REASONS)
        .filter(reason -> count(reason) > 0)
        .map(reason -> reason.text() + " " + count(reason))
        .collect(Collectors.joining(", "));
  }
}
