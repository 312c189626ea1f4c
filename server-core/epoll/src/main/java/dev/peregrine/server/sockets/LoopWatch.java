package dev.peregrine.server.sockets;

import dev.peregrine.base.Incident;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.SocketWatch;

/**
 * The reports of one loop for the waits of a socket: readiness, and the end of their time. Belongs
 * to the loop's thread, except what any thread may call.
 */
final class LoopWatch implements SocketWatch.Listener {
  final EventLoop loop;
  private final Wire wire;
  private final SocketWatch reports;
  private final Deadline reading;
  private final Deadline writing;
  private boolean begun;
  private boolean ended;

  LoopWatch(EventLoop loop, Wire wire) {
    this.loop = loop;
    this.wire = wire;
    reports = wire.socket.watch(this);
    reading = new Deadline(wire.reading);
    writing = new Deadline(wire.writing);
  }

  // ---- on any thread ----

  /** Has the reports begin, also about what the socket is ready for already. */
  void submitBegin() {
    loop.execute(new Begin());
  }

  /** Has readiness be reported to the wait that has begun. Costs nothing if it is anyway. */
  void report(Readiness direction) {
    if (!reports.reports(direction.equals(wire.reading) ? Ready.READ : Ready.WRITE)) {
      loop.execute(new Report());
    }
  }

  /** Has the reports end. The socket may be closed before. */
  void submitEnd() {
    loop.execute(new End());
  }

  /** Bounds the wait that has begun. Costs nothing if a timer of an earlier one still runs. */
  void bound(Readiness direction, long deadline) {
    Deadline bound = direction.equals(wire.reading) ? reading : writing;
    if (!bound.covers(deadline)) {
      loop.execute(bound.new Start());
    }
  }

  // ---- on the loop ----

  private void begin() {
    if (ended || !wire.enter()) {
      return;
    }
    try {
      reports.begin(loop.poller());
      begun = true;
      reading.start();
      writing.start();
    } catch (Throwable failure) {
      ended = true;
      wire.fail(this, failure);
    } finally {
      wire.leave();
    }
  }

  private void end() {
    ended = true;
    reading.timer.cancel();
    writing.timer.cancel();
    if (!begun) {
      return;
    }
    boolean isOpen = wire.enter();
    try {
      reports.end(isOpen);
    } finally {
      if (isOpen) {
        wire.leave();
      }
    }
    if (!reports.hasEnded()) {
      submitEnd();
    }
  }

  /** Has all awaited directions be reported, if the reports have begun. */
  private void report() {
    if (!begun || ended) {
      return;
    }
    try {
      reports.report();
    } catch (Throwable failure) {
      end();
      wire.fail(this, failure);
    }
  }

  private Readiness direction(int bit) {
    return bit == Ready.READ ? wire.reading : wire.writing;
  }

  @Override
  public boolean isAwaited(int direction) {
    return direction(direction).isAwaited();
  }

  @Override
  public void onReady(int direction) {
    direction(direction).ready();
  }

  @Override
  public void onInputEnd() {
    wire.readsShort = true;
  }

  @Override
  public void onLoopEnd() {
    ended = true;
    wire.forget(this);
  }

  @Override
  public void onLost(Throwable failure) {
    ended = true;
    wire.fail(this, failure);
  }

  @Override
  public void onFailure(Throwable failure) {
    loop.contain(Incident.TURN_FAILED, failure);
  }

  private final class Begin extends LoopTask {
    @Override
    protected void run() {
      begin();
    }

    @Override
    protected void onRejected() {
      wire.forget(LoopWatch.this);
    }
  }

  private final class Report extends LoopTask {
    @Override
    protected void run() {
      report();
    }
  }

  private final class End extends LoopTask {
    @Override
    protected void run() {
      end();
    }
  }

  /**
   * Releases the thread that waits for one direction when its time is over. A timer that fires
   * before that, because it was for an earlier wait, starts again for the rest: so waits that end
   * in time need no work with timers.
   */
  private final class Deadline implements Runnable {
    private final Readiness direction;
    private final LoopTimer timer = loop.timer(this);
    private volatile long firesAt = Readiness.FOREVER; // FOREVER: not started

    Deadline(Readiness direction) {
      this.direction = direction;
    }

    /** Returns true if the timer fires at that time at the latest; on any thread. */
    boolean covers(long deadline) {
      long at = firesAt;
      return at != Readiness.FOREVER && at - deadline <= 0;
    }

    void start() {
      long deadline = direction.awaitedUntil();
      if (!ended && deadline != Readiness.FOREVER && !covers(deadline)) {
        firesAt = deadline;
        timer.start(Math.max(0, deadline - loop.readClock()));
      }
    }

    @Override
    public void run() {
      firesAt = Readiness.FOREVER; // before the look at the wait: a later one starts the timer
      long deadline = direction.awaitedUntil();
      if (deadline != Readiness.FOREVER && deadline - loop.readClock() <= 0) {
        direction.release();
      } else {
        start();
      }
    }

    private final class Start extends LoopTask {
      @Override
      protected void run() {
        start();
      }
    }
  }
}
