package dev.peregrine.server.sockets;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Calls that use a descriptor, while others close it. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "It is closed once, after its last use.")
@Outcome(expect = FORBIDDEN, desc = "It is used after its close, or closed never or twice.")
@State
@SuppressWarnings("NonAtomicVolatileUpdate") // a lost update of a close means that there were two
public class DescriptorStress {
  private final Descriptor descriptor = new Descriptor();
  private volatile int closes;
  private volatile boolean usedLate;

  @Actor
  public void user() {
    use();
    close();
  }

  @Actor
  public void closer() {
    close();
    use();
  }

  private void use() {
    if (descriptor.enter()) {
      usedLate |= closes > 0;
      leave();
    }
  }

  private void close() {
    if (descriptor.beginClose()) {
      leave();
    }
  }

  private void leave() {
    if (descriptor.leave()) {
      closes = closes + 1;
    }
  }

  @Arbiter
  public void end(ZI_Result r) {
    r.r1 = !usedLate;
    r.r2 = closes;
  }
}
