package dev.peregrine.server.exchange.state;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of an exchange, and what of the application's code runs for it: each decision about the
 * response is one about these, and a method here returns it. Knows no other object.
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
 *
 * <p>Belongs to the event loop, in a turn of the connection, except for the methods that say
 * otherwise.
 */
public final class ExchangeProgress {
  /** A head can be sent: the first one. */
  public static final int SEND = 0;

  /** A head was sent before: two threads that use a response at the same moment send one each. */
  public static final int BREAK_OFF = 1;

  /** The response is over, so what is still sent is dropped. */
  public static final int DROP = 2;

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

  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);

  private int state = IDLE; // plain reads only in a turn, where nothing else changes it
  private int calls; // running calls of the application's code, in this turn
  private int stages; // of async work that haven't completed, and handlers on other threads
  private boolean torn; // a call of the response, in this turn, hasn't returned, or has thrown
  private boolean contentBrokenOff;

  // ---- the way of the exchange ----

  public void begin() {
    setState(OPEN);
  }

  /** Decides what becomes of a head: {@link #SEND}, {@link #BREAK_OFF} or {@link #DROP}. */
  public int decideHead() {
    return state == OPEN ? SEND : state == COMMITTED ? BREAK_OFF : DROP;
  }

  /** Records that the head of the response is passed to the stream. */
  public void commit() {
    setState(COMMITTED);
  }

  /** Records that an error is about to be sent, in place of all that the application sends. */
  public void beginError() {
    setState(FAILING);
  }

  /** Records that all of the response has been passed to the stream. */
  public void complete() {
    setState(COMPLETE);
  }

  /** Records that the connection or the stream has ended. Returns true if that cuts it short. */
  public boolean abandon() {
    boolean aborted = state != COMPLETE;
    setState(ABANDONED);
    return aborted;
  }

  /** Ends the exchange; if it can serve another request, nothing of this one is left. */
  public void end(boolean serves) {
    setState(serves ? IDLE : RETIRED);
    if (serves) {
      calls = 0;
      torn = false;
      contentBrokenOff = false;
    }
  }

  /** Sets the state by a release, which needs no fence: no later load depends on it. */
  private void setState(int next) {
    STATE.setRelease(this, next);
  }

  /** Returns true if the response has been given to the stream completely. */
  public boolean isAnswered() {
    return state == COMPLETE;
  }

  /** Returns true if the head of the response has been given to the stream. */
  public boolean isCommitted() {
    int now = state;
    return now >= COMMITTED && now <= COMPLETE;
  }

  /** Returns true if an error is about to be sent. */
  public boolean isFailing() {
    return state == FAILING;
  }

  /** Returns true if nothing can be added to the response any more. */
  public boolean isOver() {
    return state >= FAILING;
  }

  /** Returns true if the exchange has ended; by a plain read, which in a turn nothing outdates. */
  public boolean isEndedInTurn() {
    return state >= IDLE;
  }

  /** Returns true if the exchange has ended; on any thread. */
  public boolean isEnded() {
    return (int) STATE.getVolatile(this) >= IDLE;
  }

  /** Returns true if the connection ended before the exchange did; on any thread. */
  public boolean isAbandoned() {
    return (int) STATE.getVolatile(this) == ABANDONED;
  }

  /** Returns true if the handler can't change the head of the response; on any thread. */
  public boolean isHeadFixed() {
    int now = (int) STATE.getVolatile(this);
    return now != OPEN && now != IDLE;
  }

  /** Records that the request's content was broken off, so that its reader can only fail. */
  public void breakContentOff() {
    contentBrokenOff = true;
  }

  public boolean isContentBrokenOff() {
    return contentBrokenOff;
  }

  // ---- the application's code ----

  /** The handler is about to be called. */
  public void beginHandler() {
    calls = HANDLER;
  }

  /** A callback is about to be called. */
  public void beginCall() {
    calls++;
  }

  public void endCall() {
    calls--;
  }

  /** Ends all calls: the handler has returned, or its thread is left. */
  public void endCalls() {
    calls = 0;
  }

  /** Returns true while the handler runs on the loop, and no callback of it. */
  public boolean isInHandler() {
    return calls == HANDLER;
  }

  /** Returns true while a call is under way; on any thread, where it may be out of date. */
  public boolean isCalling() {
    return calls > 0;
  }

  /** A stage of async work has begun, or a handler on another thread. */
  public void beginStage() {
    stages++;
  }

  public void endStage() {
    stages--;
  }

  /** Returns true while a stage hasn't completed. */
  public boolean isPending() {
    return stages > 0;
  }

  /**
   * Returns true if a response that is complete except for its end may be completed: no code of the
   * application runs whose failure would fail the exchange. A {@code try} statement closes its
   * stream before the exception leaves the handler.
   */
  public boolean mayComplete() {
    return calls == 0 && stages == 0 && !isEnded();
  }

  // ---- calls that break off ----

  /** A call of the response begins, without whose effect the response isn't whole. */
  public void beginSending() {
    torn = true;
  }

  /** That call hasn't thrown. */
  public void endSending() {
    torn = false;
  }

  /**
   * Returns true, at the end of the outermost call of the application's code, if the exchange must
   * fail: a call of its response has thrown, and no later one has ended it.
   */
  public boolean takeTorn() {
    boolean fails = (torn || state == FAILING) && calls == 0;
    if (fails) {
      torn = false;
    }
    return fails;
  }
}
