package dev.peregrine.server.pace;

import dev.peregrine.server.transport.StreamSocket;

/**
 * The time that one client has to receive the bytes that wait for it. The clock runs only while
 * bytes wait. Every byte that the client's system acknowledges adds to the time, also bytes
 * acknowledged before others had to wait. If the transport doesn't report acknowledgements, the
 * client begins with the largest credit, and every byte that the socket takes adds to the time.
 */
public final class TakingTime {
  private final DataRate rate;
  private StreamSocket socket;
  private long untilNanos; // while no bytes wait, the remaining credit
  private long acknowledgedBytes; // when last checked
  private boolean running;

  public TakingTime(DataRate rate, StreamSocket socket) {
    this.rate = rate;
    this.socket = socket;
  }

  /** Another socket takes the place of the present one. */
  public void moveTo(StreamSocket next) {
    socket = next;
  }

  /** Starts the clock, because bytes wait from now on. Does nothing if it runs already. */
  public void start(long nowNanos) {
    if (running) {
      return;
    }
    running = true;
    untilNanos = rate.begin(untilNanos + nowNanos, nowNanos);
  }

  /** Stops the clock, because no bytes wait any more. */
  public void stop(long nowNanos) {
    running = false;
    untilNanos -= nowNanos;
  }

  /** Counts bytes that the socket has taken. */
  public void count(long bytes, long nowNanos) {
    if (acknowledgedBytes == StreamSocket.UNKNOWN) {
      untilNanos = rate.extend(untilNanos, bytes, running ? nowNanos : 0);
    }
  }

  /** Returns true if the client has received too little, as far as the transport reports it. */
  public boolean isOver(long nowNanos) {
    if (!rate.isLimited()) {
      return false;
    }
    update(nowNanos);
    return rate.isBelow(untilNanos, nowNanos);
  }

  /** Returns true if only a write can show whether the client receives anything. */
  public boolean needsWrite() {
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
