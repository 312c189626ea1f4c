package dev.peregrine.http.websocket;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Logs that topics drop messages: one line in ten seconds at most. Callable from any thread. */
final class DropLog {
  static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicLong due = new AtomicLong(System.nanoTime()); // of the next line

  void add(int subscribers, int messages, long bytes) {
    if (beginLine(System.nanoTime())) {
      Log.add(
          Level.WARNING,
          "a topic drops messages for "
              + subscribers
              + " subscribers, because "
              + messages
              + " messages of "
              + bytes
              + " bytes wait for their event loop (limits: "
              + Topic.WAITING_MESSAGES_MAX
              + " messages, "
              + Topic.WAITING_BYTES_MAX
              + " bytes); pause when Topic.publish returns false, or publish less");
    }
  }

  /** Returns true if a line may be written now, which none other may be soon after. */
  boolean beginLine(long now) {
    long next = due.get();
    return now - next >= 0 && due.compareAndSet(next, now + INTERVAL_NANOS);
  }
}
