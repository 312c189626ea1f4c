package dev.peregrine.server.http2;

import org.jspecify.annotations.Nullable;

/**
 * The streams that this server has reset or refused lately. Frames that the client had sent before
 * it knew are ignored.
 */
final class RecentResets {
  private static final int KEPT = 64; // a power of two

  private int @Nullable [] ids; // created for the first one
  private int count;

  void add(int id) {
    int[] kept = ids;
    if (kept == null) {
      kept = new int[KEPT];
      ids = kept;
    }
    kept[count++ & (KEPT - 1)] = id;
  }

  boolean contains(int id) {
    int[] kept = ids;
    if (kept != null) {
      for (int reset : kept) {
        if (reset == id) {
          return true;
        }
      }
    }
    return false;
  }
}
