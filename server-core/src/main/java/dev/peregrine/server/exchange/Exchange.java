package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.base.FieldHandle;
import dev.peregrine.http.Outcome;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Relieved;
import dev.peregrine.server.turn.Turn;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response (RFC 9110), independent of the version of HTTP: see {@link
 * HttpStream}. Belongs to the event loop; the handler's side of it ({@link ExchangeRequest}, {@link
 * ExchangeResponse}) may be on another thread once the handler has called {@code async}.
 *
 * <pre>
 *        ┌──────────────────────────── end ─────────────────────────────┐
 *        ▼                                                              │
 *      IDLE ──begin──▶ OPEN ──head sent──▶ COMMITTED ──all sent──▶ COMPLETE ──end──▶ RETIRED
 *                       └──an error──▶ FAILING ──all sent──▶────────┘
 *
 *      from any but IDLE and RETIRED ──connection or stream lost──▶ ABANDONED
 * </pre>
 *
 * <p>COMPLETE means that all of the response has been passed to the stream; content of the request
 * may still arrive. From IDLE on the exchange has ended for the handler. If no other thread may
 * hold it, it becomes IDLE and serves another request. Otherwise it is RETIRED: no caller sees a
 * later one (see {@link ExchangeUse}).
 */
public final class Exchange {
  /** A value in place of a time: the begin of the response has no time limit. */
  public static final long NOT_DUE = Long.MIN_VALUE;

  // Ints, not enums: a reference store into a tenured object costs a write barrier of the garbage
  // collector. From IDLE on the exchange has ended.
  private static final int OPEN = 0;
  private static final int COMMITTED = 1;
  private static final int FAILING = 2; // nothing can be added to the response but an error
  private static final int COMPLETE = 3;
  private static final int IDLE = 4;
  private static final int RETIRED = 5;
  private static final int ABANDONED = 6;

  private static final int HANDLER = 1 << 16; // in calls: the handler, not a callback

  static final long DEFAULT_LIMIT = -1; // in place of a time: that of the server
  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);

  final ExchangeContext context;
  final HttpStream stream;
  final RequestHead head;
  final ExchangeRequest request;
  final RequestContent content;
  final ExchangeResponse response;
  final ResponseSender sender;
  final ExchangeEnd ending;
  final PendingWork work;
  final ExchangeUse use;
  final FirstStep firstStep;

  boolean watched; // the end of the exchange must notify callbacks or listeners
  boolean torn; // a call of the response, in this turn, hasn't returned, or has thrown
  private @Nullable Connection connection;
  private int calls; // running calls of the application's code, in this turn
  private long dueNanos = NOT_DUE; // when the response must have begun, once it is awaited
  private long beginNanos = DEFAULT_LIMIT; // time for the begin of an async response
  private int state = IDLE; // plain reads only in a turn, where nothing else changes it

  Exchange(ExchangeContext context, HttpStream stream) {
    this.context = context;
    this.stream = stream;
    this.head = new RequestHead();
    this.content = new RequestContent(this);
    this.request = new ExchangeRequest(this);
    ResponseHead responseHead = new ResponseHead(stream);
    this.sender = new ResponseSender(this, responseHead);
    this.response = new ExchangeResponse(this, responseHead, sender);
    this.ending = new ExchangeEnd(this);
    this.work = new PendingWork(this);
    this.use = new ExchangeUse(this);
    this.firstStep = new FirstStep(this);
  }

  // ---- the protocol's side: in a turn ----

  /** Returns the head of the request, which the protocol fills before {@link #begin}. */
  public RequestHead head() {
    return head;
  }

  /** Returns the content of the request, which the protocol passes on. */
  public RequestContent content() {
    return content;
  }

  /** Returns the connection of the request, while the exchange lasts. */
  public Connection connection() {
    return Objects.requireNonNull(connection);
  }

  /**
   * Begins with a head that is complete.
   *
   * @param bytes the memory that the head's offsets count from, at {@code from}
   * @param contentLength in bytes, or {@link HttpStream#UNKNOWN_LENGTH}
   */
  public void begin(Connection onConnection, MemorySegment bytes, int from, long contentLength) {
    connection = onConnection;
    setState(OPEN);
    request.begin(bytes, from);
    content.begin(contentLength);
    if (context.observers != null) {
      ending.begin(context.observers);
    }
  }

  /** Calls the handler; throws {@link Relieved} if another thread has taken the loop meanwhile. */
  public void handle() {
    EventLoop.clearInterrupt(); // that the previous request of this turn has left
    calls = HANDLER;
    LoopOwner owner = context.loop.owner();
    int run = owner.begin();
    try {
      context.handler.handle(request, response);
    } catch (Throwable failure) {
      endRun(owner, run, failure);
      BlockingWork ignored = firstStep.take();
      fail(failure);
      endTorn();
      return;
    }
    endRun(owner, run, null);
    endHandler();
    endTorn();
  }

  private void endRun(LoopOwner owner, int run, @Nullable Throwable failure) {
    if (!owner.end(run)) {
      use.onLeftReturn(failure);
      throw Relieved.INSTANCE;
    }
    calls = 0;
  }

  /** Ends the calls under way, because their thread is left. */
  void leaveCalls() {
    calls = 0;
  }

  private void endHandler() {
    try {
      firstStep.runDeferred();
      if (response.isEnded()) {
        return;
      }
      if (sender.isClosing()) {
        sender.completeUnlessHeld();
      } else if (!content.isAsked()) {
        use.requireAnswer();
      }
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /**
   * Returns true if the response has been given to the stream completely, and no handler that was
   * left still runs.
   */
  public boolean isComplete() {
    return isAnswered() && !use.isLeft();
  }

  /** Returns true if the response has been given to the stream completely. */
  boolean isAnswered() {
    return state == COMPLETE;
  }

  /** Returns true if the head of the response has been given to the stream. */
  public boolean isCommitted() {
    int now = state;
    return now >= COMMITTED && now <= COMPLETE;
  }

  /** Returns true if the handler's side may be on another thread. */
  public boolean isAsync() {
    return use.isAsync();
  }

  /** Returns true if the application is to be notified when the client ends its side. */
  public boolean awaitsClientEnd() {
    return sender.awaitsClientEnd();
  }

  /**
   * Copies the bytes of the loop that the exchange needs, because it continues after this turn.
   * Returns when the application must have begun its response, or {@link #NOT_DUE}.
   */
  public long keep() {
    request.keepHead();
    long limitNanos = beginNanos == DEFAULT_LIMIT ? context.responseBeginNanos : beginNanos;
    if (isCommitted() || content.isHungry() || limitNanos == 0 || use.isLeft()) {
      dueNanos = NOT_DUE;
    } else if (dueNanos == NOT_DUE) {
      dueNanos = connection().nanos() + limitNanos;
    }
    return dueNanos;
  }

  /** Sends 503, because the application has not begun its response in time. */
  public void onResponseLate() {
    context.errors.logLate(this);
    ending.note(Outcome.LATE);
    context.errors.refuse(this, 503, "the response took too long");
    content.dismiss();
  }

  public void onWritable() {
    sender.onWritable();
  }

  public void onClientEnd() {
    use.afterHandler(sender::onClientEnd);
  }

  public void onShutdown() {
    use.afterHandler(sender::onShutdown);
  }

  /** Describes the request for a report of another thread: see {@link ExchangeRequest#describe}. */
  public @Nullable String describe(InboundBuffer in) {
    return request.describeElsewhere(in);
  }

  /**
   * Ends the exchange, even if it hasn't begun. Returns true if it and its stream may serve another
   * request.
   */
  public boolean end() {
    if (watched) {
      ending.run(null);
    }
    if (!use.isOwned() || !context.countReuse()) {
      setState(RETIRED);
      content.releaseInput();
      return false;
    }
    setState(IDLE);
    calls = 0;
    torn = false;
    dueNanos = NOT_DUE;
    connection = null;
    head.reset();
    request.reset();
    content.reset();
    response.reset();
    sender.reset();
    if (watched) {
      ending.reset();
    }
    return true;
  }

  /** Ends the exchange because its connection has ended. It and its stream are not used again. */
  public void abandon(CloseReason reason) {
    boolean aborted = !isAnswered();
    setState(ABANDONED);
    ending.abandon(reason, aborted);
  }

  // ---- the application's code, in a turn ----

  /**
   * Begins a call of the application's code. {@link #afterCall} or {@link #afterFailedCall} must
   * follow.
   */
  void beforeCall() {
    calls++;
    stream.onCall();
  }

  /** Returns true if the caller is the handler, on the loop, and not a callback. */
  boolean isInHandler() {
    return calls == HANDLER && isInTurn();
  }

  /** Returns true while a call is under way; on any thread, where it may be out of date. */
  public boolean isCalling() {
    return calls > 0 || firstStep.isBegun();
  }

  /** Ends a call that has returned normally; completes a response that it has closed. */
  void afterCall() {
    calls--;
    sender.completeIfClosing();
    endTorn();
  }

  /** Ends a call that has thrown. */
  void afterFailedCall(Throwable failure) {
    calls--;
    fail(failure);
    endTorn();
  }

  /** Ends the exchange if its response is torn, at the end of the outermost call. */
  void endTorn() {
    if ((torn || state == FAILING) && calls == 0) {
      torn = false;
      context.errors.endTorn(this);
    }
  }

  /** Runs the application's code, unless the exchange has ended. */
  void call(Runnable work) {
    if (use.isLeft()) {
      use.afterHandler(() -> call(work));
      return;
    }
    if (isEnded()) {
      return;
    }
    beforeCall();
    try {
      work.run();
      afterCall();
    } catch (Throwable failure) {
      afterFailedCall(failure);
    }
  }

  /** Returns true if work of the application goes on; see {@link PendingWork#isAbandoned}. */
  public boolean isWorking() {
    return work.isAbandoned();
  }

  /**
   * Returns true while code of the application runs whose failure would fail the exchange. A
   * response that it closes is completed when it has returned, because a {@code try} statement
   * closes its stream before the exception leaves the handler.
   */
  boolean isHeld() {
    return calls > 0 || work.isPending();
  }

  /** Sets how long the begin of the response may take from now on. */
  void beginWithin(long nanos) {
    beginNanos = nanos;
    dueNanos = NOT_DUE;
  }

  // ---- the response's progress, in a turn ----

  /** Records that the head of the response is passed to the stream. */
  void commit() {
    setState(COMMITTED);
  }

  /** Records that an error is about to be sent, in place of all that the application sends. */
  void beginError() {
    setState(FAILING);
  }

  /** Returns true if an error is about to be sent. */
  boolean isFailing() {
    return state == FAILING;
  }

  /** Records that all of the response has been passed to the stream. */
  void complete() {
    setState(COMPLETE);
  }

  /** Returns true if nothing can be added to the response any more. */
  boolean isOver() {
    return state >= FAILING;
  }

  /** Sets the state by a release, which needs no fence: no later load depends on it. */
  private void setState(int next) {
    STATE.setRelease(this, next);
  }

  // ---- both sides ----

  /** Returns true if the caller runs the loop, in a turn of the connection. */
  boolean isInTurn() {
    return connection().isInTurn();
  }

  /** Enters the server's code like {@link Connection#enterTurn}. */
  int enterTurn() {
    Connection entered = connection; // null if it has ended
    return entered == null ? LoopOwner.OUTSIDE : entered.enterTurn();
  }

  void exitTurn(int entered) {
    context.loop.owner().exit(entered);
  }

  /** Runs work in a turn of the connection. It must test whether the exchange has ended. */
  void execute(Turn work) {
    if (!firstStep.execute(work)) { // what that submits is done before its exchange can end
      use.markHeld();
      connection().execute(work);
    }
  }

  /** Runs a step at once in a turn of the connection, otherwise in its next turn. */
  void inTurn(Runnable step) {
    int entered = enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      execute(step::run);
      return;
    }
    try {
      step.run();
    } finally {
      exitTurn(entered);
    }
  }

  /** Returns true if the exchange has ended; on any thread. */
  boolean isEnded() {
    return (int) STATE.getVolatile(this) >= IDLE;
  }

  /** Returns true if the connection ended before the exchange did; on any thread. */
  boolean isAbandoned() {
    return (int) STATE.getVolatile(this) == ABANDONED;
  }

  /** Returns true if the handler can't change the head of the response; on any thread. */
  boolean isHeadFixed() {
    int now = (int) STATE.getVolatile(this);
    return now != OPEN && now != IDLE;
  }

  /**
   * Runs a step of the response like {@link #inTurn}. If it throws at once and no later one
   * succeeds, the exchange fails when the application's code has returned.
   */
  void sendInTurn(Runnable step) {
    int entered = enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      execute(step::run);
      return;
    }
    try {
      torn = true;
      step.run();
      torn = false;
    } finally {
      exitTurn(entered);
    }
  }

  /** Throws unless the caller may use the exchange. */
  void checkUsable() {
    // only the loop ends the exchange, so in its turn the state can't change before the next check
    if (!isRunning() || state >= IDLE) {
      use.checkElsewhere();
    }
  }

  /** Returns true if the caller is the handler, or a callback of it, in a turn. */
  boolean isRunning() {
    Connection handled = connection;
    return handled != null && (handled.isInTurn() || firstStep.isCurrent());
  }

  // ---- failures, in a turn ----

  /**
   * Fails the exchange because code of the application has thrown: with an error response if none
   * was begun, otherwise by the end of the stream. A whole response that waits for its turn is
   * sent.
   */
  void fail(Throwable failure) {
    if (isAsync() && response.isSentWhole() && !isHeadFixed()) {
      context.errors.log(this, failure);
    } else {
      sender.fail(failure, !isAsync());
    }
  }
}
