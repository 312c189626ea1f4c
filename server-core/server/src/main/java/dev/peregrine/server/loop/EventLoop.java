package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.base.Incident;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for sockets and tasks and serves them, turn by turn, until it is stopped: by one thread at
 * a time, which another one relieves if a handler keeps it ({@link LoopOwner}). Everything attached
 * to a loop belongs to that thread; {@link #execute} is the only way in. The loop continues after
 * every exception: code that handles a failure allocates nothing outside of a {@code try} block.
 */
public final class EventLoop {
  private static final VarHandle NANOS =
      FieldHandle.of(MethodHandles.lookup(), "nanos", long.class);

  // After the poller has failed, so that a lasting failure doesn't take a whole processor.
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final String name;
  private final LoopOwner owner = new LoopOwner();
  private volatile Thread thread; // that runs the loop
  private final CountDownLatch over = new CountDownLatch(1);
  private Poller poller; // changed on the loop's thread, while the loop is awake
  private final BufferPool pool;
  private final TaskInbox inbox;
  private final ParkedThreads parked = new ParkedThreads();
  private final TimerHeap timers;
  private final LongSupplier clock;
  private final TimeSlice slice;
  private long nanos;
  private final BoundedLog failures;
  private final FailureSpell pollFailures = new FailureSpell();
  private boolean stopping;
  private @Nullable Runnable onEnd;
  private @Nullable TurnListener turns; // while a recording runs
  private @Nullable TurnUser user;
  volatile @Nullable Relief relief; // while a watchdog runs
  private final TurnNotes notes = new TurnNotes();

  /** Creates a loop with the transport's memory that isn't running yet. */
  public EventLoop(String name, Transport transport) throws IOException {
    this(name, transport, transport.memory());
  }

  /** Creates a loop that isn't running yet; {@link #start} runs it. */
  public EventLoop(String name, Transport transport, MemorySource memory) throws IOException {
    this(name, transport, memory, new SystemClock());
  }

  /**
   * Creates a loop with the caller's clock.
   *
   * @param clock has the properties of {@link System#nanoTime}
   */
  public EventLoop(String name, Transport transport, LongSupplier clock) throws IOException {
    this(name, transport, transport.memory(), clock);
  }

  private EventLoop(String name, Transport transport, MemorySource memory, LongSupplier clock)
      throws IOException {
    this.name = name;
    this.clock = clock;
    this.nanos = clock.getAsLong();
    this.slice = new TimeSlice(clock);
    this.timers = new TimerHeap(clock);
    this.pool = new BufferPool(memory);
    this.poller = transport.openPoller();
    this.inbox = new TaskInbox(poller);
    this.failures = new BoundedLog(this);
    Thread first = new Thread(new Begin(), name); // a builder is five classes more to load
    first.setDaemon(false);
    this.thread = first;
  }

  public void start() {
    thread.start();
  }

  /**
   * Ends the loop after the current turn; callable from any thread.
   *
   * @param atEnd runs last on the loop's thread, to release what is attached to it
   */
  public void stop(Runnable atEnd) {
    execute(
        () -> {
          onEnd = atEnd;
          stopping = true;
        });
  }

  /** Releases a loop that was never started. */
  public void abandon() {
    end();
  }

  /** Waits until the loop's thread has ended. */
  public void join() throws InterruptedException {
    if (thread.getState() != Thread.State.NEW) {
      over.await();
    }
    thread.join();
  }

  /** Returns the latch that is released when the loop has ended and its pool is closed. */
  public CountDownLatch over() {
    return over;
  }

  /**
   * Hands a task to the loop; callable from any thread. If this throws, the task was not queued,
   * and the caller still owns the task's resources.
   */
  public void execute(LoopTask task) {
    inbox.offer(task);
  }

  /** Wakes the loop if that has failed before; callable from any thread. */
  public void wakeUpIfMissed() {
    inbox.wakeUpIfMissed();
  }

  public void execute(Runnable work) {
    execute(LoopTask.of(work));
  }

  /** Runs work on the loop after a delay; only on the loop's thread. */
  public void schedule(long delayNanos, Runnable work) {
    timer(work).start(delayNanos);
  }

  /** Creates a timer for work that must be done or repeated after any failure. */
  public LoopTimer timer(Runnable work) {
    return new LoopTimer(timers, work);
  }

  /** Returns true if the caller is the loop's thread. */
  public boolean isCurrent() {
    return owner.isCurrent();
  }

  /** Sets what finds another thread if a handler keeps the loop's; once, from any thread. */
  public void relieveBy(Relief finding) {
    parked.relieveBy(finding);
    relief = finding;
  }

  /** Returns what decides which thread runs the loop. */
  public LoopOwner owner() {
    return owner;
  }

  /** Returns the name of the thread that runs the loop. */
  public String name() {
    return name;
  }

  /** Returns true if the loop has ended; callable from any thread. */
  public boolean isOver() {
    return inbox.isEnded();
  }

  /** Returns the thread that runs the loop, for diagnosis. */
  public Thread thread() {
    return thread;
  }

  /** Returns that thread, and those of the handlers that were left and run on; for diagnosis. */
  public List<Thread> threads() {
    Relief finding = relief;
    return finding == null ? List.of(thread) : finding.threads();
  }

  public Poller poller() {
    return poller;
  }

  /** Changes the transport, also of open sockets, or throws; on the loop's thread, in a task. */
  public void moveTo(Transport transport) throws IOException {
    Poller next = transport.openPoller();
    next.confineTo(thread);
    poller.moveTo(next);
    poller = next;
    inbox.wakeBy(next);
  }

  /** Returns the virtual threads that have parked. */
  public ParkedThreads parked() {
    return parked;
  }

  public BufferPool bufferPool() {
    return pool;
  }

  /** Returns the clock as read once in this turn. */
  public long nanos() {
    return nanos;
  }

  /** Reads the clock anew; callable from any thread. */
  public long readClock() {
    return clock.getAsLong();
  }

  /** Returns the time slice of the connection that has its turn. */
  public TimeSlice slice() {
    return slice;
  }

  /** Returns when the present turn began, or {@link TurnNotes#NOT_BUSY}; for the watchdog. */
  public long busySinceNanos() {
    return inbox.isAwake() ? (long) NANOS.getOpaque(this) : TurnNotes.NOT_BUSY;
  }

  /**
   * Logs an incident, with a failure if there is one, within the bound of the loop's log; on the
   * loop's thread. Never throws, so that the caller continues.
   */
  public void report(Incident incident, @Nullable Throwable failure) {
    failures.add(incident, failure);
  }

  /**
   * Logs what code has thrown that the loop's thread runs, so that its caller continues. Must be
   * the first thing that is done with it. After the loop's end on any thread, where a line may be
   * missing.
   *
   * @throws Relieved if another thread has taken the loop: the caller must do nothing more
   */
  public void contain(Incident incident, Throwable failure) {
    if (failure instanceof Relieved elsewhere) {
      throw elsewhere;
    }
    report(incident, failure);
  }

  /**
   * Logs a failure by {@link #report} if it is a lack of memory, because clients can cause that as
   * often as they like. Returns false for any other failure, which is left to the caller.
   */
  public boolean reportOutOfMemory(Incident incident, Throwable failure) {
    boolean outOfMemory = failure instanceof OutOfMemoryError;
    if (outOfMemory) {
      report(incident, failure);
    }
    return outOfMemory;
  }

  /**
   * Declares that the loop can't do its work any more; the watchdog passes that on. On the loop's
   * thread.
   */
  public void fatal(Throwable cause) {
    notes.fatal(cause);
  }

  /** Returns the notes about turns, for the watchdog. */
  public TurnNotes notes() {
    return notes;
  }

  /** Describes the work under way, as far as another thread can see it. */
  public @Nullable String describe() {
    return user == null ? null : user.describe();
  }

  /** Sets a listener for the loop's turns, null for none; on its thread, or before it runs. */
  public void recordBy(@Nullable TurnListener listener) {
    turns = listener;
  }

  /**
   * Sets what the loop's turns serve, so that another thread can relieve the loop's; before it
   * runs, or on its thread.
   */
  public void serve(TurnUser served) {
    user = served;
  }

  /** Binds what belongs to the loop to a thread. */
  public void confineTo(Thread user) {
    pool.confineTo(user);
    poller.confineTo(user);
  }

  /**
   * Runs the loop on the calling thread until it ends. Returns false if another thread has relieved
   * this one before.
   *
   * @param endsLeftTurn whether to begin with the turn whose handler was left
   */
  public boolean run(boolean endsLeftTurn) {
    boolean ends = endsLeftTurn;
    try {
      while (ends || !stopping) {
        try {
          if (ends) {
            ends = false;
            user().endLeftTurn();
          } else {
            awaitReady();
            poller.notifyReady();
            runTimers();
            runTasks();
          }
        } catch (Throwable failure) {
          // Each task has its own boundary; this one catches what such a boundary throws.
          contain(Incident.TURN_FAILED, failure);
        }
      }
    } catch (Relieved elsewhere) {
      Objects.requireNonNull(relief).onReturn(readClock());
      return false;
    }
    end();
    return true;
  }

  /** Returns what the loop's turns serve. */
  public TurnUser user() {
    return Objects.requireNonNull(user);
  }

  /** Makes the calling thread the one that runs the loop; for {@link Relief}. */
  public void runBy(Thread next) {
    thread = next;
  }

  private void awaitReady() {
    try {
      clearInterrupt();
      poller.await(timeoutNanos());
    } catch (Throwable failure) {
      contain(Incident.POLLER_FAILED, failure);
      afterWait();
      if (pollFailures.add(nanos)) {
        fatal(failure);
      }
      LockSupport.parkNanos(this, RETRY_NANOS);
      return;
    }
    afterWait();
    pollFailures.end();
  }

  /**
   * Clears an interrupt that application code has left on the loop's thread. The server never
   * interrupts a loop, and an interrupt would close each file channel that is used later (see
   * {@link java.nio.channels.InterruptibleChannel}). Costs a load.
   */
  public static void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  /** Returns how long the poller may wait; from here on the loop counts as asleep if it may. */
  private long timeoutNanos() {
    long now = clock.getAsLong();
    slice.endTurn(now);
    if (turns != null) {
      turns.onTurnEnd();
    }
    notes.endTurn(nanos, now);
    if (stopping || !inbox.fallAsleep()) {
      return 0;
    }
    LoopTimer next = timers.first();
    if (next == null) {
      return Poller.FOREVER;
    }
    return Math.max(0, next.dueNanos - now);
  }

  void afterWait() {
    long now = clock.getAsLong();
    NANOS.setOpaque(this, now); // before the state, for busySinceNanos
    inbox.awaken();
    slice.beginTurn(now);
    Relief finding = relief;
    if (finding != null && finding.isDozing()) {
      finding.wake();
    }
    if (turns != null) {
      turns.onTurnBegin();
    }
  }

  private void runTimers() {
    for (LoopTimer timer = timers.pollDue(nanos); timer != null; timer = timers.pollDue(nanos)) {
      guard(timer.work, Incident.TIMER_FAILED);
    }
  }

  /**
   * Runs the tasks that are waiting now, within the time of one slice. A task that is submitted
   * meanwhile, such as the next turn of a busy connection, runs after the sockets that have become
   * ready.
   */
  @SuppressWarnings("ReferenceEquality") // tasks are compared by identity
  private void runTasks() {
    if (inbox.isEmpty()) {
      return;
    }
    LoopTask newest = inbox.newest();
    long began = clock.getAsLong();
    LoopTask task;
    do {
      task = inbox.poll();
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (Throwable failure) {
        contain(Incident.TASK_FAILED, failure);
      }
    } while (task != newest && clock.getAsLong() - began < TimeSlice.NANOS_MAX);
  }

  private void guard(Runnable work, Incident incident) {
    try {
      work.run();
    } catch (Throwable failure) {
      contain(incident, failure);
    }
  }

  private void end() {
    if (onEnd != null) {
      guard(onEnd, Incident.END_FAILED);
    }
    if (turns != null) {
      turns.onTurnEnd();
    }
    inbox.end();
    Poller last = poller;
    try (last) {
      pool.close();
    } catch (Throwable failure) {
      report(Incident.RELEASE_FAILED, failure);
    }
    over.countDown();
  }

  // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.

  private final class Begin implements Runnable {
    @Override
    public void run() {
      Thread first = thread;
      owner.beginBy(first);
      confineTo(first);
      if (!EventLoop.this.run(false)) {
        Objects.requireNonNull(relief).spare();
      }
    }
  }
}
