package dev.peregrine.server.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.peregrine.server.transport.Poller;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A loop that is given a task while it begins to wait, or ends. */
public final class EventLoopStress {
  private EventLoopStress() {}

  /** A loop never waits for sockets while a task waits for it. */
  @JCStressTest
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The loop has seen the task.")
  @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "The loop has seen it, and was woken, too.")
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "The loop was woken.")
  @Outcome(expect = FORBIDDEN, desc = "The loop waits, and the task with it.")
  @State
  public static class WakeUp {
    private final LoopScript script = new LoopScript();
    private final EventLoop loop = script.newLoop();
    private final LoopTask task = LoopTask.of(() -> {});

    @Actor
    public void loop() {
      boolean ignored = loop.run(false);
    }

    @Actor
    public void producer() {
      loop.execute(task);
    }

    @Arbiter
    public void end(ZI_Result r) {
      r.r1 = script.timeoutNanos() == Poller.FOREVER;
      r.r2 = script.wakeUps();
    }
  }

  /** A task that arrives while the loop ends is never lost, and never rejected twice. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "The task was rejected.")
  @Outcome(expect = FORBIDDEN, desc = "The task is lost, or was rejected twice.")
  @State
  public static class Rejection {
    private final EventLoop loop = new LoopScript().newLoop();
    private final Counted task = new Counted();

    @Actor
    public void loop() {
      loop.abandon();
    }

    @Actor
    public void producer() {
      loop.execute(task);
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = task.rejections.get();
    }
  }

  /** A task that counts how often it was rejected. */
  private static final class Counted extends LoopTask {
    final AtomicInteger rejections = new AtomicInteger();

    @Override
    protected void run() {}

    @Override
    protected void onRejected() {
      rejections.incrementAndGet();
    }
  }
}
