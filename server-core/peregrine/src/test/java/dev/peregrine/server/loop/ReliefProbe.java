package dev.peregrine.server.loop;

import dev.peregrine.testing.Await;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** Has another thread take a loop at once, not only after some milliseconds. */
public final class ReliefProbe {
  private ReliefProbe() {}

  /** Like {@link #leave}, without a park: for a virtual thread that the loop carries. */
  @SuppressWarnings("ReferenceEquality") // a thread is itself
  public static void leaveSpinning(EventLoop loop) {
    Relief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    Thread caller = Thread.currentThread();
    if (owner.carried() == caller) { // otherwise the watchdog was first
      relief.request(owner.run());
    }
    while (owner.carried() == caller) {
      Thread.onSpinWait();
    }
  }

  /**
   * Has another thread begin to take a loop from the calling virtual thread, which the loop
   * carries, and decide only when the caller waits for that. Doesn't park.
   */
  @SuppressWarnings("ReferenceEquality") // a thread is itself
  public static void beginToLeave(EventLoop loop) {
    Relief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    Thread caller = Thread.currentThread();
    Thread carrier = loop.thread();
    int run = owner.run();
    CountDownLatch held = new CountDownLatch(1);
    Thread ignored =
        Thread.ofPlatform()
            .start(
                () -> {
                  synchronized (carrier) { // which the other thread renames before it decides
                    held.countDown();
                    Await.until("the handler waits", () -> waitsFor(caller));
                  }
                });
    while (held.getCount() > 0) {
      Thread.onSpinWait();
    }
    if (owner.carried() == caller) { // otherwise the watchdog was first
      relief.request(run);
    }
    while (owner.run() == run) {
      Thread.onSpinWait();
    }
  }

  /** Has another thread take a loop, if a handler runs there at this moment. */
  public static void leaveAnyHandler(EventLoop loop) {
    Relief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    int run = loop.owner().run();
    if (run != 0) {
      relief.request(run);
    }
  }

  /** Returns true if a thread waits for the decision who runs its loop. */
  static boolean waitsFor(Thread handler) {
    return Stream.of(handler.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(LoopOwner.class.getName()));
  }

  /** Leaves the calling handler, which a loop runs; returns when another thread runs that loop. */
  public static void leave(EventLoop loop) {
    Relief relief = Objects.requireNonNull(loop.relief, "leftHandlersMax is 0");
    LoopOwner owner = loop.owner();
    if (owner.isCurrent()) { // otherwise the watchdog was first
      relief.request(owner.run());
    }
    Await.until("the loop has another thread", () -> !owner.isCurrent());
  }
}
