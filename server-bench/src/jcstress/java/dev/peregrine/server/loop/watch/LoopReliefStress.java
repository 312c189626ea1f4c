package dev.peregrine.server.loop.watch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopScript;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The checks of loops, which end while no loop has anything to do. */
public final class LoopReliefStress {
  // By a handle: a call of check gets there only after a second, and seldom.
  private static final MethodHandle DOZE = findDoze();

  private LoopReliefStress() {}

  private static MethodHandle findDoze() {
    try {
      return MethodHandles.privateLookupIn(LoopRelief.class, MethodHandles.lookup())
          .findVirtual(LoopRelief.class, "doze", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static void doze(LoopRelief relief) {
    try {
      DOZE.invokeExact(relief);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** The checks never stay off while a loop has a turn. */
  @JCStressTest
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "The loop is checked.")
  @Outcome(id = "true", expect = FORBIDDEN, desc = "The loop has a turn that isn't checked.")
  @State
  public static class Doze {
    private final LoopScript script = new LoopScript();
    private final EventLoop loop = script.newLoop();
    private final LoopRelief relief =
        new LoopRelief(List.of(loop), 1, Thread.ofPlatform().unstarted(() -> {}));

    public Doze() {
      boolean ignored = loop.run(false); // until it waits
    }

    @Actor
    public void loop() {
      script.endWait();
    }

    @Actor
    public void watchdog() {
      doze(relief);
    }

    @Arbiter
    public void end(Z_Result r) {
      r.r1 = LoopScript.relief(loop).isDozing();
    }
  }
}
