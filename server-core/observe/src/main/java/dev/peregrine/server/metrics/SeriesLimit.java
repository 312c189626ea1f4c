package dev.peregrine.server.metrics;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The combinations of attributes that a server's loops count separately, up to a limit.
 * Thread-safe. A loop locks it for a combination that is new to that loop, and no more once the
 * limit is reached.
 */
final class SeriesLimit {
  private final int seriesMax;
  private final ConcurrentHashMap<SeriesKey, SeriesKey> admitted = new ConcurrentHashMap<>();
  private volatile boolean full; // a combination was turned away

  SeriesLimit(int seriesMax) {
    this.seriesMax = seriesMax;
  }

  /**
   * Returns a key equal to the given one, which isn't kept; null if that would be above the limit.
   */
  @Nullable SeriesKey admit(SeriesKey wanted) {
    SeriesKey known = admitted.get(wanted);
    return known != null || full ? known : admitNew(wanted);
  }

  private @Nullable SeriesKey admitNew(SeriesKey wanted) {
    synchronized (this) {
      SeriesKey known = admitted.get(wanted);
      if (known != null || full) {
        return known;
      }
      if (admitted.size() < seriesMax) {
        SeriesKey created = wanted.copy();
        admitted.put(created, created);
        return created;
      }
      full = true;
    }
    Log.add(
        Level.WARNING,
        "metrics have "
            + seriesMax
            + " combinations of method, route, status and error, their limit; requests of others"
            + " are counted together. Raise the limit of ServerMetrics, or use fewer routes");
    return null;
  }
}
