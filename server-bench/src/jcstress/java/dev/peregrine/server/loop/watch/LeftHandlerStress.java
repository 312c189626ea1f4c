package dev.peregrine.server.loop.watch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopScript;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A left handler that returns while the watchdog's thread reports it. */
public final class LeftHandlerStress {
  private static final EventLoop LOOP = new LoopScript().newLoop();
  private static final long BLOCKED_NANOS = 10;
  private static final long NOW_NANOS = 100;
  private static final long END_NANOS = 1000;

  private LeftHandlerStress() {}

  private static @Nullable BlockedTurn report(LeftHandler handler) {
    return handler.report(NOW_NANOS, BLOCKED_NANOS);
  }

  private static LeftHandler newHandler() {
    return new LeftHandler(LOOP, LOOP.thread(), 0, "");
  }

  /** A report of the end never has another time than that of the end. */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "The handler runs, and was reported before.")
  @Outcome(id = "1000", expect = ACCEPTABLE, desc = "The handler has ended.")
  @Outcome(expect = FORBIDDEN, desc = "The report has a time that isn't that of the end.")
  @State
  public static class EndTime {
    private final LeftHandler handler = newHandler();

    public EndTime() {
      BlockedTurn ignored = report(handler);
    }

    @Actor
    public void handler() {
      handler.end(END_NANOS);
    }

    @Actor
    public void watchdog(J_Result r) {
      BlockedTurn reported = report(handler);
      r.r1 = reported == null ? -1 : reported.nanos();
    }
  }

  /** A handler that is reported while it runs is never without a report of its end. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Reported, and so is the end.")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "It has ended before.")
  @Outcome(expect = FORBIDDEN, desc = "One of the two reports is missing.")
  @State
  public static class BothReports {
    private final LeftHandler handler = newHandler();

    @Actor
    public void handler() {
      handler.end(END_NANOS);
    }

    @Actor
    public void watchdog(ZZ_Result r) {
      r.r1 = report(handler) != null;
    }

    @Arbiter
    public void watchdogAfterwards(ZZ_Result r) {
      r.r2 = report(handler) != null;
    }
  }
}
