package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.StreamSocket;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a {@link Connection}, its properties, and the bytes on their way out. A superclass
 * and not a part, so that an open connection stays one object.
 */
public abstract sealed class ConnectionSocket permits Connection {
  // Bounds a turn: a peer as fast as the loop would take a whole response in one.
  static final long FLUSHED_BYTES_MAX = 1024 * 1024;

  final ConnectionGroup group;
  final StreamSocket socket;
  final @Nullable ConnectionRecord record; // for listeners, if there are any
  @Nullable OutboundQueue unsent; // what the socket couldn't take, if anything
  private @Nullable TakingTime taking; // created when something first waits
  private long sentAllNanos; // when the socket last took what it first could not
  boolean blocked; // unsent is above the high-water mark and not yet below the low
  boolean awaited; // the protocol waits until less is unsent

  ConnectionSocket(ConnectionGroup group, StreamSocket socket) {
    this.group = group;
    this.socket = socket;
    this.sentAllNanos = group.nanos();
    ConnectionObservers observers = group.observers;
    this.record = observers == null ? null : new ConnectionRecord(this, observers);
  }

  // ---- properties ----

  public EventLoop loop() {
    return group.loop;
  }

  /** The time that its deadlines and data rates are in terms of, see {@link ConnectionGroup}. */
  public long nanos() {
    return group.nanos();
  }

  /** On the loop's thread, or after {@link #keepAddresses} on any. */
  public SocketAddress remoteAddress() throws IOException {
    return socket.remoteAddress();
  }

  /** On the loop's thread, or after {@link #keepAddresses} on any. */
  public SocketAddress localAddress() throws IOException {
    return socket.localAddress();
  }

  /** Returns what TLS has agreed on, or null on plain text. On the thread of an address. */
  public @Nullable TlsInfo tls() {
    return socket.tls();
  }

  /** Returns true if the client's connection is secured. On the thread of an address. */
  public boolean isSecure() {
    return socket.isSecure();
  }

  /** Makes the addresses known to any thread from now on; on the loop's thread. */
  public void keepAddresses() {
    socket.keepAddresses();
  }

  /** The facts for listeners; only if there are any. */
  public ConnectionRecord record() {
    return Objects.requireNonNull(record);
  }

  // ---- output ----

  /**
   * Where bytes are added that go out at the end of the turn.
   *
   * @throws IllegalStateException outside of the connection's turn, when they would go to another
   */
  public OutboundQueue out() {
    if (group.current != this) {
      throw new IllegalStateException("outside of the connection's turn");
    }
    return pending();
  }

  private OutboundQueue pending() {
    return unsent != null ? unsent : group.outbound();
  }

  /** Writes what is pending now. Returns whether less than the high-water mark is left. */
  public boolean flush() throws IOException {
    flush(unsent == null);
    return !blocked;
  }

  /**
   * Returns true if less than the high-water mark is unsent. If not, {@link Protocol#onWritable} is
   * called once less than the low-water mark is unsent, even if that happens at the end of this
   * turn.
   */
  public boolean requestRoom() {
    boolean full = isFull();
    awaited |= full;
    return !full;
  }

  /** Writes what is pending if it is too much. Returns whether the protocol may add more. */
  public boolean makeRoom() throws IOException {
    return !isFull() || flush();
  }

  private boolean isFull() {
    return blocked || pending().pendingBytes() >= group.limits.outboundHighWater();
  }

  /** Bytes that the socket hasn't taken yet. */
  public long unsentBytes() {
    return pending().pendingBytes();
  }

  /** When the socket had taken everything, after a time in which it could not. */
  public long sentAllNanos() {
    return sentAllNanos;
  }

  /** Writes what is pending, if the socket may take any of it. */
  final void flush(boolean socketMayTake) throws IOException {
    OutboundQueue queue = out();
    if (queue.isEmpty()) {
      return;
    }
    if (socketMayTake) {
      long before = queue.pendingBytes();
      long enough = before - FLUSHED_BYTES_MAX;
      while (!queue.isEmpty() && queue.writeTo(socket) && queue.pendingBytes() > enough) {
        // There were more pieces than one write gathers.
      }
      if (record != null) {
        record.countSent(before - queue.pendingBytes());
      }
      if (taking != null) {
        taking.count(before - queue.pendingBytes(), group.nanos());
      }
    }
    if (queue.isEmpty()) {
      if (unsent != null) {
        takeBackUnsent();
      }
      return;
    }
    if (unsent == null) {
      unsent = group.giveOutbound();
      taking().start(group.nanos());
    }
    queue.releaseSpare();
    if (group.inbound.isLent()) {
      queue.endLoan();
    }
    blocked |= queue.pendingBytes() >= group.limits.outboundHighWater();
  }

  private void takeBackUnsent() {
    group.takeBack(Objects.requireNonNull(unsent));
    unsent = null;
    sentAllNanos = group.nanos();
    taking().stop(sentAllNanos);
  }

  final void dropPending() {
    if (unsent != null) {
      takeBackUnsent();
    } else if (group.current == this) {
      group.outbound().clear();
    }
  }

  // ---- the time that the client takes ----

  /** Returns true if only a write can show whether the client receives anything. */
  final boolean needsWrite() {
    return unsent != null && taking().needsWrite();
  }

  final boolean isTakingTooSlowly(long nowNanos) {
    return unsent != null && taking().isOver(nowNanos);
  }

  /** Returns true if the client takes what the system has of its response, and fast enough. */
  final boolean isStillTaking() {
    if (socket.unacknowledgedBytes() <= 0) {
      return false; // or the transport can't tell
    }
    taking().start(group.nanos());
    return !taking().isOver(group.nanos());
  }

  private TakingTime taking() {
    if (taking == null) {
      taking = new TakingTime(group.takingRate, socket);
    }
    return taking;
  }

  // ---- the end ----

  /** Closes the socket. */
  final void closeSocket(boolean withReset) {
    try {
      if (withReset) {
        socket.reset();
      }
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.SOCKET_RESET_FAILED, failure);
    } catch (Throwable failure) {
      group.loop.report(Incident.SOCKET_RESET_FAILED, failure);
    }
    try {
      socket.close();
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.SOCKET_CLOSE_FAILED, failure);
    } catch (Throwable failure) {
      group.loop.report(Incident.SOCKET_CLOSE_FAILED, failure);
    }
  }
}
