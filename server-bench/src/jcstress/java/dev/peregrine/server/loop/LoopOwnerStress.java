package dev.peregrine.server.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A loop that changes its thread while a handler ends or calls the server. The plain field {@code
 * work} stands for the state of the loop: an update by each thread in its turn.
 */
public final class LoopOwnerStress {
  private LoopOwnerStress() {}

  /** A loop and its state, with the steps of the threads that want it. */
  private static final class Shared {
    final LoopOwner owner = new LoopOwner();
    int work;

    /** Runs a handler that calls the server once. Returns what {@link LoopOwner#enter} has. */
    int runHandler() {
      owner.beginBy(Thread.currentThread());
      int run = owner.begin();
      int entered = owner.enter();
      if (entered != LoopOwner.OUTSIDE) {
        work++;
      }
      owner.exit(entered);
      if (owner.end(run)) {
        work += 10;
      }
      return entered;
    }

    /** Runs a step of a carried thread that enters the server once. Returns how it entered. */
    int runStep() {
      owner.beginBy(Thread.currentThread());
      int run = owner.begin();
      int entered = owner.enterCarried(run);
      if (entered != LoopOwner.OUTSIDE) {
        work++;
      }
      owner.exit(entered);
      if (owner.end(run)) {
        work += 10;
      }
      return entered;
    }

    /** Takes the loop and keeps it. Returns false if the run is over or hasn't begun. */
    boolean takeAndKeep(int run) {
      boolean taken = run != 0 && owner.take(run);
      if (taken) {
        owner.keep(run);
        work += 100;
      }
      return taken;
    }

    /** Takes the loop and gives it back. Returns false if the run is over or hasn't begun. */
    boolean takeAndGiveBack(int run) {
      boolean taken = run != 0 && owner.take(run);
      if (taken) {
        work += 100;
        owner.giveBack(run);
      }
      return taken;
    }
  }

  /** The end of a handler and a take of its loop never both succeed, and never both fail. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The handler has ended first.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The loop was taken first.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the loop, or none.")
  @State
  public static class End {
    private final Shared loop = new Shared();
    private final int run = loop.owner.begin();

    @Actor
    public void handler(ZZ_Result r) {
      r.r1 = loop.owner.end(run);
    }

    @Actor
    public void spare(ZZ_Result r) {
      r.r2 = loop.takeAndKeep(run);
    }
  }

  /** Two threads never take the same loop. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first has the loop.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second has the loop.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the loop, or none.")
  @State
  public static class TwoTakes {
    private final Shared loop = new Shared();
    private final int run = loop.owner.begin();

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = loop.takeAndKeep(run);
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = loop.takeAndKeep(run);
    }
  }

  /** The thread that takes a loop never misses what the other one did before the handler. */
  @JCStressTest
  @Outcome(id = "true, false, 11", expect = ACCEPTABLE, desc = "The handler has ended first.")
  @Outcome(id = "false, true, 101", expect = ACCEPTABLE, desc = "The loop was taken first.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the loop, or work is lost.")
  @State
  public static class Keep {
    private final Shared loop = new Shared();

    @Actor
    public void loop(ZZI_Result r) {
      loop.owner.beginBy(Thread.currentThread());
      loop.work++;
      int run = loop.owner.begin();
      if (loop.owner.end(run)) {
        loop.work += 10;
      }
      r.r1 = loop.owner.isCurrent();
    }

    @Actor
    public void spare(ZZI_Result r) {
      r.r2 = loop.takeAndKeep(loop.owner.run());
    }

    @Arbiter
    public void end(ZZI_Result r) {
      r.r3 = loop.work;
    }
  }

  /** A handler never ends while it isn't decided who runs the loop, nor fails to end after that. */
  @JCStressTest
  @Outcome(id = "true, false, 10", expect = ACCEPTABLE, desc = "The handler has ended first.")
  @Outcome(id = "true, true, 110", expect = ACCEPTABLE, desc = "The loop was given back first.")
  @Outcome(expect = FORBIDDEN, desc = "No thread runs the loop, or work is lost.")
  @State
  public static class GiveBack {
    private final Shared loop = new Shared();
    private final int run = loop.owner.begin();

    @Actor
    public void handler(ZZI_Result r) {
      r.r1 = loop.owner.end(run);
      if (r.r1) {
        loop.work += 10;
      }
    }

    @Actor
    public void spare(ZZI_Result r) {
      r.r2 = loop.takeAndGiveBack(run);
    }

    @Arbiter
    public void end(ZZI_Result r) {
      r.r3 = loop.work;
    }
  }

  /** A handler never enters the server's code while another thread runs it. */
  @JCStressTest
  @Outcome(id = "2, false, 11", expect = ACCEPTABLE, desc = "Entered; the handler has ended first.")
  @Outcome(id = "2, true, 101", expect = ACCEPTABLE, desc = "Entered; the loop was taken later.")
  @Outcome(id = "0, true, 100", expect = ACCEPTABLE, desc = "The loop was taken before the call.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the server's code, or work is lost.")
  @State
  public static class Enter {
    private final Shared loop = new Shared();

    @Actor
    public void loop(IZI_Result r) {
      r.r1 = loop.runHandler();
    }

    @Actor
    public void spare(IZI_Result r) {
      r.r2 = loop.takeAndKeep(loop.owner.run());
    }

    @Arbiter
    public void end(IZI_Result r) {
      r.r3 = loop.work;
    }
  }

  /** A thread that the loop carries never enters the server's code while another thread runs it. */
  @JCStressTest
  @Outcome(id = "2, false, 11", expect = ACCEPTABLE, desc = "Entered; the step has ended first.")
  @Outcome(id = "2, true, 101", expect = ACCEPTABLE, desc = "Entered; the loop was taken later.")
  @Outcome(id = "0, true, 100", expect = ACCEPTABLE, desc = "The loop was taken before.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the server's code, or work is lost.")
  @State
  public static class EnterCarried {
    private final Shared loop = new Shared();

    @Actor
    public void loop(IZI_Result r) {
      r.r1 = loop.runStep();
    }

    @Actor
    public void spare(IZI_Result r) {
      r.r2 = loop.takeAndKeep(loop.owner.run());
    }

    @Arbiter
    public void end(IZI_Result r) {
      r.r3 = loop.work;
    }
  }

  /** A handler that enters the server's code never passes a thread that gives the loop back. */
  @JCStressTest
  @Outcome(id = "2, false, 11", expect = ACCEPTABLE, desc = "The loop wasn't taken.")
  @Outcome(id = "2, true, 111", expect = ACCEPTABLE, desc = "The loop was taken and given back.")
  @Outcome(expect = FORBIDDEN, desc = "Two threads run the server's code, or work is lost.")
  @State
  public static class EnterAndGiveBack {
    private final Shared loop = new Shared();

    @Actor
    public void loop(IZI_Result r) {
      r.r1 = loop.runHandler();
    }

    @Actor
    public void spare(IZI_Result r) {
      r.r2 = loop.takeAndGiveBack(loop.owner.run());
    }

    @Arbiter
    public void end(IZI_Result r) {
      r.r3 = loop.work;
    }
  }

  /** A take never mistakes the next handler for the one that it is meant for. */
  @JCStressTest
  @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "Both handlers have ended.")
  @Outcome(id = "false, false, true", expect = ACCEPTABLE, desc = "The first handler was left.")
  @Outcome(expect = FORBIDDEN, desc = "The second handler was left, or two threads run the loop.")
  @State
  public static class NextRun {
    private final Shared loop = new Shared();
    private final int run = loop.owner.begin();

    @Actor
    public void handlers(ZZZ_Result r) {
      r.r1 = loop.owner.end(run);
      r.r2 = r.r1 && loop.owner.end(loop.owner.begin());
    }

    @Actor
    public void spare(ZZZ_Result r) {
      r.r3 = loop.takeAndKeep(run);
    }
  }
}
