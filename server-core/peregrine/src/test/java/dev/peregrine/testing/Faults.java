package dev.peregrine.testing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A failure that a test has one call throw, or each call of one kind for a while. */
public final class Faults {
  private record Planned(String point, int first, int count, Supplier<? extends Throwable> made) {}

  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable Planned planned;

  /**
   * Has some calls fail.
   *
   * @param point which calls
   * @param first the first of them to fail, counted from 1 and from now
   * @param count how many fail from there on
   */
  public void plan(String point, int first, int count, Supplier<? extends Throwable> made) {
    calls.set(0);
    planned = new Planned(point, first, count, made);
  }

  /** Lets no call fail from now on. */
  public void clear() {
    planned = null;
  }

  /** Counts a call of that name; throws if a failure is planned for it. */
  public void at(String point) {
    Planned now = planned;
    if (now == null || !now.point.equals(point)) {
      return;
    }
    int call = calls.incrementAndGet();
    if (call >= now.first && call - now.first < now.count) {
      Faults.<RuntimeException>sneak(now.made.get());
    }
  }

  @SuppressWarnings("unchecked") // any Throwable, because a VM may throw any
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }
}
