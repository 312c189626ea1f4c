package dev.peregrine.server.transport.epoll;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The handles of one poller by the word that the kernel returns with an event: the handle's place,
 * and a number that each handle gets only once. So an event of a removed handle finds nothing, even
 * when its place is taken again.
 */
final class HandleTable {
  private static final int PLACES_INITIAL = 64;
  private static final long PLACE_MASK = 0xFFFF_FFFFL;

  private @Nullable EpollHandle[] handles = new EpollHandle[PLACES_INITIAL];
  private int[] free = new int[PLACES_INITIAL]; // a stack
  private int freeCount;
  private int used; // places that have ever been taken
  private int generation;

  /** Adds a handle and sets its word. */
  void add(EpollHandle handle) {
    int place = freeCount > 0 ? free[freeCount - 1] : used;
    if (place == handles.length) {
      grow();
    }
    if (place == used) {
      used++;
    } else {
      freeCount--;
    }
    handles[place] = handle;
    handle.word = ((long) generation++ << Integer.SIZE) | place;
  }

  void remove(EpollHandle handle) {
    int place = (int) (handle.word & PLACE_MASK);
    handles[place] = null;
    free[freeCount++] = place;
  }

  /** Returns the handle of a word; null if it was removed. */
  @Nullable EpollHandle get(long word) {
    long place = word & PLACE_MASK;
    EpollHandle handle = place < used ? handles[(int) place] : null;
    return handle != null && handle.word == word ? handle : null;
  }

  /** Tells the handles that are left that there are no reports any more. */
  void onPollerClosed() {
    for (int place = 0; place < used; place++) {
      EpollHandle handle = handles[place];
      if (handle != null) {
        handle.onPollerClosed();
      }
    }
  }

  private void grow() {
    int places = 2 * handles.length;
    int[] moreFree = Arrays.copyOf(free, places);
    handles = Arrays.copyOf(handles, places);
    free = moreFree;
  }
}
