package dev.peregrine.server.connection;

import dev.peregrine.server.loop.StreamSocket;

/**
 * The time that one client has to take what waits for it. The clock runs only while something
 * waits. Every byte that the client's system acknowledges adds to it, also those acknowledged
 * before anything had to wait. Where the transport can't tell that, the client begins with all the
 * credit that there is, and every byte that the socket takes from then on adds to it.
 */
final class TakingTime {
  private final DataRate rate;
  private final StreamSocket socket;
  private long untilNanos; // while nothing waits, the credit that is left
  private long acknowledgedBytes; // when last checked
  private boolean running;

  TakingTime(DataRate rate, StreamSocket socket) {
    this.rate = rate;
    this.socket = socket;
  }

  /** Lets the clock run: something waits from now on, if nothing did before. */
  void start(long nowNanos) {
    if (running) {
      return;
    }
    running = true;
    untilNanos = rate.begin(untilNanos + nowNanos, nowNanos);
  }

  /** Stops the clock: nothing waits any more. */
  void stop(long nowNanos) {
    running = false;
    untilNanos -= nowNanos;
  }

  /** Counts bytes that the socket has taken. */
  void count(long bytes, long nowNanos) {
    if (acknowledgedBytes == StreamSocket.UNKNOWN) {
      untilNanos = rate.extend(untilNanos, bytes, running ? nowNanos : 0);
    }
  }

  /** Returns true if the client has taken too little, by what the transport knows. */
  boolean isOver(long nowNanos) {
    if (!rate.isLimited()) {
      return false;
    }
    update(nowNanos);
    return rate.isBelow(untilNanos, nowNanos);
  }

  /** Returns true if only a write can show whether the client receives anything. */
  boolean needsWrite() {
    return acknowledgedBytes == StreamSocket.UNKNOWN && rate.isLimited();
  }

  private void update(long nowNanos) {
    long before = acknowledgedBytes;
    if (before == StreamSocket.UNKNOWN) {
      return;
    }
    acknowledgedBytes = socket.acknowledgedBytes();
    untilNanos =
        acknowledgedBytes == StreamSocket.UNKNOWN
            ? rate.latest(nowNanos)
            : rate.extend(untilNanos, acknowledgedBytes - before, nowNanos);
  }
}
