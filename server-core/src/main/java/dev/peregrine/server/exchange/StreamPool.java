package dev.peregrine.server.exchange;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The free streams of one event loop, each with its exchange. One that is given back rests while
 * the next few are used, so that a handler's view that was kept by mistake throws; only a few are
 * used in turn, so that they stay in the cache.
 */
public final class StreamPool<S extends HttpStream> {
  private static final int RESTING = 8; // a power of two
  private static final int SPARES_MAX = 64;
  private static final int NONE = -1;

  private final Supplier<S> factory;

  // Those in the first places are taken in turn. Nearly every stream is back before the next is
  // taken, so one that was taken keeps its place until then and nothing must be stored.
  private final @Nullable S[] spares;
  private int count;
  private int next;
  private int lent = NONE; // the place of the last one taken, if that isn't back

  @SuppressWarnings("unchecked") // the array never leaves this object
  public StreamPool(Supplier<S> factory) {
    this.factory = factory;
    this.spares = (S[]) new HttpStream[SPARES_MAX];
  }

  /** Returns a stream whose exchange has not begun. */
  public S take() {
    if (lent != NONE) {
      spares[lent] = spares[--count];
      spares[count] = null;
      lent = NONE;
    }
    next = (next + 1) & (RESTING - 1);
    if (count < RESTING) {
      return factory.get();
    }
    S spare = Objects.requireNonNull(spares[next]);
    if (!spare.exchange().isReusable()) { // it was used since it was given back
      spare = factory.get();
      spares[next] = spare;
    }
    lent = next;
    return spare;
  }

  /** Takes back a stream whose {@link Exchange#end} has returned true. */
  @SuppressWarnings("ReferenceEquality") // a stream is equal to itself only
  public void give(S stream) {
    if (lent != NONE && spares[lent] == stream) {
      lent = NONE;
    } else if (count < SPARES_MAX) {
      spares[count++] = stream;
    }
  }
}
