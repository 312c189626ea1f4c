package dev.peregrine.server.loop;

import dev.peregrine.testing.Await;
import java.util.Objects;

/** Has another thread take a loop at once, not only after some milliseconds. */
public final class ReliefProbe {
  private ReliefProbe() {}

  /** Like {@link #leave}, without a park: for a virtual thread that the loop carries. */
  @SuppressWarnings("ReferenceEquality") // a thread is itself
  public static void leaveSpinning(EventLoop loop) {
    LoopRelief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    Thread caller = Thread.currentThread();
    if (owner.carried() == caller) { // otherwise the watchdog was first
      relief.request(loop, owner.run());
    }
    while (owner.carried() == caller) {
      Thread.onSpinWait();
    }
  }

  /** Leaves the calling handler, which a loop runs; returns when another thread runs that loop. */
  public static void leave(EventLoop loop) {
    LoopRelief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    if (owner.isCurrent()) { // otherwise the watchdog was first
      relief.request(loop, owner.run());
    }
    Await.until("the loop has another thread", () -> !owner.isCurrent());
  }
}
