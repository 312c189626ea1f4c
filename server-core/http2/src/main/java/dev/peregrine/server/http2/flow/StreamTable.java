package dev.peregrine.server.http2.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection by their identifiers, in the order in which they were opened.
 * Identifiers only increase, so a stream is found by binary search, and added at the end.
 */
public final class StreamTable<S extends Windowed> {
  private static final int ROOM_INITIAL = 8;

  private static final @Nullable Object[] NONE = new Object[0];

  // Not of an interface: C2 takes such an array for one of objects, and throws its code away when a
  // stream is stored, four times.
  private @Nullable Object[] streams = NONE;
  private int count;

  public int count() {
    return count;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns the stream at an index, 0 to {@link #count} - 1. */
  @SuppressWarnings("unchecked") // only such were added
  public S get(int index) {
    Object stream = streams[index];
    if (stream == null || index >= count) {
      throw new IndexOutOfBoundsException(index);
    }
    return (S) stream;
  }

  /** Returns the stream with an identifier; null if none is open. */
  public @Nullable S find(int id) {
    int index = indexOf(id);
    return index < 0 ? null : get(index);
  }

  /**
   * Returns the first stream with a larger identifier, or null. Works even if the table has changed
   * since the stream with that identifier was found.
   */
  public @Nullable S after(int id) {
    int index = indexOf(id);
    int next = index < 0 ? ~index : index + 1;
    return next < count ? get(next) : null;
  }

  /** Returns the index of an identifier; if it is absent, the complement of where it would be. */
  private int indexOf(int id) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = get(middle).id();
      if (found == id) {
        return middle;
      }
      if (found < id) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return ~low;
  }

  /** Adds a stream, whose identifier is larger than those of all others. */
  public void add(S stream) {
    if (count == streams.length) {
      streams = Arrays.copyOf(streams, Math.max(ROOM_INITIAL, 2 * count));
    }
    streams[count++] = stream;
  }

  /** Removes a stream if it is there. */
  public void remove(S stream) {
    int index = indexOf(stream.id());
    if (index >= 0) {
      System.arraycopy(streams, index + 1, streams, index, count - index - 1);
      streams[--count] = null;
    }
  }

  /** Releases the memory of an empty table that was large. */
  public void trim() {
    if (count == 0 && streams.length > ROOM_INITIAL) {
      streams = NONE;
    }
  }
}
