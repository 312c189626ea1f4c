package dev.peregrine.server.connection;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.base.Incident;
import dev.peregrine.server.connection.facts.ConnectionRecord;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.ClientClock;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.SocketFacts;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.turn.Turn;
import dev.peregrine.server.turn.TurnHolder;
import dev.peregrine.server.turn.TurnQueue;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A connection, owned by one event loop for life: its protocol, its deadline and its end. {@link
 * ConnectionInput}, {@link ConnectionOutput} and {@link Closing} are its parts, and {@link
 * CurrentTurn} has the steps of its turns. An idle connection is this object, its parts and its
 * socket, without any buffer.
 */
public final class Connection extends ConnectionTable.Entry implements ReadyHandler, TurnHolder {
  private static final long NO_DEADLINE = Long.MIN_VALUE;
  private static final Deadline[] DEADLINES = Deadline.values();
  private static final VarHandle TURNS =
      FieldHandle.of(MethodHandles.lookup(), "turns", TurnQueue.class);

  StreamSocket socket; // another one if the loop changes its transport
  final Closing closing = new Closing();
  private final ConnectionContext context;
  private final CurrentTurn turn;
  private final ConnectionInput input = new ConnectionInput();
  private final ConnectionOutput output;
  private final boolean shed;
  private Protocol protocol;
  private @Nullable Object attachment;
  private @Nullable ConnectionRecord record; // for listeners, if there are any
  private volatile @Nullable TurnQueue turns; // created for the first turn that needs it
  private long deadlineNanos = NO_DEADLINE;
  private int uses;
  private byte deadline; // ordinal of the Deadline at deadlineNanos

  Connection(CurrentTurn turn, StreamSocket socket, Protocol protocol, boolean shed) {
    this.turn = turn;
    this.context = turn.context;
    this.socket = socket;
    this.protocol = protocol;
    this.shed = shed;
    this.output = new ConnectionOutput(context, socket);
    this.record = context.record.isObserved() ? new ConnectionRecord(socket, context.record) : null;
  }

  // ---- for the protocol ----

  @Override
  public EventLoop loop() {
    return context.loop;
  }

  /** Returns the time by which its deadlines and data rates are measured: {@link ClientClock}. */
  public long nanos() {
    return context.clock.nanos();
  }

  /** Returns the facts of the socket: its addresses, and those of its layers. */
  public SocketFacts facts() {
    return socket;
  }

  public ConnectionInput input() {
    return input;
  }

  public ConnectionOutput output() {
    return output;
  }

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
    input.unlimit();
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
    return uses;
  }

  /** Returns true if bytes can be received and sent. */
  public boolean isOpen() {
    return closing.isOpen();
  }

  @Override
  public boolean isClosed() {
    return closing.isClosed();
  }

  /** Returns true if it was opened only to report that the server is overloaded. */
  boolean isShed() {
    return shed;
  }

  /** Returns the facts for listeners; they begin now if a recording has begun meanwhile. */
  public ConnectionRecord record() {
    ConnectionRecord known = record;
    if (known == null) {
      known = new ConnectionRecord(socket, context.record);
      known.begin();
      record = known;
    }
    return known;
  }

  /**
   * Returns the queue of bytes that are sent at the end of the turn.
   *
   * @throws IllegalStateException outside of the connection's turn, because the bytes would go to
   *     another connection
   */
  public OutboundQueue out() {
    checkTurn();
    return output.pending();
  }

  private void checkTurn() {
    if (!isServed()) {
      throw new IllegalStateException("outside of the connection's turn");
    }
    assert context.loop.owner().isServing() : "a handler must enter its turn first";
  }

  /** Returns the number of bytes received and not consumed; in a turn. */
  public int unconsumedBytes() {
    return turn.unconsumedBytes();
  }

  /** Writes pending bytes now. Returns true if less than the high-water mark is left. */
  public boolean flush() throws IOException {
    flush(!output.isUnsent());
    return !output.isBlocked();
  }

  /**
   * Writes pending bytes if they are above the high-water mark. Returns true if the protocol may
   * add more.
   */
  public boolean makeRoom() throws IOException {
    return !output.isFull() || flush();
  }

  /** Writes pending bytes, if the socket may take any. */
  void flush(boolean socketMayTake) throws IOException {
    checkTurn();
    long sent = output.flush(socketMayTake);
    if (record != null) {
      record.countSent(sent);
    }
  }

  // ---- the deadline ----

  /** Sets the event that the connection waits for, and the latest time, by {@link #nanos}. */
  @SuppressWarnings("EnumOrdinal") // stored in this object only
  public void setDeadline(Deadline waitingFor, long atNanos) {
    deadline = (byte) waitingFor.ordinal();
    deadlineNanos = atNanos;
  }

  public void clearDeadline() {
    deadlineNanos = NO_DEADLINE;
  }

  /** Waits for the client's end; not at all if only an acknowledgement is awaited. */
  void linger(boolean isShort) {
    setDeadline(Deadline.LINGER, nanos() + (isShort ? 0 : context.lingerNanos));
  }

  boolean isDue(long nowNanos) {
    return deadlineNanos != NO_DEADLINE && nowNanos - deadlineNanos >= 0 && !closing.isClosed();
  }

  /** Returns true if the deadline of this connection is before that of another one. */
  boolean isDueBefore(Connection other) {
    return deadlineNanos - other.deadlineNanos < 0;
  }

  /** Returns true if it waits for a request, and holds nothing. */
  boolean isIdle() {
    return closing.isOpen()
        && deadlineNanos != NO_DEADLINE
        && DEADLINES[deadline] == Deadline.KEEP_ALIVE
        && !output.isUnsent()
        && input.carriedBytes() == 0
        && !input.isYielded();
  }

  /** Clears a deadline that has passed, and returns what it was for. */
  Deadline takeDeadline() {
    clearDeadline();
    return DEADLINES[deadline];
  }

  // ---- the end ----

  /**
   * Ends the connection in order: sends pending bytes, then the end of the stream, then discards
   * the client's bytes until it closes too, so that it reads the response instead of a reset.
   */
  public void closeAfterFlush(CloseReason reason) {
    if (closing.begin(reason)) {
      clearDeadline(); // from here on it's the rate at which the client takes the response
    }
  }

  /**
   * Declares that the end of the stream marks the end of the content. If the connection ends before
   * all content is sent, it ends with a reset.
   */
  public void endMarksContent() {
    closing.reset();
  }

  /**
   * Ends the connection within a response, in a turn. For the protocol it is closed. Pending bytes
   * are sent, because they may contain earlier responses; then the end of the stream shows that the
   * response is incomplete. If the end of the stream would make the response look complete, a reset
   * takes its place, as soon as the client has acknowledged the bytes before, if the transport
   * reports that.
   */
  public void breakOff(CloseReason reason) {
    if (closing.breakOff(reason)) {
      clearDeadline();
      tellClosed(reason);
    }
  }

  /** Ends the connection because it can't be written to; in a turn. */
  public void lose(IOException failure) {
    turn.lose(this, failure);
  }

  /** Closes at once with a reset; unsent bytes are dropped, also those in the system's buffer. */
  public void abort(CloseReason reason) {
    closing.reset();
    close(reason);
  }

  /** Closes at once; unsent bytes are dropped. */
  public void close(CloseReason reason) {
    if (closing.isClosed()) {
      return;
    }
    CloseReason reported = closing.close(reason);
    input.pause(false);
    keepFacts();
    context.close(socket, closing.resets());
    try {
      releaseMemory();
    } catch (Throwable failure) {
      context.loop.report(Incident.MEMORY_RELEASE_FAILED, failure);
    }
    context.connections.remove(this); // last: a closed one that isn't counted holds no memory
    context.count.release(shed);
    if (!closing.isBrokenOff()) {
      tellClosed(reason);
    }
    if (record != null) {
      record.close(reported);
    }
  }

  private void keepFacts() {
    try {
      if (context.record.isObserved()) {
        ConnectionRecord ignored = record(); // which knows the addresses from now on
      }
    } catch (Throwable failure) {
      context.loop.report(Incident.LISTENER_FAILED, failure);
    }
  }

  private void releaseMemory() {
    turn.dropOf(this);
    input.release(context.loop.bufferPool());
    output.release();
  }

  /**
   * Notifies the protocol of the close. An exception of the protocol is logged, and the close
   * continues.
   */
  private void tellClosed(CloseReason reason) {
    try {
      protocol.onClose(this, reason);
    } catch (Throwable failure) {
      context.loop.report(Incident.CLOSE_NOTICE_FAILED, failure);
    }
  }

  // ---- turns ----

  /** Returns true in this connection's turn, on the loop's thread. */
  private boolean isServed() {
    return turn.current() == this;
  }

  /** Returns true if the caller runs the loop, in this connection's turn. */
  public boolean isInTurn() {
    return isServed() && context.loop.isCurrent();
  }

  /** Like {@link #isInTurn}, but false in a handler that hasn't called the server. */
  public boolean isServing() {
    return isServed() && context.loop.owner().isServing();
  }

  /**
   * Enters the server's code, if the caller runs the loop, in this connection's turn; callable from
   * any thread. {@link #exitTurn} must follow, with the result.
   *
   * @return {@link LoopOwner#OUTSIDE} if the caller's work must wait for a turn
   */
  public int enterTurn() {
    LoopOwner owner = context.loop.owner();
    int entered = owner.enter();
    if (entered != LoopOwner.OUTSIDE && !isServed()) {
      owner.exit(entered);
      return LoopOwner.OUTSIDE;
    }
    return entered;
  }

  public void exitTurn(int entered) {
    context.loop.owner().exit(entered);
  }

  /** Runs work in a turn now, if the loop calls outside of any turn; else returns false. */
  public boolean tryTurn(Turn work) {
    boolean free = context.loop.isCurrent() && turn.current() == null;
    if (free) {
      LoopOwner owner = context.loop.owner();
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
    turns().submit(work);
  }

  /**
   * Ends the input's share of this turn, because its time slice is used up: {@link
   * Protocol#onInput} continues with the unconsumed bytes in another turn, after those of other
   * connections. The socket isn't read meanwhile.
   */
  public void yieldTurn() {
    input.pause(true);
    turns().requestTurn();
  }

  @Override
  public boolean wantsTurn() {
    return input.isYielded();
  }

  /** Returns the turns that the socket doesn't start; callable from any thread. */
  public TurnQueue turns() {
    TurnQueue present = turns;
    if (present == null) {
      TurnQueue made = new TurnQueue(this);
      present = (TurnQueue) TURNS.compareAndExchange(this, null, made);
      present = present == null ? made : present;
    }
    return present;
  }

  /** Returns these turns if any was needed; null otherwise. */
  @Nullable TurnQueue knownTurns() {
    return turns;
  }

  @Nullable ConnectionRecord knownRecord() {
    return record;
  }

  void open() throws IOException {
    try {
      socket.attach(context.loop.poller(), this);
      if (record != null) {
        record.open();
      }
      protocol.onOpen(this);
      turn.updateInterest(this);
    } catch (Throwable failure) {
      close(CloseReason.INTERNAL_ERROR);
      throw failure;
    }
  }

  @Override
  public void onOpened(long nanos) {
    output.onOpened();
    TlsInfo tls = socket.tls();
    if (record != null && tls != null) {
      record.completeHandshake(tls, nanos);
    }
  }

  @Override
  public void onMoved(StreamSocket next) {
    socket = next;
    output.moveTo(next);
    turn.updateInterest(this);
  }

  @Override
  public void onReady(int ops) {
    if (closing.isClosed()) {
      return;
    }
    if ((ops & Ready.ERROR) != 0) {
      input.lose();
    }
    turn.begin(this);
    try {
      turn.serve(ops);
      turn.end();
    } catch (Throwable failure) {
      turn.onThrown(this, failure);
    }
  }

  @Override
  public void turn(Turn work) {
    if (closing.isClosed()) {
      TurnQueue.runClosed(work, context.loop);
      return;
    }
    try {
      turn.begin(this);
      work.run();
      turn.goOn();
      turn.end();
    } catch (Throwable failure) {
      turn.onThrown(this, failure);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    context.loop.contain(Incident.CONNECTION_FAILED, failure);
    boolean memory = failure instanceof OutOfMemoryError;
    close(memory ? CloseReason.OVERLOADED : CloseReason.INTERNAL_ERROR);
    turn.endOf(this);
  }

  @Override
  public void onTaskFailure(Throwable failure) {
    if (failure instanceof IOException lost) {
      lose(lost);
    } else {
      context.loop.report(Incident.CONNECTION_FAILED, failure);
      close(CloseReason.INTERNAL_ERROR);
    }
  }
}
