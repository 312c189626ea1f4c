package dev.peregrine.server.loop;

import java.util.concurrent.TimeUnit;

/** A period in which every attempt of one operation failed. Used by one thread. */
public final class FailureSpell {
  /** The time for which an operation may fail without a success before it is given up. */
  static final long TOLERATED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long toleratedNanos;
  private long sinceNanos;
  private boolean failing;

  public FailureSpell() {
    this(TOLERATED_NANOS);
  }

  FailureSpell(long toleratedNanos) {
    this.toleratedNanos = toleratedNanos;
  }

  /** Notes a success. */
  public void end() {
    if (failing) {
      failing = false;
    }
  }

  /** Notes a failure. Returns true if the last success is longer ago than is tolerated. */
  public boolean add(long failedAtNanos) {
    if (!failing) {
      failing = true;
      sinceNanos = failedAtNanos;
    }
    return failedAtNanos - sinceNanos >= toleratedNanos;
  }
}
