package dev.peregrine.server.sockets;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The uses of a descriptor by several threads, the last one of which closes it after {@link
 * #beginClose}: the system gives the number of a closed one to another file.
 */
final class Descriptor {
  private static final int CLOSING = 1 << 30; // with the number of users

  private final AtomicInteger users = new AtomicInteger();

  /** Returns true if the descriptor stays open until {@link #leave}, which must follow. */
  boolean enter() {
    while (true) {
      int seen = users.get();
      if (seen >= CLOSING) {
        return false;
      }
      if (users.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  /** Ends a use. Returns true if the caller must close the descriptor. */
  boolean leave() {
    return users.decrementAndGet() == CLOSING;
  }

  /** Lets no user enter any more. Returns false if that was called before; otherwise enters. */
  boolean beginClose() {
    while (true) {
      int seen = users.get();
      if (seen >= CLOSING) {
        return false;
      }
      if (users.compareAndSet(seen, CLOSING + seen + 1)) {
        return true;
      }
    }
  }

  boolean isClosing() {
    return users.get() >= CLOSING;
  }

  /** Returns true if others than the caller use the descriptor; after {@link #beginClose}. */
  boolean isShared() {
    return users.get() > CLOSING + 1;
  }
}
