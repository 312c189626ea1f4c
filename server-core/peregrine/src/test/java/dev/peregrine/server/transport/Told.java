package dev.peregrine.server.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler that records its calls, then runs the test's reaction. */
final class Told implements ReadyHandler {
  /** The reaction of a test to a ready socket. */
  @FunctionalInterface
  interface Reaction {
    void on(int ops) throws Exception;
  }

  final List<Integer> ops = new ArrayList<>();
  final List<Throwable> failures = new ArrayList<>();
  private final @Nullable Reaction reaction;

  Told() {
    this.reaction = null;
  }

  Told(Reaction reaction) {
    this.reaction = reaction;
  }

  int times() {
    return ops.size();
  }

  @Override
  public void onReady(int ready) {
    ops.add(ready);
    if (reaction != null) {
      try {
        reaction.on(ready);
      } catch (RuntimeException unchecked) {
        throw unchecked;
      } catch (Exception checked) {
        throw new IllegalStateException(checked);
      }
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    failures.add(failure);
  }
}
