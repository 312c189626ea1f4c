package dev.peregrine.server.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A queue of tasks that threads use at the same time. */
public final class TaskQueueStress {
  private static final int INCOMPLETE = 9; // also in place of a task that no producer offered

  private TaskQueueStress() {}

  /** A task never arrives twice, out of order, or before what its producer has written. */
  @JCStressTest
  @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "The queue was empty.")
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "One task was there.")
  @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "Both tasks were there.")
  @Outcome(expect = FORBIDDEN, desc = "A task is lost, repeated, out of order or incomplete.")
  @State
  public static class Order {
    private final TaskQueue queue = new TaskQueue();
    private final Numbered one = new Numbered();
    private final Numbered two = new Numbered();

    @Actor
    public void producer() {
      one.number = 1;
      queue.offer(one);
      two.number = 2;
      queue.offer(two);
    }

    @Actor
    public void consumer(II_Result r) {
      r.r1 = drain(queue, 3);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain(queue, 3);
    }
  }

  /** A task that a producer offers while the consumer does, too, is never lost or repeated. */
  @JCStressTest
  @Outcome(id = "(12|21), 0", expect = ACCEPTABLE, desc = "The consumer found both.")
  @Outcome(id = "1, 2|2, 1", expect = ACCEPTABLE, desc = "The consumer found one of them.")
  @Outcome(id = "0, (12|21)", expect = ACCEPTABLE, desc = "The producer was just linking its task.")
  @Outcome(expect = FORBIDDEN, desc = "A task is lost, repeated or incomplete.")
  @State
  public static class OwnTask {
    private final TaskQueue queue = new TaskQueue();
    private final Numbered own = new Numbered();
    private final Numbered other = new Numbered();

    @Actor
    public void consumer(II_Result r) {
      own.number = 1;
      queue.offer(own);
      r.r1 = drain(queue, 3);
    }

    @Actor
    public void producer() {
      other.number = 2;
      queue.offer(other);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain(queue, 3);
    }
  }

  /** Two producers never lose a task of each other. */
  @JCStressTest
  @Outcome(id = "12|21", expect = ACCEPTABLE, desc = "Both tasks are there.")
  @Outcome(expect = FORBIDDEN, desc = "A task is lost, repeated or incomplete.")
  @State
  public static class TwoProducers {
    private final TaskQueue queue = new TaskQueue();
    private final Numbered one = new Numbered();
    private final Numbered two = new Numbered();

    @Actor
    public void first() {
      one.number = 1;
      queue.offer(one);
    }

    @Actor
    public void second() {
      two.number = 2;
      queue.offer(two);
    }

    @Arbiter
    public void rest(I_Result r) {
      r.r1 = drain(queue, 3);
    }
  }

  /** Returns the numbers of the tasks that some polls return, as digits. */
  private static int drain(TaskQueue queue, int polls) {
    int digits = 0;
    for (int i = 0; i < polls; i++) {
      LoopTask task = queue.poll();
      if (task != null) {
        digits = digits * 10 + (task instanceof Numbered numbered ? numbered.number : INCOMPLETE);
      }
    }
    return digits;
  }

  /** A task with a number that its producer writes. */
  private static final class Numbered extends LoopTask {
    int number = INCOMPLETE;

    @Override
    protected void run() {}
  }
}
