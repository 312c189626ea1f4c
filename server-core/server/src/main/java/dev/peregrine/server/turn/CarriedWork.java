package dev.peregrine.server.turn;

import dev.peregrine.server.loop.CarriedThread;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.Relieved;
import org.jspecify.annotations.Nullable;

/**
 * Work on a virtual thread that the event loop carries, in turns of a connection. The first step
 * runs within the turn that starts it. What the work submits to the connection meanwhile runs right
 * after the step, on the loop's own thread, so that the server's code never runs on the virtual
 * thread. If the work parks, each further step is a task of the {@link TurnQueue}.
 *
 * <p>After the loop has ended, steps run on platform threads.
 */
public abstract class CarriedWork extends CarriedThread {
  private final TurnQueue queue;
  private int run; // of the application's code, in which the first step runs

  protected CarriedWork(TurnQueue queue, String name) {
    super(name);
    this.queue = queue;
  }

  /** Returns the loop that carries the thread. */
  EventLoop loop() {
    return queue.loop();
  }

  /**
   * The work has parked, or it has ended and its tasks wait for their turn: the present turn goes
   * on without it. On the loop, once at most.
   */
  protected abstract void onParked();

  /** Takes what the first step has left to be done first after it; null for nothing. */
  protected abstract @Nullable Turn takeKept();

  /** The work has ended, and so have its tasks; in a turn, or later than the connection's end. */
  protected abstract void onEnd();

  /**
   * Starts the work, in a turn of the connection.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  protected void begin() {
    start();
    boolean wasHeld = queue.isHeld();
    LoopOwner owner = queue.loop().owner();
    owner.carry(thread());
    run = owner.begin();
    resume(owner, run);
    try {
      if (isEnded() && !queue.isRunning()) {
        queue.drain(takeKept());
        onEnd();
      } else {
        endFirstStep();
      }
    } finally {
      if (!wasHeld && queue.isHeld()) {
        queue.endStep();
      }
    }
  }

  private void endFirstStep() {
    try {
      onParked();
    } finally {
      queue.drain(takeKept());
      goOn();
    }
  }

  // ---- on the thread, in its first step ----

  /**
   * Enters the server's code like {@link LoopOwner#enterCarried}; in the first step. {@link
   * #exitTurn} must follow, with the result.
   */
  public int enterTurn() {
    return queue.loop().owner().enterCarried(run);
  }

  public void exitTurn(int entered) {
    queue.loop().owner().exit(entered);
  }

  /** Returns true if tasks of the connection wait; in the server's code. */
  public boolean isQueued() {
    return queue.isWaiting();
  }

  /** Runs work after the first step, or in a turn if another thread runs the loop by then. */
  public void execute(Turn work) {
    TurnTask task = new TurnTask(work);
    int entered = enterTurn(); // first, because it may wait, and the queue must not
    if (entered == LoopOwner.OUTSIDE) {
      queue.submitTask(task);
    } else {
      queue.addHeld(task);
      exitTurn(entered);
    }
  }

  // ---- on the loop ----

  /** Runs a step, or ends the work, unless another thread has run that step. */
  private void run(int number) {
    EventLoop loop = queue.loop();
    if (isOver(number)) {
      forget(loop.parked());
      onEnd();
    } else if (!claim(number)) {
      return;
    } else if (loop.isOver() || !loop.isCurrent()) {
      Thread ignored = Thread.ofPlatform().daemon().name(thread().getName()).start(this::runStep);
    } else {
      runStepOnLoop(loop.owner());
    }
  }

  private void runStep() {
    resume();
    goOn();
  }

  /**
   * Runs a step on the loop.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  private void runStepOnLoop(LoopOwner owner) {
    queue.beginLaterStep();
    owner.carry(thread());
    try {
      resume(owner, owner.begin());
    } finally {
      if (owner.isCurrent()) { // otherwise endLeftTurn does it
        queue.endLaterStep();
      }
    }
    goOn();
  }

  /**
   * Runs the thread on the loop until it parks or ends.
   *
   * @param begun the run of the application's code
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  private void resume(LoopOwner owner, int begun) {
    resume();
    if (!owner.end(begun)) {
      goOn();
      throw Relieved.INSTANCE;
    }
    owner.carry(null);
  }

  /** Waits for the next step, or for the tasks before the end. */
  private void goOn() {
    watch(queue.loop().parked());
    settle();
  }

  @Override
  protected Step step(int number) {
    return new QueuedStep(number);
  }

  /** A step, or the end, as a task of the connection. */
  private final class QueuedStep extends TurnTask implements Step, Turn {
    private final int number;

    QueuedStep(int number) {
      this.number = number;
    }

    @Override
    public void submit() {
      queue.submitTask(this);
    }

    @Override
    public void run() {
      CarriedWork.this.run(number);
    }
  }
}
