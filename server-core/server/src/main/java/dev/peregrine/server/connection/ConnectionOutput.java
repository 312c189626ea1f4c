package dev.peregrine.server.connection;

import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.pace.TakingTime;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a connection: the bytes that its socket hasn't taken, whether the protocol
 * may add to them, and the time that the client takes. On the loop's thread.
 *
 * <pre>
 *   FLOWING ──requestRoom──▶ AWAITED ──flush──▶ BLOCKED
 *      ▲  └───────────────────flush─────────────▶ │
 *      └──────────flow, below the low-water mark──┘
 * </pre>
 */
public final class ConnectionOutput {
  // Bounds a turn: otherwise a peer that receives as fast as the loop sends would hold it for a
  // whole response.
  static final long FLUSHED_BYTES_MAX = 1024 * 1024;

  /** The protocol may add bytes. */
  private static final byte FLOWING = 0;

  /** The protocol waits for onWritable. */
  private static final byte AWAITED = 1;

  /** More than the high-water mark is unsent, and not yet less than the low: nothing is parsed. */
  private static final byte BLOCKED = 2;

  private static final byte UNKNOWN_INTEREST = -1;

  private final ConnectionContext context;
  private StreamSocket socket;
  private @Nullable OutboundQueue unsent; // bytes that the socket didn't take; null if none
  private @Nullable TakingTime taking; // created when bytes first wait
  private long sentAllNanos; // when it was opened, then when it last took all that had to wait
  private byte state = FLOWING;
  private byte interest; // as the socket knows it

  ConnectionOutput(ConnectionContext context, StreamSocket socket) {
    this.context = context;
    this.socket = socket;
    this.sentAllNanos = context.clock.nanos();
  }

  // ---- for the protocol, in a turn ----

  /**
   * Returns true if less than the high-water mark is unsent. If not, {@link Protocol#onWritable} is
   * called once less than the low-water mark is unsent, even if that happens at the end of this
   * turn.
   */
  public boolean requestRoom() {
    boolean full = isFull();
    if (full) {
      await();
    }
    return !full;
  }

  /** Has {@link Protocol#onWritable} called when there is room, and no handshake under way. */
  public void await() {
    if (state == FLOWING) {
      state = AWAITED;
    }
  }

  /** Returns the number of bytes that the socket hasn't taken yet. */
  public long unsentBytes() {
    return pending().pendingBytes();
  }

  /**
   * Returns the time at which the socket had taken all bytes that had to wait, or else was opened
   * and its handshake complete.
   */
  public long sentAllNanos() {
    return sentAllNanos;
  }

  // ---- for the connection ----

  /** Returns the queue to write into, in a turn. */
  OutboundQueue pending() {
    return unsent != null ? unsent : context.outbound.shared();
  }

  /** Returns true if bytes wait for the socket. */
  boolean isUnsent() {
    return unsent != null;
  }

  /** Returns true if bytes wait for the socket, or the protocol for their room. */
  boolean isAwaited() {
    return unsent != null || state == AWAITED;
  }

  /** Returns true if so much is unsent that nothing more is parsed. */
  boolean isBlocked() {
    return state == BLOCKED;
  }

  boolean isFull() {
    return state == BLOCKED || unsentBytes() >= context.limits.outboundHighWater();
  }

  /** Returns true if the protocol waits, and may continue. */
  boolean isDue() {
    return state != FLOWING && unsentBytes() < context.limits.outboundLowWater();
  }

  /** Has the protocol wait, and the socket told again what is awaited. */
  void awaitAnew() {
    interest = UNKNOWN_INTEREST;
    await();
  }

  /** Tells the socket what is awaited now, with the room for bytes that wait. */
  void tell(int ops) {
    int wanted = isAwaited() ? ops | Ready.WRITE : ops;
    if (wanted != interest) {
      interest = (byte) wanted;
      socket.interest(wanted);
    }
  }

  /** Another socket takes the place of the present one; it is interested in nothing yet. */
  void moveTo(StreamSocket next) {
    socket = next;
    interest = 0;
    if (taking != null) {
      taking.moveTo(next);
    }
  }

  /** Ends the wait of the protocol. */
  void flow() {
    state = FLOWING;
  }

  /** A handshake is complete. */
  void onOpened() {
    sentAllNanos = context.clock.nanos();
  }

  /** Writes pending bytes in a turn, unless others wait already. Returns how many were sent. */
  long flush() throws IOException {
    return flush(unsent == null);
  }

  /** Writes pending bytes, if the socket may take any. Returns how many were sent. */
  long flush(boolean socketMayTake) throws IOException {
    OutboundQueue queue = pending();
    if (queue.isEmpty()) {
      return 0;
    }
    long sent = socketMayTake ? write(queue) : 0;
    if (queue.isEmpty()) {
      takeBackUnsent();
    } else {
      keep(queue);
    }
    return sent;
  }

  private long write(OutboundQueue queue) throws IOException {
    long before = queue.pendingBytes();
    long enough = before - FLUSHED_BYTES_MAX;
    while (!queue.isEmpty() && queue.writeTo(socket) && queue.pendingBytes() > enough) {
      // One write gathers a limited number of pieces.
    }
    long sent = before - queue.pendingBytes();
    if (taking != null) {
      taking.count(sent, context.clock.nanos());
    }
    return sent;
  }

  /** Keeps bytes that the socket hasn't taken. */
  private void keep(OutboundQueue queue) {
    if (unsent == null) {
      unsent = context.outbound.give();
      taking().start(context.clock.nanos());
    }
    queue.releaseSpare();
    endLoan();
    if (queue.pendingBytes() >= context.limits.outboundHighWater()) {
      state = BLOCKED;
    }
  }

  /** Copies the bytes that the inbound memory has lent to the output. */
  void endLoan() {
    if (context.inbound.isLent()) {
      pending().endLoan();
    }
  }

  private void takeBackUnsent() {
    OutboundQueue sent = unsent;
    if (sent != null) {
      context.outbound.takeBack(sent);
      unsent = null;
      sentAllNanos = context.clock.nanos();
      taking().stop(sentAllNanos);
    }
  }

  /** Drops pending bytes, in a turn. */
  void drop() {
    if (unsent != null) {
      takeBackUnsent();
    } else {
      context.outbound.shared().clear();
    }
  }

  /** Releases the memory of bytes that wait for the socket, at the end of the connection. */
  void release() {
    OutboundQueue queue = unsent;
    unsent = null; // before the release, so that nothing is released twice
    if (queue != null) {
      context.outbound.takeBack(queue);
    }
  }

  // ---- the time that the client takes ----

  /** Returns true if a handshake takes too long. */
  boolean isOverdue(long nowNanos) {
    return socket.isOverdue(nowNanos - sentAllNanos); // nothing is sent before it is complete
  }

  /** Ends a handshake that takes too long, by an exception. */
  void expire(long nowNanos) throws IOException {
    socket.expire(nowNanos - sentAllNanos);
  }

  /** Returns true if only a write can show whether the client receives anything. */
  boolean needsWrite() {
    return unsent != null && taking().needsWrite();
  }

  boolean isTakingTooSlowly(long nowNanos) {
    return unsent != null && taking().isOver(nowNanos);
  }

  /**
   * Returns true if the client receives the bytes of its response that the system holds, at the
   * required rate.
   */
  boolean isStillTaking() {
    if (socket.unacknowledgedBytes() <= 0) {
      return false; // or the transport doesn't report it
    }
    long now = context.clock.nanos();
    taking().start(now);
    return !taking().isOver(now);
  }

  private TakingTime taking() {
    TakingTime present = taking;
    if (present == null) {
      present = new TakingTime(context.takingRate, socket);
      taking = present;
    }
    return present;
  }
}
