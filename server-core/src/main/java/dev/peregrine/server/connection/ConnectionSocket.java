package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.pace.TakingTime;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
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
public abstract sealed class ConnectionSocket implements ReadyHandler permits Connection {
  // Bounds a turn: otherwise a peer that receives as fast as the loop sends would hold it for a
  // whole response.
  static final long FLUSHED_BYTES_MAX = 1024 * 1024;

  final ConnectionGroup group;
  final StreamSocket socket;
  @Nullable ConnectionRecord record; // for listeners, if there are any
  @Nullable OutboundQueue unsent; // bytes that the socket didn't take; null if none
  private @Nullable TakingTime taking; // created when bytes first wait
  private long sentAllNanos; // when it was opened, then when it last took all that had to wait
  boolean blocked; // unsent is above the high-water mark and not yet below the low
  boolean awaited; // the protocol waits for onWritable

  ConnectionSocket(ConnectionGroup group, StreamSocket socket) {
    this.group = group;
    this.socket = socket;
    this.sentAllNanos = group.nanos();
    this.record = group.observers == null ? null : new ConnectionRecord(this);
  }

  // ---- properties ----

  public EventLoop loop() {
    return group.loop;
  }

  /**
   * Returns the time by which its deadlines and data rates are measured, see {@link
   * ConnectionGroup}.
   */
  public long nanos() {
    return group.nanos();
  }

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  public SocketAddress remoteAddress() throws IOException {
    return socket.remoteAddress();
  }

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  public SocketAddress localAddress() throws IOException {
    return socket.localAddress();
  }

  /**
   * Returns the address of the other end, which may be a proxy's; on the loop's thread, or after
   * {@link #keepAddresses} on any.
   */
  public SocketAddress peerAddress() throws IOException {
    return socket.peerAddress();
  }

  /**
   * Returns the facts of the PROXY protocol; null without it. On the loop's thread, or after {@link
   * #keepAddresses} on any.
   */
  public @Nullable ProxyInfo proxy() {
    return socket.proxy();
  }

  /**
   * Returns the result of the TLS handshake; null on plain text. On the loop's thread, or after
   * {@link #keepAddresses} on any.
   */
  public @Nullable TlsInfo tls() {
    return socket.tls();
  }

  /**
   * Returns true if the client's connection is secured. On the loop's thread, or after {@link
   * #keepAddresses} on any.
   */
  public boolean isSecure() {
    return socket.isSecure();
  }

  /** Returns true if {@link #servesHost} depends on the host. */
  public boolean restrictsHosts() {
    return socket.restrictsHosts();
  }

  /**
   * Returns true if requests for a host may be sent on this connection; on the loop's thread.
   *
   * @param host a name in lower case; null for none
   */
  public boolean servesHost(@Nullable String host) {
    return socket.servesHost(host);
  }

  /** Returns true if the client has begun a handshake that isn't complete. */
  public boolean isOpening() {
    return socket.isOpening();
  }

  @Override
  public final void onOpened(long nanos) {
    sentAllNanos = group.nanos();
    TlsInfo tls = tls();
    if (record != null && tls != null) {
      record.completeHandshake(tls, nanos);
    }
  }

  /** Makes the addresses known to any thread from now on; on the loop's thread. */
  public void keepAddresses() {
    socket.keepAddresses();
  }

  /** Returns the facts for listeners; they begin now if a recording has begun meanwhile. */
  public ConnectionRecord record() {
    ConnectionRecord known = record;
    if (known == null) {
      known = new ConnectionRecord(this);
      known.begin();
      record = known;
    }
    return known;
  }

  // ---- turns ----

  /** Returns true if the caller runs the loop, in this connection's turn. */
  public boolean isInTurn() {
    return group.current == this && group.loop.isCurrent();
  }

  /** Like {@link #isInTurn}, but false in a handler that hasn't called the server. */
  public boolean isServing() {
    return group.current == this && group.loop.owner().isServing();
  }

  /**
   * Enters the server's code, if the caller runs the loop, in this connection's turn; callable from
   * any thread. {@link #exitTurn} must follow, with the result.
   *
   * @return {@link LoopOwner#OUTSIDE} if the caller's work must wait for a turn
   */
  public int enterTurn() {
    LoopOwner owner = group.loop.owner();
    int entered = owner.enter();
    if (entered != LoopOwner.OUTSIDE && group.current != this) {
      owner.exit(entered);
      return LoopOwner.OUTSIDE;
    }
    return entered;
  }

  public void exitTurn(int entered) {
    group.loop.owner().exit(entered);
  }

  /** Returns the number of bytes received and not consumed; in a turn. */
  public int unconsumedBytes() {
    return group.inbound.to() - group.inbound.from();
  }

  // ---- output ----

  /**
   * Returns the queue of bytes that are sent at the end of the turn.
   *
   * @throws IllegalStateException outside of the connection's turn, because the bytes would go to
   *     another connection
   */
  public OutboundQueue out() {
    if (group.current != this) {
      throw new IllegalStateException("outside of the connection's turn");
    }
    assert group.loop.owner().isServing() : "a handler must enter its turn first";
    return pending();
  }

  private OutboundQueue pending() {
    return unsent != null ? unsent : group.outbound();
  }

  /** Writes pending bytes now. Returns true if less than the high-water mark is left. */
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

  /** Has {@link Protocol#onWritable} called once a handshake is complete; without one, soon. */
  public void awaitHandshake() {
    awaited = true;
  }

  /**
   * Writes pending bytes if they are above the high-water mark. Returns true if the protocol may
   * add more.
   */
  public boolean makeRoom() throws IOException {
    return !isFull() || flush();
  }

  private boolean isFull() {
    return blocked || pending().pendingBytes() >= group.limits.outboundHighWater();
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

  /** Writes pending bytes, if the socket may take any. */
  final void flush(boolean socketMayTake) throws IOException {
    OutboundQueue queue = out();
    if (queue.isEmpty()) {
      return;
    }
    if (socketMayTake) {
      long before = queue.pendingBytes();
      long enough = before - FLUSHED_BYTES_MAX;
      while (!queue.isEmpty() && queue.writeTo(socket) && queue.pendingBytes() > enough) {
        // One write gathers a limited number of pieces.
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

  /** Copies the bytes that the inbound memory has lent to the output. */
  final void endLoan() {
    if (group.inbound.isLent()) {
      pending().endLoan();
    }
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

  /** Returns true if a handshake takes too long. */
  final boolean isOverdue(long nowNanos) {
    return socket.isOverdue(nowNanos - sentAllNanos); // nothing is sent before it is complete
  }

  /** Ends a handshake that takes too long, by an exception. */
  final void expire(long nowNanos) throws IOException {
    socket.expire(nowNanos - sentAllNanos);
  }

  /** Returns true if only a write can show whether the client receives anything. */
  final boolean needsWrite() {
    return unsent != null && taking().needsWrite();
  }

  final boolean isTakingTooSlowly(long nowNanos) {
    return unsent != null && taking().isOver(nowNanos);
  }

  /**
   * Returns true if the client receives the bytes of its response that the system holds, at the
   * required rate.
   */
  final boolean isStillTaking() {
    if (socket.unacknowledgedBytes() <= 0) {
      return false; // or the transport doesn't report it
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
      if (group.observers != null) {
        ConnectionRecord ignored = record(); // which knows the addresses from now on
      }
    } catch (Throwable failure) {
      group.loop.report(Incident.LISTENER_FAILED, failure);
    }
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
