package dev.peregrine.server.http2;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection by their identifiers, in the order in which they were opened.
 * Identifiers only increase, so a stream is found by binary search, and added at the end.
 */
final class StreamTable {
  private static final int ROOM_INITIAL = 8;

  private static final @Nullable Http2Stream[] NONE = new Http2Stream[0];

  private @Nullable Http2Stream[] streams = NONE;
  private int count;

  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Returns the stream at an index, 0 to {@link #count} - 1. */
  Http2Stream get(int index) {
    Http2Stream stream = streams[index];
    if (stream == null || index >= count) {
      throw new IndexOutOfBoundsException(index);
    }
    return stream;
  }

  /** Returns the stream with an identifier; null if none is open. */
  @Nullable Http2Stream find(int id) {
    int index = indexOf(id);
    return index < 0 ? null : streams[index];
  }

  /**
   * Returns the first stream with a larger identifier, or null. Works even if the table has changed
   * since the stream with that identifier was found.
   */
  @Nullable Http2Stream after(int id) {
    int index = indexOf(id);
    int next = index < 0 ? ~index : index + 1;
    return next < count ? streams[next] : null;
  }

  /** Returns the bytes of buffers that the content of all streams takes, both ways. */
  long heldBytes() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      Http2Stream stream = get(i);
      sum += stream.inbound.heldBytes() + stream.outbound.heldBytes();
    }
    return sum;
  }

  /** Gives all clients their grace for sending again, because they couldn't send. */
  void restartRates() {
    for (int i = 0; i < count; i++) {
      get(i).inbound.restartRate();
    }
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
  void add(Http2Stream stream) {
    if (count == streams.length) {
      streams = Arrays.copyOf(streams, Math.max(ROOM_INITIAL, 2 * count));
    }
    streams[count++] = stream;
  }

  /** Removes a stream if it is there. */
  void remove(Http2Stream stream) {
    int index = indexOf(stream.id());
    if (index >= 0) {
      System.arraycopy(streams, index + 1, streams, index, count - index - 1);
      streams[--count] = null;
    }
  }

  /** Releases the memory of an empty table that was large. */
  void trim() {
    if (count == 0 && streams.length > ROOM_INITIAL) {
      streams = NONE;
    }
  }
}
