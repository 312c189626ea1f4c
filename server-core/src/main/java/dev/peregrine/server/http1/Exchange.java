package dev.peregrine.server.http1;

import dev.peregrine.http.HttpError;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. Belongs to the event loop; the handler's side of it ({@link
 * Request}, {@link Response}) may be on another thread once the handler has said {@code async}. An
 * exchange that never left its loop is used again for the next request, of whichever connection;
 * one that did is not, so that nobody holding on to it can see a later request.
 */
final class Exchange {
  private static final long UNSET = -1;
  private static final VarHandle ENDED;

  final Http1 http1;
  final RequestHead head;
  final Request request;
  final Content content;
  final Response response;
  final ResponseSender sender;

  private @Nullable Connection connection;
  private boolean begun;
  private boolean refused;
  private @Nullable Tunnel tunnel;
  private boolean close;
  private boolean abandoned;
  private int calls; // of the application's code, in this turn
  private int stages; // of async(work), not yet completed
  private boolean awaited; // the begin of the response, until awaitedUntilNanos
  private long awaitedUntilNanos;
  private long beginNanos = UNSET; // how long it may take; set for an exchange that is async only
  private volatile boolean async;
  private volatile boolean shared; // a task that names this exchange may still be queued
  private volatile boolean ended = true; // unless it is begun

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(Exchange.class, "ended", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  Exchange(Http1 http1) {
    this.http1 = http1;
    this.head = new RequestHead();
    this.content = new Content(this);
    this.request = new Request(this);
    ResponseHead responseHead = new ResponseHead();
    this.sender = new ResponseSender(this, responseHead);
    this.response = new Response(this, responseHead, sender);
  }

  // ---- the loop's side ----

  /** Whether the head is complete and the handler has been called. */
  boolean isBegun() {
    return begun;
  }

  /** A complete head was parsed from those bytes. */
  void begin(Connection onConnection, MemorySegment bytes, int from) {
    connection = onConnection;
    begun = true;
    setEnded(false);
    int usesMax = http1.limits.requestsPerConnectionMax();
    close = !head.isKeepAlive() || (usesMax > 0 && connection.countUse() >= usesMax);
    request.begin(bytes, from);
    content.begin();
  }

  /** The bytes are no request: only an error can be answered. */
  void beginRefused(Connection onConnection) {
    connection = onConnection;
    begun = true;
    setEnded(false);
    refused = true;
    close = true;
  }

  /** Calls the handler. */
  void handle() {
    EventLoop.clearInterrupt(); // of the request before, in the same turn
    calls = 1;
    try {
      http1.handler.handle(request, response);
      calls = 0;
      if (!response.isEnded()) {
        afterHandler();
      }
    } catch (Throwable failure) {
      calls = 0;
      fail(failure);
    }
  }

  private void afterHandler() {
    if (response.isClosing()) {
      response.completeUnlessHeld();
    } else if (!content.isAsked()) {
      requireAnswer();
    }
  }

  /**
   * Begins a call of the application's code, in a turn. What follows is {@link #afterCall} or
   * {@link #afterFailedCall}.
   */
  void beforeCall() {
    calls++;
  }

  /** The application's code has returned normally: completes a response that it has closed. */
  void afterCall() {
    calls--;
    completeIfClosing();
  }

  /** The application's code has thrown. */
  void afterFailedCall(Throwable failure) {
    calls--;
    fail(failure);
  }

  /** Begins to wait for work that the response belongs to; in a turn. */
  void beginStage() {
    stages++;
  }

  /** The work has completed normally, or was never begun; in a turn. */
  void endStage() {
    stages--;
    completeIfClosing();
  }

  private void completeIfClosing() {
    if (response.isClosing()) {
      try {
        response.completeUnlessHeld();
      } catch (Throwable failure) {
        fail(failure);
      }
    }
  }

  /**
   * Returns true while code of the application runs whose failure would fail the exchange. A
   * response that it closes is completed when it has returned, because a {@code try} statement
   * closes its stream before the exception leaves the handler.
   */
  boolean isHeld() {
    return calls > 0 || stages > 0;
  }

  /** Throws if no answer can come any more: the handler's last call on the loop has returned. */
  void requireAnswer() {
    if (!sender.isComplete() && !async && !ended) {
      throw new IllegalStateException(
          "the handler returned without an answer: complete the response, or call async()");
    }
  }

  /**
   * Goes on with the content, as far as the bytes reach. Returns whether the exchange is complete.
   */
  boolean advance(InboundBuffer in) throws IOException {
    if (!content.isEnded()
        && !content.receive(in)
        && sender.isComplete()
        && !connection().wantsTurn()) {
      content.dismissListener();
      if (!close && content.discard()) {
        content.receive(in);
      } else {
        close = true;
      }
    }
    return sender.isComplete() && (close || content.isEnded());
  }

  /**
   * The exchange goes on after this turn: keeps what it needs of bytes that aren't its own, and
   * sets a deadline if it is the application's turn to do something.
   */
  void keep() {
    request.keepHead();
    long limitNanos = beginNanos == UNSET ? http1.responseBeginNanos : beginNanos;
    if (sender.isCommitted() || content.isHungry() || limitNanos == 0) {
      awaited = false;
      connection().clearDeadline();
      return;
    }
    if (!awaited) {
      awaited = true;
      awaitedUntilNanos = connection().nanos() + limitNanos;
    }
    connection().setDeadline(Deadline.RESPONSE, awaitedUntilNanos);
  }

  /** Sets how long the begin of the response may take from now on; in a turn. */
  void beginWithin(long nanos) {
    beginNanos = nanos;
    awaited = false;
  }

  /** The application has not begun its response in time: sends 503 instead; in a turn. */
  void onResponseLate() {
    http1.errors.logLate(this);
    refuse(503, "the response took too long");
    content.dismissListener();
  }

  /** The connection leaves HTTP after this exchange. */
  void handOver(Tunnel to) {
    tunnel = to;
  }

  /** What the connection is handed over to, if anything. */
  @Nullable Tunnel tunnel() {
    return tunnel;
  }

  /** Whether the connection ends after this exchange. */
  boolean isClose() {
    return close;
  }

  void closeAfter() {
    close = true;
  }

  /** Whether the handler's side may be on another thread. */
  boolean isAsync() {
    return async;
  }

  /** Whether the exchange's objects may be used for another request. */
  boolean isReusable() {
    return !async && !shared;
  }

  /** Makes ready for another head. */
  void reset() {
    setEnded(true);
    begun = false;
    refused = false;
    abandoned = false;
    calls = 0;
    awaited = false;
    tunnel = null;
    connection = null;
    head.reset();
    request.reset();
    content.reset();
    response.reset();
  }

  /** The exchange is over, on an object that won't be used again. */
  void retire() {
    setEnded(true);
  }

  /** The connection is gone. */
  void abandon(CloseReason reason) {
    abandoned = true; // first: who sees the end sees its cause
    setEnded(true);
    IOException cause = reason.exception();
    try {
      content.fail(cause);
    } finally {
      response.abandon(cause); // or a thread would wait for ever
    }
  }

  // ---- both sides ----

  Connection connection() {
    return Objects.requireNonNull(connection);
  }

  boolean isHead() {
    return !refused && head.method() == HttpMethod.HEAD;
  }

  void async() {
    checkUsable();
    if (!async) {
      request.keepHead(); // while it is sure that no other thread looks at it
      connection().keepAddresses();
      async = true;
    }
  }

  /**
   * Whether what the caller does can be done at once, or has to wait for a turn of the connection.
   */
  boolean isInTurn() {
    return connection().isInTurn();
  }

  /** Runs work in a turn of the connection. It must look whether the exchange is still there. */
  void execute(Connection.Turn work) {
    shared = true;
    connection().execute(work);
  }

  /** Runs a step at once if this is a turn of the connection, else in the next one. */
  void inTurn(Runnable step) {
    if (isInTurn()) {
      step.run();
    } else {
      execute(step::run);
    }
  }

  boolean isEnded() {
    return ended;
  }

  /** Whether the connection ended before the exchange did. */
  boolean isAbandoned() {
    return ended && abandoned;
  }

  /** Twice per request: a release needs no fence, and nothing that comes after it depends on it. */
  private void setEnded(boolean value) {
    ENDED.setRelease(this, value);
  }

  /** Throws unless the caller may use the exchange. */
  void checkUsable() {
    // in its turn nobody else ends it: no barrier between this and the next check
    if (!isRunning() || (boolean) ENDED.get(this)) {
      checkUsableElsewhere();
    }
  }

  private void checkUsableElsewhere() {
    if (ended) {
      throw new IllegalStateException("the exchange has ended");
    }
    if (!async && !isRunning()) {
      throw new IllegalStateException(
          "used by somebody else than its handler: call async() before the request is passed on");
    }
  }

  /** Whether its handler is running, or a callback of it, and the caller is that. */
  private boolean isRunning() {
    Connection handled = connection;
    return handled != null && handled.isInTurn();
  }

  /**
   * Whether the object still stands for the caller's exchange, though that may have ended.
   *
   * @throws IllegalStateException if the exchange was never passed on to the caller
   */
  boolean isCallers() {
    if (async) {
      return true;
    }
    if (ended) {
      return false;
    }
    checkUsable();
    return true;
  }

  /**
   * Fails the exchange: an error response if none was begun, else the end of the connection. In a
   * turn, for what was thrown on the loop.
   */
  void fail(Throwable failure) {
    fail(failure, !async);
  }

  /**
   * Like {@link #fail(Throwable)}.
   *
   * @param owned whether no other thread can be using the response at this moment
   */
  void fail(Throwable failure, boolean owned) {
    boolean over = ended || sender.isComplete();
    if (abandoned || (over && (content.hasFailed() || response.isEndedNow()))) {
      Errors.logAfterEnd(failure);
    } else {
      http1.errors.log(this, failure, over || !sender.isCommitted());
    }
    if (over) {
      return;
    }
    if (failure instanceof OutOfMemoryError) {
      close = true;
      answer(KnownError.OUT_OF_MEMORY);
    } else {
      answer(Errors.of(failure, owned ? request : null), owned);
    }
  }

  /** Logs what a callback has thrown when there is no response any more that it could fail. */
  void logCallback(String name, Throwable failure) {
    http1.errors.log(this, name, failure);
  }

  /** Answers with an error of the server's own and closes; in a turn. */
  void refuse(int status, String detail) {
    close = true;
    answer(Errors.of(status, detail, async ? null : request), !async);
  }

  private void answer(HttpError error, boolean owned) {
    if (sender.isCommitted()) {
      connection().breakOff(CloseReason.HANDLER_FAILED);
    } else {
      response.sendError(error, owned);
    }
  }

  private void answer(KnownError error) {
    if (sender.isCommitted()) {
      connection().breakOff(CloseReason.HANDLER_FAILED);
    } else {
      response.sendError(error);
    }
  }
}
