package dev.peregrine.server.sockets;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread that waits for a direction of a socket, and those that end its wait. */
public final class ReadinessStress {
  private ReadinessStress() {}

  /** Waits as a socket does: it looks for bytes, and parks only if it has found none. */
  private static boolean read(Readiness direction, Bytes bytes) {
    Thread thread = Thread.currentThread();
    while (true) {
      direction.clear();
      if (bytes.arrived) {
        return true;
      }
      if (direction.isClosed()) {
        return false;
      }
      if (direction.await(thread, Readiness.FOREVER)) {
        while (direction.isAwaitedBy(thread)) {
          LockSupport.park(direction);
        }
      }
    }
  }

  /** The socket of the system. */
  private static final class Bytes {
    volatile boolean arrived;
  }

  /** A report comes once, at any moment of a read. Without it the read would never end. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "The bytes are read.")
  @Outcome(expect = FORBIDDEN, desc = "The report was lost.")
  @State
  public static class Report {
    private final Readiness direction = new Readiness();
    private final Bytes bytes = new Bytes();

    @Actor
    public void reader(I_Result r) {
      r.r1 = read(direction, bytes) ? 1 : 0;
    }

    @Actor
    public void loop() {
      direction.release(); // by a timer
      bytes.arrived = true;
      direction.ready();
    }
  }

  /** A close ends a read, also if reports and timers of no use surround it. */
  @JCStressTest
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The read has ended, for ever.")
  @Outcome(expect = FORBIDDEN, desc = "The close was lost.")
  @State
  public static class Close {
    private final Readiness direction = new Readiness();
    private final Bytes bytes = new Bytes();

    @Actor
    public void reader(ZZ_Result r) {
      r.r1 = read(direction, bytes);
    }

    @Actor
    public void closer() {
      direction.ready();
      direction.close();
      direction.release();
      direction.ready();
    }

    @Arbiter
    public void end(ZZ_Result r) {
      direction.ready();
      direction.clear();
      r.r2 = direction.isClosed() && !direction.await(Thread.currentThread(), 1);
    }
  }

  /** The loop that watches a socket ends, while a thread begins a wait that relies on it. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "The thread doesn't wait for the loop's report.")
  @Outcome(expect = FORBIDDEN, desc = "Nobody would end the wait.")
  @State
  public static class LoopEnd {
    private final Readiness direction = new Readiness();
    private volatile boolean watched = true;

    @Actor
    public void reader(I_Result r) {
      Thread thread = Thread.currentThread();
      if (direction.await(thread, Readiness.FOREVER) && watched) {
        while (direction.isAwaitedBy(thread)) {
          LockSupport.park(direction);
        }
      }
      direction.giveUp(thread);
      r.r1 = 1;
    }

    @Actor
    public void loop() {
      watched = false;
      direction.release();
    }
  }
}
