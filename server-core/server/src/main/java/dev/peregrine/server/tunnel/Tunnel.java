package dev.peregrine.server.tunnel;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.Incident;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A connection or stream after HTTP: passes bytes between the client and a {@link TunnelUser}. Used
 * on the event loop, in a turn of its connection.
 */
public abstract class Tunnel {
  private static final FailureLog FAILURES = new FailureLog();

  private final Connection connection;
  private final TunnelUser user;

  protected Tunnel(Connection connection, TunnelUser user) {
    this.connection = connection;
    this.user = user;
  }

  // ---- for the user ----

  /** Returns the connection, whose turns are those of the tunnel. */
  public final Connection connection() {
    return connection;
  }

  /** Returns true if bytes can still be sent. */
  public abstract boolean isOpen();

  /** Returns true if there is room to write now; if not, {@link TunnelUser#onWritable} follows. */
  public abstract boolean requestRoom();

  /**
   * Tries to make room to write. If it returns false, {@link TunnelUser#onWritable} follows.
   *
   * @throws IOException if the client has disconnected
   */
  public abstract boolean makeRoom() throws IOException;

  /** Sends a buffer's remaining bytes, which must not be changed until they are sent. */
  public abstract void send(ByteBuffer source);

  /** Sends a copy of bytes, of any number. */
  public abstract void sendCopy(byte[] source, int from, int length);

  /** Sends a copy of bytes, of any number. */
  public abstract void sendCopy(MemorySegment source, long from, int length);

  /** Sends copies of two runs of bytes, the second right after the first. */
  public abstract void sendCopy(
      byte[] head, int headFrom, int headLength, MemorySegment source, long from, int length);

  /**
   * Sends bytes of a block by reference, and takes the block over. Returns false, and does nothing,
   * if only copies can be sent here.
   */
  public boolean give(Block block, int from, int to) {
    return false;
  }

  /**
   * Sends bytes of the block with the present input by reference, during {@link TunnelUser#onData}.
   * They must not be changed until the end of the turn. Returns false, and does nothing, if that
   * isn't possible now.
   */
  public boolean lend(Block block, int from, int to) {
    return false;
  }

  /** Lets bytes arrive again, because {@link TunnelUser#isTaking} has become true. */
  public abstract void resumeInput();

  /** Ends the output in order, after everything sent before. */
  public abstract void endOutput(CloseReason reason);

  /**
   * Sets the time, by {@link Connection#nanos}, from which on {@link TunnelUser#onDue} is called
   * soon, once; in place of the time that was set before.
   */
  public abstract void setDue(long atNanos);

  /** Returns the number of bytes that were sent here and haven't left yet. */
  public abstract long unsentBytes();

  /** Ends both directions at once. */
  public abstract void reset(CloseReason reason);

  /** Ends both directions, because the application has failed. */
  protected abstract void breakOff();

  // ---- for the protocol ----

  /** Returns true if the user takes bytes that arrive. */
  protected final boolean isTaking() {
    return user.isTaking();
  }

  /** Returns how many bytes the user expects at once; see {@link TunnelUser#expectedBytes}. */
  protected final long expectedBytes() {
    return user.expectedBytes();
  }

  /** The tunnel ends before it was opened. */
  protected final void notifyDropped() {
    user.onDropped();
  }

  protected final void notifyOpen() {
    try {
      user.onOpen(this);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** Passes bytes on, in a block that is valid during the call. */
  protected final void notifyData(Block block, int from, int to) {
    try {
      user.onData(block, from, to);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  protected final void notifyEnd() {
    try {
      user.onEnd();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  protected final void notifyWritable() {
    try {
      user.onWritable();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  protected final void notifyDue() {
    try {
      user.onDue();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  protected final void notifyShutdown() {
    try {
      user.onShutdown();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  protected final void notifyClosed(CloseReason reason) {
    try {
      user.onClose(ConnectionClosed.by(reason));
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** Ends the tunnel because the application has failed, or for want of memory. */
  public final void fail(Throwable failure) {
    if (!connection.loop().reportOutOfMemory(Incident.CONNECTION_FAILED, failure)) {
      log(failure);
    }
    breakOff();
  }

  public static void log(Throwable failure) {
    FAILURES.add("the listener of an upgraded connection failed", failure);
  }
}
