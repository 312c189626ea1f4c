package dev.peregrine.server.memory.lease;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A buffer of the application that the loop has, until it calls back; see {@link Leases}. */
final class Lease implements Releasable {
  private final Leases leases;
  private @Nullable ByteBuffer buffer;
  private @Nullable Consumer<? super ByteBuffer> whenSent;
  private boolean taken; // by a queue
  @Nullable Lease outer; // offered before this one, while this one is offered
  @Nullable Lease next; // in the list of those that are due, or of spare ones

  Lease(Leases leases) {
    this.leases = leases;
  }

  void begin(ByteBuffer leased, Consumer<? super ByteBuffer> callback) {
    buffer = leased;
    whenSent = callback;
    taken = false;
  }

  /** Returns true if this is the lease of the given buffer. */
  @SuppressWarnings("ReferenceEquality") // another buffer may have the same content
  boolean isOf(ByteBuffer given) {
    return buffer == given;
  }

  /** Takes the lease if it is that of the given buffer and not taken yet. */
  boolean take(ByteBuffer of) {
    boolean takes = isOf(of) && !taken;
    taken |= takes;
    return takes;
  }

  boolean isTaken() {
    return taken;
  }

  @Override
  public void release() {
    if (buffer == null) {
      throw new IllegalStateException("lease released twice");
    }
    leases.addDue(this);
  }

  /** Ends the lease: calls back. Throws nothing. */
  void end() {
    ByteBuffer given = Objects.requireNonNull(buffer);
    Consumer<? super ByteBuffer> callback = Objects.requireNonNull(whenSent);
    buffer = null;
    whenSent = null;
    Leases.call(given, callback);
  }
}
