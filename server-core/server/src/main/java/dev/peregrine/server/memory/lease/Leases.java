package dev.peregrine.server.memory.lease;

import dev.peregrine.base.FailureLog;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application's buffers whose bytes a loop has yet to send. Each is given back by exactly one
 * call, which {@link #run} makes between the turns of connections, so that it may send again.
 *
 * <pre>
 *   offer ──▶ offered ──take──▶ in the piece of a queue ──release──▶ due ──run──▶ called back
 *                └────settle, if no queue has taken it─────────────▲
 * </pre>
 *
 * <p>A buffer is offered while its bytes are passed to the queues. One that keeps them takes its
 * lease. Otherwise the bytes were copied or dropped when the call returns or throws, and the lease
 * ends. So none is lost or ended twice, whatever fails between the application and the queue.
 *
 * <p>Used on the loop's thread, except for {@link #end}, and for {@link #offer} and {@link #settle}
 * once the loop has ended: they call back at once then.
 */
public final class Leases {
  private static final FailureLog FAILURES = new FailureLog();
  private static final int SPARE_MAX = 1024; // arbitrary: 40 KiB

  private Host host = new Host() {};
  private @Nullable Lease offered; // the innermost one
  private @Nullable Lease due; // the first of a list
  private @Nullable Lease lastDue;
  private @Nullable Lease spare; // the first of a list
  private int spareCount;
  private @Nullable KnownObjects<ByteBuffer> lasting; // created for the first lease
  private boolean scheduled; // run will be called
  private boolean running; // it is being called

  /** The loop that makes the calls; by default, none. */
  public interface Host {
    /** Returns true if the caller runs the loop. */
    default boolean isCurrent() {
      return true;
    }

    /** Has {@link #run} called soon, between the turns of connections; on the loop. */
    default void onDue() {}

    /** Has {@link #call} called soon, on the loop if possible; on any thread. */
    default void callSoon(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
      call(buffer, whenSent);
    }
  }

  /** Sets the loop, before it runs. */
  public void serveBy(Host loop) {
    host = loop;
  }

  // ---- while a buffer is passed on ----

  /**
   * Offers the lease of a buffer whose bytes are about to be passed to a queue. {@link #settle}
   * must follow, unless this throws; then the application has been called back.
   */
  public void offer(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    if (!host.isCurrent()) {
      callAtOnce(buffer, whenSent);
      return;
    }
    Lease lease;
    try {
      lease = newLease();
    } catch (Throwable noMemory) {
      callAtOnce(buffer, whenSent);
      throw noMemory;
    }
    lease.begin(buffer, whenSent);
    lease.outer = offered;
    offered = lease;
  }

  private Lease newLease() {
    Lease lease = spare;
    if (lease == null) {
      return new Lease(this);
    }
    spare = lease.next;
    spareCount--;
    lease.next = null;
    return lease;
  }

  /** Ends the lease that was offered last, unless a queue has taken it. */
  public void settle() {
    if (host.isCurrent()) {
      settleLast();
    }
  }

  private void settleLast() {
    Lease lease = offered;
    if (lease != null) {
      offered = lease.outer;
      lease.outer = null;
      if (!lease.isTaken()) {
        lease.release();
      }
    }
  }

  /**
   * Offers a buffer's lease while a step passes it on; only runs the step without a lease. A task
   * that calls this does nothing before, such as making the step, because it may fail.
   */
  public void pass(
      ByteBuffer buffer, @Nullable Consumer<? super ByteBuffer> whenSent, Runnable step) {
    if (whenSent == null) {
      step.run();
      return;
    }
    offer(buffer, whenSent);
    try {
      step.run();
    } finally {
      settle();
    }
  }

  /**
   * Checks like {@link BufferMemory#checkUsable} that a buffer on offer can be sent. Returns the
   * number of its remaining bytes.
   */
  public int check(ByteBuffer buffer) {
    if (!isLasting(buffer)) {
      BufferMemory.checkUsable(buffer);
    }
    return buffer.remaining();
  }

  /** Returns true if the memory of a buffer lives as long as the buffer. */
  public boolean isLasting(ByteBuffer buffer) {
    Lease lease = offered;
    if (lease == null || !lease.isOf(buffer) || !buffer.isDirect()) {
      return BufferMemory.isLasting(buffer);
    }
    KnownObjects<ByteBuffer> known = lasting;
    if (known == null) {
      known = new KnownObjects<>();
      lasting = known;
    }
    boolean isLasting = known.contains(buffer);
    if (!isLasting && BufferMemory.isLasting(buffer)) {
      known.add(buffer);
      isLasting = true;
    }
    return isLasting;
  }

  /**
   * Takes the lease of a buffer, for a queue that keeps its bytes and releases the lease once.
   * Returns null if the buffer isn't on offer. Doesn't allocate.
   */
  public @Nullable Releasable take(ByteBuffer buffer) {
    Lease lease = offered;
    return lease != null && lease.take(buffer) ? lease : null;
  }

  // ---- the end ----

  /** Ends a lease that wasn't offered; on any thread. */
  public void end(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    try {
      host.callSoon(buffer, whenSent);
    } catch (Throwable noMemory) {
      callAtOnce(buffer, whenSent);
    }
  }

  void addDue(Lease lease) {
    Lease last = lastDue;
    if (last == null) {
      due = lease;
    } else {
      last.next = lease;
    }
    lastDue = lease;
    schedule();
  }

  private void schedule() {
    if (scheduled) {
      return;
    }
    scheduled = true; // first: a loop that has ended calls run at once
    try {
      host.onDue();
    } catch (Throwable failure) {
      scheduled = false; // at the end of the stack: the next one tries again
      throw failure;
    }
  }

  /** Calls back for each lease that is due now; between the turns of connections. */
  public void run() {
    scheduled = false;
    if (running) {
      return; // the loop has ended, and an owner sends again: called back without a deeper stack
    }
    running = true;
    try {
      do {
        runDue();
      } while (due != null && !scheduled);
    } finally {
      running = false;
    }
  }

  private void runDue() {
    Lease lease = due;
    due = null;
    lastDue = null;
    while (lease != null) {
      Lease next = lease.next;
      lease.end();
      keep(lease);
      lease = next;
    }
  }

  private void keep(Lease ended) {
    ended.next = null;
    if (spareCount < SPARE_MAX) {
      ended.next = spare;
      spare = ended;
      spareCount++;
    }
  }

  /**
   * Ends leases that are still on offer, or due without a call ahead, because the stack had ended
   * at their settlement; between the turns of connections.
   */
  public void endLost() {
    while (offered != null) {
      settleLast();
    }
    if (due != null) {
      schedule();
    }
  }

  /**
   * Calls back on the calling thread, because no loop does: at once, or after the call that it is
   * made in. Throws nothing.
   */
  public static void callAtOnce(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    CallsAtOnce.make(buffer, whenSent);
  }

  /** Calls back. Throws nothing. */
  public static void call(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    try {
      whenSent.accept(buffer);
    } catch (Throwable failure) {
      FAILURES.add("a callback for sent content failed", failure);
    }
  }
}
