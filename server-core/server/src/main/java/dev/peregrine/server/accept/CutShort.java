package dev.peregrine.server.accept;

import dev.peregrine.server.connection.Unfinished;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts the {@link Unfinished} work that the end of a server cuts short, by kind. Thread-safe. */
public final class CutShort {
  private int @Nullable [] counts; // by reason, once there are any; guarded by this

  @SuppressWarnings("EnumOrdinal") // an index of this object's array only
  synchronized void add(Unfinished what) {
    int[] present = counts;
    if (present == null) {
      present = new int[Unfinished.values().length];
      counts = present;
    }
    present[what.ordinal()]++;
  }

  public boolean isEmpty() {
    return Arrays.stream(Unfinished.values()).allMatch(reason -> count(reason) == 0);
  }

  @SuppressWarnings("EnumOrdinal") // an index of this object's array only
  public synchronized int count(Unfinished reason) {
    return counts == null || reason == Unfinished.NOTHING ? 0 : counts[reason.ordinal()];
  }

  /** Returns each reason with its number, for the log. */
  @Override
  public String toString() {
    return Arrays.stream(Unfinished.values())
        .filter(reason -> count(reason) > 0)
        .map(reason -> reason.text() + " " + count(reason))
        .collect(Collectors.joining(", "));
  }
}
