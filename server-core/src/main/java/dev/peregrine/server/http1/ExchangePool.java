package dev.peregrine.server.http1;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one event loop that are free. One that is given back rests while the next few
 * are used, so that a handler's view that was kept by mistake throws; only a few are used in turn,
 * so that they stay in the cache.
 */
final class ExchangePool {
  private static final int RESTING = 8; // a power of two
  private static final int SPARES_MAX = 64;
  private static final int NONE = -1;

  private final Http1 http1;

  // Those in the first places are taken in turn. Nearly every exchange is back before the next is
  // taken, so one that was taken keeps its place until then and nothing has to be stored.
  private final @Nullable Exchange[] spares = new Exchange[SPARES_MAX];
  private int count;
  private int next;
  private int lent = NONE; // the place of the last one taken, if that isn't back

  ExchangePool(Http1 http1) {
    this.http1 = http1;
  }

  /** An exchange that is reset. */
  Exchange take() {
    if (lent != NONE) {
      spares[lent] = spares[--count];
      spares[count] = null;
      lent = NONE;
    }
    next = (next + 1) & (RESTING - 1);
    if (count < RESTING) {
      return new Exchange(http1);
    }
    lent = next;
    return Objects.requireNonNull(spares[next]);
  }

  /** Takes back an exchange that is reset, which nobody else may use any more. */
  void give(Exchange exchange) {
    if (lent != NONE && spares[lent] == exchange) {
      lent = NONE;
    } else if (count < SPARES_MAX) {
      spares[count++] = exchange;
    }
  }
}
