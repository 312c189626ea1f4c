package dev.peregrine.server.exchange;

import dev.peregrine.http.Outcome;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.message.Calls;
import dev.peregrine.server.exchange.message.ExchangeEnd;
import dev.peregrine.server.exchange.message.PendingWork;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.run.HandlerRun;
import dev.peregrine.server.exchange.state.BeginLimit;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.view.ExchangeRequest;
import dev.peregrine.server.exchange.view.ExchangeResponse;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.ConnectionClosed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response (RFC 9110), independent of the version of HTTP: see {@link
 * HttpStream}. Connects their parts, none of which knows it, and is what a protocol holds of them;
 * {@link ExchangeProgress} has the states. Belongs to the event loop; the handler's side of it
 * ({@link ExchangeRequest}, {@link ExchangeResponse}) may be on another thread once the handler has
 * called {@code async}.
 */
public final class Exchange {
  /** A value in place of a time: the begin of the response has no time limit. */
  public static final long NOT_DUE = BeginLimit.NOT_DUE;

  private final ExchangeContext context;
  private final ExchangeState state;
  private final ExchangeProgress progress;
  private final RequestHead head;
  private ExchangeRequest request; // this and the response: the handler's views
  private final RequestContent content;
  private ExchangeResponse response;
  final ResponseSender sender;
  final ExchangeEnd ending;
  private final Calls calls;
  private final HandlerRun run;

  /** Creates the exchanges of a stream, one after the other, of which none has begun. */
  public Exchange(ExchangeContext context, HttpStream stream) {
    this.context = context;
    this.state = new ExchangeState(context, stream);
    this.progress = state.progress;
    this.head = state.head.head();
    this.ending = new ExchangeEnd(state);
    this.sender = new ResponseSender(state, ending);
    this.calls = new Calls(state, sender);
    this.content = new RequestContent(state, ending, sender, calls);
    this.run = new HandlerRun(state, ending, sender, calls, content);
    this.request = new ExchangeRequest(state, run.turns(), content);
    this.response = new ExchangeResponse(state, run, run.turns(), sender, request);
    state.viewBy(request);
  }

  /** Gives the handler views that no caller can have kept since an earlier request. */
  private void renewViews() {
    ExchangeTurns turns = run.createTurns();
    ExchangeRequest fresh = new ExchangeRequest(state, turns, content);
    response = new ExchangeResponse(state, run, turns, sender, fresh);
    request = fresh;
    run.turnBy(turns);
    state.renewViews(fresh);
  }

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
    return state.connection();
  }

  /**
   * Begins with a head that is complete.
   *
   * @param bytes the memory that the head's offsets count from, at {@code from}
   * @param contentLength in bytes, or {@link HttpStream#UNKNOWN_LENGTH}
   */
  public void begin(Connection connection, MemorySegment bytes, int from, long contentLength) {
    if (context.needsOwnViews() && state.isViewed()) {
      renewViews();
    }
    state.begin(connection);
    state.head.begin(bytes, from);
    content.begin(contentLength);
    if (context.observers != null) {
      ending.begin(context.observers);
    }
  }

  /** Calls the handler. */
  public void handle() {
    EventLoop.clearInterrupt(); // that the previous request of this turn has left
    progress.beginHandler();
    LoopOwner owner = context.loop.owner();
    int begun = owner.begin();
    try {
      context.handler.handle(request, response);
    } catch (Throwable failure) {
      run.end(owner, begun, failure);
      run.dropDeferred();
      sender.fail(failure);
      calls.endTorn();
      return;
    }
    run.end(owner, begun, null);
    endHandler();
    calls.endTorn();
  }

  private void endHandler() {
    if (!run.runDeferred()) {
      return;
    }
    try {
      if (state.answer.isEnded()) {
        return;
      }
      if (sender.isClosing()) {
        sender.completeUnlessHeld();
      } else if (!content.isAsked()) {
        state.requireAnswer();
      }
    } catch (Throwable failure) {
      sender.fail(failure);
    }
  }

  /**
   * Leaves the handler that runs, because another thread takes the loop; on that thread. If this
   * throws, nothing has changed.
   *
   * @param in the memory that the request's head lies in; null if it isn't reused
   */
  public void leaveHandler(@Nullable InboundBuffer in) {
    run.leave(in);
  }

  /**
   * Returns true if the response has been given to the stream completely, and no handler that was
   * left still runs.
   */
  public boolean isComplete() {
    return progress.isAnswered() && !state.afterHandler.isAwaited();
  }

  /** Returns true if the head of the response has been given to the stream. */
  public boolean isCommitted() {
    return progress.isCommitted();
  }

  /** Returns true if the handler's side may be on another thread. */
  public boolean isAsync() {
    return state.use.isAsync();
  }

  /** Returns true while a call is under way; on any thread, where it may be out of date. */
  public boolean isCalling() {
    return progress.isCalling() || run.isInFirstStep();
  }

  /** Returns true if work of the application goes on; see {@link PendingWork#isAbandoned}. */
  public boolean isWorking() {
    return run.work.isAbandoned();
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
    state.head.keep();
    boolean awaitsMore = isCommitted() || content.isHungry() || state.afterHandler.isAwaited();
    if (awaitsMore) {
      state.limit.pause();
      return NOT_DUE;
    }
    return state.limit.await(connection().nanos());
  }

  /** Sends 503, because the application has not begun its response in time. */
  public void onResponseLate() {
    context.errors.logLate(state.head);
    ending.note(Outcome.LATE);
    sender.refuse(503, "the response took too long");
    content.dismiss();
  }

  public void onWritable() {
    calls.callIfAny(sender.takeOnWritable());
  }

  public void onClientEnd() {
    state.afterHandler.run(() -> calls.callAll(sender.takeOnClientEnd()));
  }

  public void onShutdown() {
    state.afterHandler.run(() -> calls.callAll(sender.takeOnShutdown()));
  }

  /** Describes the request for a report of another thread. */
  public @Nullable String describe(InboundBuffer in) {
    return state.head.describeElsewhere(in);
  }

  /**
   * Ends the exchange, even if it hasn't begun. Returns true if it and its stream may serve another
   * request.
   */
  public boolean end() {
    if (ending.isWatched()) {
      ending.run(null);
    }
    boolean serves = state.use.isOwned();
    progress.end(serves);
    if (!serves) {
      content.releaseInput();
      return false;
    }
    state.reset();
    request.reset();
    content.reset();
    response.reset();
    sender.reset();
    if (ending.isWatched()) {
      ending.reset();
    }
    return true;
  }

  /** Ends the exchange because its connection has ended. It and its stream are not used again. */
  public void abandon(CloseReason reason) {
    boolean aborted = progress.abandon();
    if (aborted) {
      ending.note(Outcome.ABORTED);
    }
    IOException cause = ConnectionClosed.by(reason);
    if (reason == CloseReason.SHUTDOWN || !state.afterHandler.isAwaited()) {
      abandon(cause, aborted, reason);
      return;
    }
    content.wake(cause);
    sender.abandon(cause, false);
    try {
      state.afterHandler.run(() -> abandon(cause, aborted, reason));
    } catch (Throwable noMemory) {
      abandon(cause, aborted, reason);
    }
  }

  /** Notifies every waiting caller and every callback that the exchange has been abandoned. */
  private void abandon(IOException cause, boolean aborted, CloseReason reason) {
    try {
      content.abandon(cause);
    } finally {
      try {
        sender.abandon(cause, aborted); // otherwise a writer would wait for ever
      } finally {
        ending.run(reason);
      }
    }
  }
}
