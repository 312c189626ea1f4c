package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.ServerLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The moments at which a loop can get another thread. */
final class LoopOwnerTest {
  private static final int HANDLERS = 100_000;
  private static final int CHANGES = 1_000;

  private final LoopOwner owner = new LoopOwner();
  private final AtomicInteger handlers = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicLong expected = new AtomicLong();
  private long guarded; // by the server's code of whoever runs the loop

  @Test
  void keepsItsThreadWhileTheServersCodeRuns() {
    owner.beginBy(Thread.currentThread());
    assertThat(owner.run()).isZero();

    int run = owner.begin();
    assertThat(owner.run()).isEqualTo(run);
    int entered = owner.enter();
    assertThat(entered).isEqualTo(LoopOwner.ENTERED);
    assertThat(owner.enter()).isEqualTo(LoopOwner.NESTED);
    assertThat(owner.run()).isZero();
    assertThat(owner.take(run)).isFalse();
    owner.exit(entered);

    assertThat(owner.end(run)).isTrue();
    assertThat(owner.take(run)).isFalse();
    assertThat(owner.isServing()).isTrue();
  }

  @Test
  void keepsItsThreadWhilePinned() {
    owner.beginBy(Thread.currentThread());
    owner.pin();

    int run = owner.begin();

    assertThat(owner.run()).isZero();
    assertThat(owner.enter()).isEqualTo(LoopOwner.NESTED);
    assertThat(owner.end(run)).isTrue();
    owner.unpin();
    assertThat(owner.begin()).isEqualTo(owner.run());
  }

  @Test
  void isEnteredByAThreadThatItCarriesInItsRunOnly() {
    owner.beginBy(Thread.currentThread());
    int first = owner.begin();

    int entered = owner.enterCarried(first);
    assertThat(entered).isEqualTo(LoopOwner.ENTERED);
    assertThat(owner.take(first)).isFalse();
    owner.exit(entered);
    assertThat(owner.end(first)).isTrue();

    assertThat(owner.begin()).isEqualTo(owner.run());
    assertThat(owner.enterCarried(first)).isEqualTo(LoopOwner.OUTSIDE);
  }

  @Test
  void getsAnotherThreadInAHandlerOnly() {
    owner.beginBy(Thread.currentThread());
    int first = owner.begin();
    assertThat(owner.end(first)).isTrue();
    int second = owner.begin();
    assertThat(owner.take(first)).isFalse(); // a handler that has ended isn't mistaken for this one

    CompletableFuture.runAsync(
            () -> {
              assertThat(owner.take(second)).isTrue();
              owner.keep(second);
              assertThat(owner.isServing()).isTrue();
            })
        .orTimeout(120, TimeUnit.SECONDS)
        .join();

    assertThat(owner.isCurrent()).isFalse();
    assertThat(owner.enter()).isEqualTo(LoopOwner.OUTSIDE);
    assertThat(owner.end(second)).isFalse();
  }

  /** A yield would unmount it, and what it owes to others would wait for its loop. */
  @Test
  void isAwaitedByAThreadThatItCarriesWithoutUnmountingIt() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    owner.beginBy(Thread.currentThread());
    int run = owner.begin();
    Carried step = new Carried(() -> owner.exit(owner.enterCarried(run)));
    assertThat(owner.take(run)).isTrue();
    Thread ignored =
        Thread.ofPlatform()
            .start(
                () -> {
                  Await.until("the step waits", () -> ReliefProbe.waitsFor(step.thread()));
                  owner.giveBack(run);
                });

    step.start();
    step.resume();

    assertThat(step.isEnded()).isTrue();
    assertThat(owner.end(run)).isTrue();
  }

  /** The JDK submits a thread again after its stack was read, as by the watchdog or a dump. */
  @Test
  void isGivenOneStepOfAThreadWhoseStackIsReadMeanwhile() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    Carried step = new Carried(Thread::yield);

    step.start();
    step.resume();
    step.settle();
    assertThat(step.thread().getStackTrace()).isNotEmpty();

    assertThat(step.submitted).hasValue(1);
    assertThat(step.claim(0)).isTrue();
    step.resume();
    step.settle();
    assertThat(step.submitted).hasValue(2);
    assertThat(step.isOver(0)).isTrue();
  }

  @Test
  void isGivenBackByAStepThatTheJdkCouldNotFinish() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    try (ServerLog log = new ServerLog()) {
      Carried step = new Carried(() -> {});
      step.execute(
          () -> {
            throw new OutOfMemoryError("intended");
          });

      step.resume();

      log.expectOne(Level.SEVERE, "may never continue");
    }
  }

  /** As at the end of a stack, where the call that leaves the server's code may fail. */
  @Test
  void staysWithAThreadWhoseCallHasNotLeftTheServersCode() {
    owner.beginBy(Thread.currentThread());
    int run = owner.begin();
    assertThat(owner.enter()).isEqualTo(LoopOwner.ENTERED);

    assertThat(owner.end(run)).isTrue();

    assertThat(owner.isServing()).isTrue();
    assertThat(owner.end(owner.begin())).isTrue();
  }

  /** A step of a thread that the test carries. */
  private static final class Carried extends CarriedThread {
    final AtomicInteger submitted = new AtomicInteger();
    private final Runnable work;

    Carried(Runnable work) {
      super("step");
      this.work = work;
    }

    @Override
    protected void work() {
      work.run();
    }

    @Override
    protected CarriedThread.Step step(int number) {
      return submitted::incrementAndGet;
    }
  }

  /** Two threads that take the loop from each other at any moment never run it at the same time. */
  @Test
  void isRunByOneThreadAtATime() throws Exception {
    Thread other = Thread.ofPlatform().unstarted(() -> run(false));
    owner.beginBy(Thread.currentThread());
    other.start();
    run(true);
    other.join();

    assertThat(guarded).isEqualTo(expected.get());
    assertThat(changes.get()).isGreaterThanOrEqualTo(CHANGES);
  }

  private void run(boolean asOwner) {
    boolean owns = asOwner;
    while (handlers.get() < HANDLERS || changes.get() < CHANGES) {
      owns = owns ? runHandler() : take();
    }
  }

  /** Runs a handler. Returns false if the other thread has taken the loop. */
  private boolean runHandler() {
    int run = owner.begin();
    handlers.incrementAndGet();
    for (int i = ThreadLocalRandom.current().nextInt(4); i > 0; i--) {
      int entered = owner.enter();
      if (entered == LoopOwner.ENTERED) {
        guarded++;
        expected.incrementAndGet();
        owner.exit(entered);
      }
    }
    boolean owns = owner.end(run);
    if (owns) {
      guarded++;
      expected.incrementAndGet();
    }
    return owns;
  }

  /** Tries to take the loop. Returns true if that has succeeded. */
  private boolean take() {
    int run = owner.run();
    if (run == 0 || !owner.take(run)) {
      Thread.onSpinWait();
      return false;
    }
    guarded++;
    expected.incrementAndGet();
    if (ThreadLocalRandom.current().nextBoolean()) {
      owner.giveBack(run);
      return false;
    }
    owner.keep(run);
    changes.incrementAndGet();
    return true;
  }
}
