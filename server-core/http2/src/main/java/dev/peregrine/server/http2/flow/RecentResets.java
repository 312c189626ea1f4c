package dev.peregrine.server.http2.flow;

import org.jspecify.annotations.Nullable;

/**
 * The streams that this server has reset or refused lately. Frames that the client had sent before
 * it knew are ignored.
 */
public final class RecentResets {
  private static final int KEPT_MIN = 64;
  private static final int KEPT_MAX = 1024;

  private final int kept;
  private int @Nullable [] ids; // created for the first one
  private int count;

  /**
   * Creates an empty memory.
   *
   * @param streamsMax the streams that a client may have at a time, and so may have been reset
   *     before it knew; of more than 1,024, that many are remembered
   */
  public RecentResets(int streamsMax) {
    this.kept = Math.clamp(streamsMax, KEPT_MIN, KEPT_MAX);
  }

  public void add(int id) {
    int[] latest = ids;
    if (latest == null) {
      latest = new int[kept];
      ids = latest;
    }
    latest[count] = id;
    count = (count + 1) % kept;
  }

  public boolean contains(int id) {
    int[] latest = ids;
    if (latest != null) {
      for (int reset : latest) {
        if (reset == id) {
          return true;
        }
      }
    }
    return false;
  }
}
