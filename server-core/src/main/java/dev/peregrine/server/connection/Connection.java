package dev.peregrine.server.connection;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.ContentFailedException;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.Relieved;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A connection, owned by one event loop for life. Each of its turns has the same steps: begin with
 * the carried bytes, read, let the protocol respond, write once, carry over the rest. An idle
 * connection is this object and its socket, without any buffer. {@link ConnectionSocket} has the
 * output, {@link ConnectionSweep} and {@link ConnectionEnd} the rare steps; none is an own object.
 */
public final class Connection extends ConnectionSocket implements ReadyHandler {
  static final long NO_DEADLINE = Long.MIN_VALUE;
  private static final int SHED = Integer.MIN_VALUE;

  private static final VarHandle TURNS =
      FieldHandle.of(MethodHandles.lookup(), "turns", TurnQueue.class);

  private Protocol protocol;
  private @Nullable Object attachment;
  volatile @Nullable TurnQueue turns; // created for the first turn that needs it
  long deadlineNanos = NO_DEADLINE;
  int inputMax = Integer.MAX_VALUE; // bytes that may still arrive unconsumed, or while lingering
  private int uses; // from SHED on if it is shed: a flag would make the object 8 bytes larger
  byte state = ConnectionState.OPEN;
  byte closeReason; // ordinal of a CloseReason once it isn't open
  byte deadline; // ordinal of the Deadline at deadlineNanos
  byte interest; // as the socket knows it
  boolean inputEnded;
  private boolean wantsTurn; // input waits that did not fit into a time slice
  private boolean inputEndWatched;
  private boolean lost; // reset by the client: only received bytes are left
  boolean brokenOff; // the protocol has been notified of the end
  boolean endsWithReset; // the end of the stream would make incomplete content look complete

  int slot; // in the ConnectionGroup
  @Nullable Block carried; // its content is the carried bytes

  Connection(ConnectionGroup group, StreamSocket socket, Protocol protocol, boolean isShed) {
    super(group, socket);
    this.uses = isShed ? SHED : 0;
    this.protocol = protocol;
  }

  // ---- for the protocol ----

  /** Returns the protocol's state of this connection. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object remembered) {
    attachment = remembered;
  }

  /** Passes all later bytes to another protocol, and drops the state of the old one. */
  public void switchTo(Protocol next) {
    attachment = null;
    inputMax = Integer.MAX_VALUE;
    clearDeadline();
    protocol = next;
    next.onOpen(this);
  }

  public Protocol protocol() {
    return protocol;
  }

  /** Counts one more use of the connection. */
  public void countUse() {
    uses++;
  }

  /** Returns how many uses were counted. */
  public int uses() {
    return uses & ~SHED;
  }

  /** Returns true if bytes can be received and sent. */
  public boolean isOpen() {
    return state == ConnectionState.OPEN;
  }

  /** Returns true if it was opened only to report that the server is overloaded. */
  boolean isShed() {
    return uses < 0;
  }

  boolean isClosed() {
    return state == ConnectionState.CLOSED;
  }

  /** Returns true if the client has sent the end of its stream. */
  public boolean isInputEnded() {
    return inputEnded;
  }

  /** Stops reading while the given number of bytes is unconsumed; received bytes stay. */
  public void limitInput(int bytes) {
    if (state == ConnectionState.OPEN) {
      inputMax = bytes;
    }
  }

  /**
   * Sets whether the protocol is notified of the end of the client's stream while it doesn't read
   * that far. A transport that detects the end without reading notifies it at once. Otherwise the
   * connection continues to read even if too much is unsent, up to {@code pipelinedBytesMax}
   * unconsumed bytes.
   */
  public void watchInputEnd(boolean on) {
    inputEndWatched = on;
  }

  public void unlimitInput() {
    limitInput(Integer.MAX_VALUE);
  }

  /** Sets the event that the connection waits for, and the latest time, by {@link #nanos}. */
  @SuppressWarnings("EnumOrdinal") // stored in this object only
  public void setDeadline(Deadline waitingFor, long atNanos) {
    deadline = (byte) waitingFor.ordinal();
    deadlineNanos = atNanos;
  }

  public void clearDeadline() {
    deadlineNanos = NO_DEADLINE;
  }

  /**
   * Ends the connection in order: sends pending bytes, then the end of the stream, then discards
   * the client's bytes until it closes too, so that it reads the response instead of a reset.
   */
  @SuppressWarnings("EnumOrdinal") // stored in this object only
  public void closeAfterFlush(CloseReason reason) {
    if (state == ConnectionState.OPEN) {
      state = ConnectionState.CLOSING;
      closeReason = (byte) reason.ordinal();
      clearDeadline(); // from here on it's the rate at which the client takes the response
    }
  }

  /**
   * Declares that the end of the stream marks the end of the content. If the connection ends before
   * all content is sent, it ends with a reset.
   */
  public void endMarksContent() {
    endsWithReset = true;
  }

  /**
   * Ends the connection within a response, in a turn. For the protocol it is closed. Pending bytes
   * are sent, because they may contain earlier responses; then the end of the stream shows that the
   * response is incomplete. If the end of the stream would make the response look complete, a reset
   * takes its place, as soon as the client has acknowledged the bytes before, if the transport
   * reports that.
   */
  @SuppressWarnings("EnumOrdinal") // stored in this object only
  public void breakOff(CloseReason reason) {
    boolean sends = state == ConnectionState.OPEN || state == ConnectionState.CLOSING;
    if (sends && !brokenOff) {
      state = ConnectionState.CLOSING;
      closeReason = (byte) reason.ordinal();
      clearDeadline();
      brokenOff = true;
      tellClosed(reason);
    }
  }

  /** Ends the connection because it can't be written to; in a turn. */
  public void lose(IOException failure) {
    if (failure instanceof ContentFailedException) {
      group.loop.report(Incident.RESPONSE_BROKEN_OFF, failure);
      dropPending();
      breakOff(CloseReason.APPLICATION_FAILED);
    } else if (failure instanceof LayerFailedException broken) {
      ConnectionEnd.loseLayer(this, broken);
    } else {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, failure);
      close(CloseReason.CLIENT_RESET);
    }
  }

  /** Closes at once with a reset; unsent bytes are dropped, also those in the system's buffer. */
  public void abort(CloseReason reason) {
    endsWithReset = true;
    close(reason);
  }

  /** Closes at once; unsent bytes are dropped. */
  public void close(CloseReason reason) {
    if (state == ConnectionState.CLOSED) {
      return;
    }
    CloseReason first = ConnectionEnd.firstReason(this, reason);
    state = ConnectionState.CLOSED;
    wantsTurn = false;
    closeSocket(endsWithReset);
    try {
      ConnectionEnd.releaseMemory(this);
    } catch (Throwable failure) {
      group.loop.report(Incident.MEMORY_RELEASE_FAILED, failure);
    }
    group.remove(this); // last: a closed connection that isn't counted holds no memory
    if (!brokenOff) {
      tellClosed(reason);
    }
    if (record != null) {
      record.close(first);
    }
  }

  /**
   * Notifies the protocol of the close. An exception of the protocol is logged, and the close
   * continues.
   */
  private void tellClosed(CloseReason reason) {
    try {
      protocol.onClose(this, reason);
    } catch (Throwable failure) {
      group.loop.report(Incident.CLOSE_NOTICE_FAILED, failure);
    }
  }

  /** Runs work in a turn now, if the loop calls outside of any turn; else returns false. */
  public boolean tryTurn(Turn work) {
    boolean free = group.loop.isCurrent() && group.current == null;
    if (free) {
      LoopOwner owner = group.loop.owner();
      owner.pin(); // the caller's frames can't be left, and it may hold a monitor
      try {
        turn(work);
      } finally {
        owner.unpin();
      }
    }
    return free;
  }

  /** Runs work in a later turn of this connection; callable from any thread. */
  public void execute(Turn work) {
    turns().submit(new TurnTask(work));
  }

  /**
   * Ends the input's share of this turn, because its time slice is used up: {@link
   * Protocol#onInput} continues with the unconsumed bytes in another turn, after those of other
   * connections. The socket isn't read meanwhile.
   */
  public void yieldTurn() {
    wantsTurn = true;
    turns().requestTurn();
  }

  /** Returns true if input waits for a turn that {@link #yieldTurn} requested. */
  public boolean wantsTurn() {
    return wantsTurn;
  }

  TurnQueue turns() {
    TurnQueue present = turns;
    if (present == null) {
      TurnQueue made = new TurnQueue(this);
      present = (TurnQueue) TURNS.compareAndExchange(this, null, made);
      present = present == null ? made : present;
    }
    return present;
  }

  // ---- turns ----

  void open() throws IOException {
    try {
      socket.attach(group.loop.poller(), this);
      if (record != null) {
        record.open();
      }
      protocol.onOpen(this);
      updateInterest();
    } catch (Throwable failure) {
      close(CloseReason.INTERNAL_ERROR);
      throw failure;
    }
  }

  @Override
  public void onReady(int ops) {
    if (state == ConnectionState.CLOSED) {
      return;
    }
    lost |= (ops & Ready.ERROR) != 0;
    InboundBuffer in = begin();
    try {
      if ((ops & Ready.WRITE) != 0) {
        group.endsAhead = (ops & Ready.INPUT_END) != 0;
        flush(true);
        resumeIfWritable(in);
        group.endsAhead = false;
      }
      if ((ops & Ready.INPUT_END) != 0) {
        onInputEndAhead();
      }
      if ((ops & Ready.READ) != 0 && mayRead(unconsumedBytes()) && !in.isLent()) {
        read(in);
      }
      end(in);
    } catch (IOException failure) {
      onLost(in, failure);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      onFailure(failure);
    }
  }

  void onInputEndAhead() {
    if (state == ConnectionState.OPEN && !inputEnded) {
      protocol.onInputEndAhead(this);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    group.loop.report(Incident.CONNECTION_FAILED, failure);
    boolean memory = failure instanceof OutOfMemoryError;
    fail(group.inbound, memory ? CloseReason.OVERLOADED : CloseReason.INTERNAL_ERROR);
  }

  boolean isDue(long nowNanos) {
    return deadlineNanos != NO_DEADLINE
        && nowNanos - deadlineNanos >= 0
        && state != ConnectionState.CLOSED;
  }

  void turn(Turn work) {
    if (state == ConnectionState.CLOSED) {
      TurnTask.runClosed(work);
      return;
    }
    try {
      InboundBuffer in = begin();
      work.run();
      goOn(in);
      end(in);
    } catch (IOException failure) {
      onLost(group.inbound, failure);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      onFailure(failure);
    }
  }

  InboundBuffer begin() {
    EventLoop.clearInterrupt();
    group.current = this;
    group.inbound.begin(this);
    return group.inbound;
  }

  void read(InboundBuffer in) throws IOException {
    // at most a usual read while bytes are unsent, because the response could add to them
    boolean expects = attachment != null && unsent == null && state == ConnectionState.OPEN;
    int n =
        in.read(
            socket,
            blocked ? blockedInputMax() : inputMax,
            expects ? protocol.expectedBytes(this) : 0);
    if (record != null) {
      record.countReceived(n);
    }
    if (state == ConnectionState.LINGERING) {
      ConnectionEnd.linger(this, in, n);
    } else if (n > 0) {
      wantsTurn = false;
      if (!blocked) {
        protocol.onInput(this, in);
      }
    } else if (n < 0) {
      inputEnded = true;
      wantsTurn = false;
      protocol.onInputEnd(this, in);
    }
  }

  void end(InboundBuffer in) throws IOException {
    if (state != ConnectionState.CLOSED) {
      flush(unsent == null);
    }
    if (state == ConnectionState.CLOSING) {
      in.consumeAll();
      if (unsent == null) {
        ConnectionEnd.halfClose(this);
      }
    }
    if (lost && !mayRead(unconsumedBytes())) {
      close(CloseReason.CLIENT_RESET); // no later read would detect the reset
    }
    in.end(this);
    group.current = null;
    if (state != ConnectionState.CLOSED) {
      updateInterest();
    }
  }

  void onLost(InboundBuffer in, IOException failure) {
    try {
      lose(failure);
      end(in);
    } catch (IOException again) {
      fail(in, CloseReason.CLIENT_RESET);
    } catch (Throwable again) {
      onFailure(again);
    }
  }

  private void fail(InboundBuffer in, CloseReason reason) {
    close(reason);
    if (group.current == this) {
      group.current = null;
      in.consumeAll();
      in.end(this);
    }
  }

  void resumeIfWritable(InboundBuffer in) throws IOException {
    if ((blocked || awaited) && unsentBytes() < group.limits.outboundLowWater()) {
      boolean notRead = blocked;
      blocked = false;
      awaited = false;
      if (state == ConnectionState.OPEN) {
        if (notRead) {
          protocol.onReadingAgain(this);
        }
        protocol.onWritable(this);
      }
      goOn(in);
    }
  }

  /** Lets the protocol continue with received bytes, unless too much is still unsent. */
  void goOn(InboundBuffer in) throws IOException {
    wantsTurn = false; // above the high-water mark, onWritable continues
    if (state == ConnectionState.OPEN && makeRoom()) {
      protocol.onInput(this, in);
    }
  }

  boolean mayRead(int unconsumed) {
    return !inputEnded
        && (state == ConnectionState.LINGERING
            || (state == ConnectionState.OPEN
                && !wantsTurn
                && unconsumed < (blocked ? blockedInputMax() : inputMax)));
  }

  /**
   * Returns the number of bytes that may be received while too much is unsent, to detect the end of
   * the stream.
   */
  private int blockedInputMax() {
    return inputEndWatched ? Math.min(inputMax, group.limits.pipelinedBytesMax()) : 0;
  }

  /** Returns the number of bytes received and not consumed, between two turns. */
  int carriedBytes() {
    Block block = carried;
    return block == null ? 0 : block.contentTo() - block.contentFrom();
  }

  private void updateInterest() {
    int wanted =
        (mayRead(carriedBytes()) ? Ready.READ : 0)
            | (unsent != null || awaited ? Ready.WRITE : 0)
            | (inputEndWatched && !inputEnded ? Ready.INPUT_END : 0);
    if (wanted != interest) {
      interest = (byte) wanted;
      socket.interest(wanted);
    }
  }
}
