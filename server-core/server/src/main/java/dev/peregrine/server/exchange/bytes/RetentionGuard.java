package dev.peregrine.server.exchange.bytes;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds retained bytes that have become garbage without a release. Looks for them whenever others
 * are retained.
 */
final class RetentionGuard extends PhantomReference<Object> {
  private static final ReferenceQueue<Object> GARBAGE = new ReferenceQueue<>();
  private static final Set<RetentionGuard> ALL = ConcurrentHashMap.newKeySet();

  private final Retention claim;

  private RetentionGuard(Object referent, Retention claim) {
    super(referent, GARBAGE);
    this.claim = claim;
  }

  static RetentionGuard watch(Object referent, Retention claim) {
    RetentionGuard guard = new RetentionGuard(referent, claim);
    ALL.add(guard);
    return guard;
  }

  /** The bytes were released. */
  void end() {
    ALL.remove(this);
    clear();
  }

  /** Releases the bytes that are garbage by now. */
  static void collect() {
    while (GARBAGE.poll() instanceof RetentionGuard lost) {
      if (ALL.remove(lost)) {
        lost.claim.releaseLost();
      }
    }
  }
}
