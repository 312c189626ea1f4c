package dev.peregrine.server.loop;

import dev.peregrine.testing.Await;
import java.util.Objects;

/** Has another thread take a loop at once, not only after some milliseconds. */
public final class ReliefProbe {
  private ReliefProbe() {}

  /** Like {@link #leave}, without a park: for a virtual thread that the loop carries. */
  public static void leaveSpinning(EventLoop loop) {
    LoopRelief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    Thread caller = Thread.currentThread();
    relief.request(loop, owner.run());
    while (owner.carried() == caller) { // not if the watchdog was first
      Thread.onSpinWait();
    }
  }

  /** Leaves the handler that runs on a loop; returns when another thread runs that loop. */
  public static void leave(EventLoop loop) {
    LoopRelief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    int count = owner.count();
    relief.request(loop, owner.run());
    Await.until("the loop has another thread", () -> owner.count() != count);
  }
}
