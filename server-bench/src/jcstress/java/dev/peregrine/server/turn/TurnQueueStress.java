package dev.peregrine.server.turn;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopScript;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Work that threads submit to a connection. Its loop has ended, so the thread that hands the queue
 * over runs it, too: the queue alone decides that only one does at a time.
 */
public final class TurnQueueStress {
  private static final EventLoop LOOP = endedLoop();

  private TurnQueueStress() {}

  private static EventLoop endedLoop() {
    EventLoop loop = new LoopScript().newLoop();
    loop.abandon();
    return loop;
  }

  /** A connection that has no turns any more, because its loop has ended. */
  private static final class Turnless implements TurnHolder {
    @Override
    public EventLoop loop() {
      return LOOP;
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public boolean wantsTurn() {
      return false;
    }

    @Override
    public void turn(Turn work) {
      throw new UnsupportedOperationException("the loop has ended");
    }

    @Override
    public void onTaskFailure(Throwable failure) {
      throw new UnsupportedOperationException("no task is nested");
    }
  }

  /** A queue, and the numbers of the turns that were run, as digits in a plain field. */
  private static final class Turns {
    final TurnQueue queue = new TurnQueue(new Turnless());
    int digits;

    void add(int number) {
      digits = digits * 10 + number;
    }

    void submit(int number) {
      queue.submit(() -> add(number));
    }
  }

  /** Work is never lost, repeated, reordered, or run by two threads at a time. */
  @JCStressTest
  @Outcome(id = "123|132|312", expect = ACCEPTABLE, desc = "Each thread's work ran in its order.")
  @Outcome(expect = FORBIDDEN, desc = "Work is lost, repeated, out of order or overlaps.")
  @State
  public static class Submit {
    private final Turns turns = new Turns();

    @Actor
    public void first() {
      turns.submit(1);
      turns.submit(2);
    }

    @Actor
    public void second() {
      turns.submit(3);
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = turns.digits;
    }
  }

  /** Work that is submitted while a turn holds the queue is never lost, and never overlaps it. */
  @JCStressTest
  @Outcome(id = "912|192|129", expect = ACCEPTABLE, desc = "The turn and the work ran in order.")
  @Outcome(expect = FORBIDDEN, desc = "Work is lost, repeated, out of order or overlaps.")
  @State
  public static class Hold {
    private final Turns turns = new Turns();

    @Actor
    public void turn() {
      turns.queue.addHeld(new TurnTask(() -> turns.add(9)));
      if (turns.queue.isHeld()) {
        turns.queue.drain(null);
        turns.queue.endStep();
      }
    }

    @Actor
    public void other() {
      turns.submit(1);
      turns.submit(2);
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = turns.digits;
    }
  }

  /** Work that is submitted while the connection requests a turn is never lost. */
  @JCStressTest
  @Outcome(id = "12", expect = ACCEPTABLE, desc = "The work ran in order.")
  @Outcome(expect = FORBIDDEN, desc = "Work is lost, repeated, out of order or overlaps.")
  @State
  public static class RequestTurn {
    private final Turns turns = new Turns();

    @Actor
    public void loop() {
      turns.queue.requestTurn();
    }

    @Actor
    public void other() {
      turns.submit(1);
      turns.submit(2);
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = turns.digits;
    }
  }
}
