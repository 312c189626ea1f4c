package dev.peregrine.http.websocket;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the users of a thing that retires with its last one. Callable from any thread. */
final class Users {
  private static final int RETIRED = Integer.MIN_VALUE / 2; // stays negative, whatever is released

  private final AtomicInteger count = new AtomicInteger();

  /** Adds a user; returns false if the thing has retired. */
  boolean retain() {
    int users;
    do {
      users = count.get();
      if (users < 0) {
        return false;
      }
    } while (!count.compareAndSet(users, users + 1));
    return true;
  }

  /** Removes a user; returns true if the thing has retired by this call. */
  boolean release() {
    return count.decrementAndGet() == 0 && count.compareAndSet(0, RETIRED);
  }

  /** Retires the thing, whatever users it has. */
  void retire() {
    count.set(RETIRED);
  }
}
