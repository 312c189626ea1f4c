package dev.peregrine.server.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A carried thread that is unparked while its carrier puts it aside, and overtaken steps. */
public final class CarriedThreadStress {
  private CarriedThreadStress() {}

  /**
   * A thread that becomes runnable while its carrier parks it is submitted once. Who submits it
   * sees what both threads wrote before.
   */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "It is submitted once.")
  @Outcome(expect = FORBIDDEN, desc = "Its step is lost or done twice, or a write is missing.")
  @State
  public static class Park {
    private final Stepping thread = new Stepping();

    @Actor
    public void carrier() {
      thread.carried = 1;
      thread.settle();
    }

    @Actor
    public void unparker() {
      thread.given = 1;
      thread.execute(thread.continuation);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = thread.submissions;
      r.r2 = thread.seen;
    }
  }

  /** The JDK says twice that a thread can run, because its stack was read meanwhile. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Its step is submitted once.")
  @Outcome(expect = FORBIDDEN, desc = "Its step is lost, or submitted twice.")
  @State
  public static class StackRead {
    private final Stepping thread = new Stepping();

    @Actor
    public void carrier() {
      thread.settle();
    }

    @Actor
    public void unparker() {
      thread.execute(thread.continuation);
    }

    @Actor
    public void reader() {
      thread.execute(thread.continuation);
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = thread.submissions;
    }
  }

  /** A virtual thread that parks once never stays parked after an unpark, nor ends twice. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It has run to its end, once.")
  @Outcome(expect = FORBIDDEN, desc = "The thread is lost, or was resumed twice.")
  @State
  public static class Unpark {
    private final Parking thread = new Parking();

    @Actor
    public void carrier() {
      thread.resume();
      thread.settle();
    }

    @Actor
    public void unparker() {
      LockSupport.unpark(thread.thread());
    }

    @Arbiter
    public void end(II_Result r) {
      thread.runSubmitted();
      r.r1 = thread.ends;
      r.r2 = thread.overs;
    }
  }

  /** A step that its loop and another thread want to run is run by one of them. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It has run to its end, once.")
  @Outcome(expect = FORBIDDEN, desc = "The thread is lost, or was resumed twice.")
  @State
  public static class Overtaken {
    private final Parking thread = new Parking();

    public Overtaken() {
      thread.resume();
      thread.settle();
      LockSupport.unpark(thread.thread());
    }

    @Actor
    public void loop() {
      thread.run(0);
    }

    @Actor
    public void other() {
      thread.runElsewhere();
    }

    @Arbiter
    public void end(II_Result r) {
      thread.runSubmitted();
      r.r1 = thread.ends;
      r.r2 = thread.overs;
    }
  }

  /** A carried thread whose step is done by no virtual one, so that only its state is tested. */
  private static final class Stepping extends CarriedThread {
    final Runnable continuation = this::work;
    int carried;
    int given;
    int submissions;
    int seen;

    Stepping() {
      super("carried");
      prepare();
      execute(continuation); // as the JDK does when the thread is started
      resume();
    }

    @Override
    protected void work() {}

    @Override
    protected Step step(int number) {
      return new Step() {
        @Override
        public void submit() {
          submissions++;
          seen = carried + given;
        }
      };
    }
  }

  /** A carried thread that parks once. */
  private static final class Parking extends CarriedThread {
    private static final int STEPS_MAX = 4;

    final boolean[] submitted = new boolean[STEPS_MAX];
    int ends;
    int overs;

    Parking() {
      super("carried");
      start();
    }

    @Override
    protected void work() {
      LockSupport.park(this);
      ends++;
    }

    @Override
    protected Step step(int number) {
      return new Step() {
        @Override
        public void submit() {
          submitted[number] = true;
        }
      };
    }

    /** Does what the task of a step does on the loop. */
    void run(int number) {
      submitted[number] = false;
      if (isOver(number)) {
        overs++;
      } else if (claim(number)) {
        resume();
        settle();
      }
    }

    void runSubmitted() {
      for (int number = 0; number < STEPS_MAX; number++) {
        while (submitted[number]) {
          run(number);
        }
      }
    }
  }
}
