package dev.peregrine.server.exchange;

import dev.peregrine.server.exchange.state.HttpStream;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The free streams of one event loop, each with its exchange. A returned stream rests while the
 * next few are used, so that a view that a handler has kept by mistake throws. Only a few are used
 * in turn, so that they stay in the cache.
 */
public final class StreamPool<S extends HttpStream> {
  private static final int RESTING = 8; // a power of two
  private static final int SPARES_MAX = 64;
  private static final int NONE = -1;

  private final Supplier<S> factory;

  // The streams in the first places are taken in turn. Nearly every stream is returned before the
  // next one is taken, so a taken stream keeps its place until then, which saves two stores.
  private final @Nullable S[] spares;
  private int count;
  private int next;
  private int lent = NONE; // the place of the last taken stream, until it is returned

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
    if (!spare.isReusable()) { // a caller used it after its return
      spare = factory.get();
      spares[next] = spare;
    }
    lent = next;
    return spare;
  }

  /** Returns a stream that has served no request. */
  public S create() {
    return factory.get();
  }

  /** Takes back a stream whose {@link Exchange#end} has returned true. */
  @SuppressWarnings("ReferenceEquality") // streams are compared by identity
  public void give(S stream) {
    if (lent != NONE && spares[lent] == stream) {
      lent = NONE;
    } else if (count < SPARES_MAX) {
      spares[count++] = stream;
    }
  }
}
