package dev.peregrine.server.sockets;

import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A socket and the waits for it. At most one loop watches it, the one in which a thread has waited
 * last. Doesn't know the {@link java.net.Socket}, which may be forgotten without a close.
 * Thread-safe.
 */
final class Wire implements Runnable {
  private static final long NAP_MILLIS = 1; // between two looks, without a loop

  final ClientSocket socket;
  final Readiness reading = new Readiness();
  final Readiness writing = new Readiness();

  private final Descriptor descriptor = new Descriptor();
  private final AtomicReference<@Nullable LoopWatch> watch = new AtomicReference<>();
  private volatile @Nullable Throwable watchFailure; // of the last watch

  /** True if a read that brings less than it may doesn't mean that the socket is empty. */
  volatile boolean readsShort;

  /** True if the system's close waits for the peer, because an option says so. */
  volatile boolean lingers;

  private volatile @Nullable CountDownLatch lingering; // until the close that waits has ended

  Wire(ClientSocket socket) {
    this.socket = socket;
  }

  /** Returns true if the socket can be used until {@link #leave}, which must follow. */
  boolean enter() {
    return descriptor.enter();
  }

  void leave() {
    if (!descriptor.leave()) {
      return;
    }
    if (lingers) {
      closeElsewhere();
    } else {
      socket.close();
    }
  }

  /** Closes on another thread, because this one may be that of a loop, and the close waits. */
  private void closeElsewhere() {
    CountDownLatch closed = new CountDownLatch(1);
    lingering = closed;
    Thread thread =
        Thread.ofPlatform().daemon().name("peregrine-linger").unstarted(() -> linger(closed));
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) {
      socket.close();
      closed.countDown();
    }
  }

  private void linger(CountDownLatch closed) {
    try {
      while (socket.isWatched()) { // its loop has the task to end that
        Thread.sleep(NAP_MILLIS);
      }
    } catch (InterruptedException atOnce) {
      Thread.currentThread().interrupt();
    } finally {
      socket.close();
      closed.countDown();
    }
  }

  /** Returns when a close that waits for the peer has ended, or the thread is interrupted. */
  void awaitLinger() {
    CountDownLatch closed = lingering;
    if (closed != null) {
      try {
        closed.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Enters.
   *
   * @throws SocketException if the socket is closed
   */
  void require() throws SocketException {
    if (!enter()) {
      throw SocketFailures.closed();
    }
  }

  /**
   * Checks between calls that the socket isn't closed; see {@link #require}.
   *
   * @throws SocketException if it is
   */
  void requireOpen() throws SocketException {
    if (descriptor.isClosing()) {
      throw SocketFailures.closed();
    }
  }

  /** Ends all calls and waits, and closes the socket when the last of them has ended. */
  void close() {
    if (!descriptor.beginClose()) {
      return;
    }
    try {
      reading.close();
      writing.close();
      if (descriptor.isShared()) {
        socket.endPolls();
      }
      LoopWatch last = watch.get();
      if (last != null) {
        last.submitEnd();
      }
    } finally {
      leave();
    }
  }

  /** Closes the socket; for a cleaner. */
  @Override
  public void run() {
    close();
  }

  /**
   * Waits until a direction may be ready, or the socket is closed; may return without a reason. The
   * caller has entered.
   *
   * @param deadline as {@link Readiness#deadline} returned it, or {@link Readiness#FOREVER}
   * @param late the text if the time is over
   * @throws SocketTimeoutException if the time is over
   * @throws InterruptedIOException if the thread is a virtual one, and interrupted
   */
  void await(Readiness direction, long deadline, String late) throws IOException {
    long left = deadline == Readiness.FOREVER ? -1 : deadline - System.nanoTime();
    if (deadline != Readiness.FOREVER && left <= 0) {
      throw new SocketTimeoutException(late);
    }
    Thread thread = Thread.currentThread();
    if (!thread.isVirtual() && socket.polls()) {
      socket.poll(isReading(direction), left);
      return;
    }
    LoopWatch present = watch.get();
    EventLoop loop = socket.loops().choose(thread, present == null ? null : present.loop, this);
    if (loop == null) {
      nap(direction);
    } else if (direction.await(thread, deadline)) {
      awaitIn(loop, direction, thread, deadline);
    }
  }

  private void awaitIn(EventLoop loop, Readiness direction, Thread thread, long deadline)
      throws IOException {
    boolean interrupted = false;
    try {
      LoopWatch watching = watchIn(loop); // after the state: a loop that ends releases who waits
      watching.report(direction);
      if (deadline != Readiness.FOREVER) {
        watching.bound(direction, deadline);
      }
      while (direction.isAwaitedBy(thread)) {
        LockSupport.park(this);
        if (thread.isInterrupted()) {
          requireNoInterrupt(thread);
          interrupted |= Thread.interrupted(); // otherwise the thread would not park again
        }
      }
    } finally {
      direction.giveUp(thread);
      if (interrupted) {
        thread.interrupt();
      }
    }
    Throwable failure = watchFailure;
    if (failure != null) {
      throw new IOException("an event loop can't watch the socket: " + failure, failure);
    }
  }

  /** Has a loop watch the socket from now on, if none other begins that at the same time. */
  @SuppressWarnings("ReferenceEquality") // loops are compared by identity
  private LoopWatch watchIn(EventLoop loop) {
    LoopWatch present = watch.get();
    if (present != null && present.loop == loop) {
      return present;
    }
    LoopWatch next = new LoopWatch(loop, this);
    LoopWatch winner = watch.compareAndExchange(present, next);
    if (winner != present) {
      return winner != null ? winner : watchIn(loop);
    }
    watchFailure = null;
    try {
      next.submitBegin();
    } catch (Throwable noMemory) {
      forget(next);
      throw noMemory;
    }
    if (present != null) {
      present.submitEnd();
    }
    return next;
  }

  /** A watch doesn't report any more: those who rely on it look for another one. */
  void forget(LoopWatch ended) {
    if (watch.compareAndSet(ended, null)) {
      reading.release();
      writing.release();
    }
  }

  /** A watch could not begin: those who rely on it fail. */
  void fail(LoopWatch failed, Throwable failure) {
    watchFailure = failure;
    forget(failed);
  }

  /** Fails if the thread is a virtual one: an interrupt doesn't end the wait of others. */
  private static void requireNoInterrupt(Thread interrupted) throws InterruptedIOException {
    if (interrupted.isVirtual()) {
      throw new InterruptedIOException();
    }
  }

  /** Waits without a loop, on a thread that can't wait in the system. */
  private void nap(Readiness direction) throws IOException {
    if ((socket.polls() && socket.isReady(isReading(direction))) || direction.isClosed()) {
      return;
    }
    Thread thread = Thread.currentThread();
    boolean interrupted = !thread.isVirtual() && Thread.interrupted();
    try {
      Thread.sleep(NAP_MILLIS);
    } catch (InterruptedException later) {
      thread.interrupt();
      requireNoInterrupt(thread);
    } finally {
      if (interrupted) {
        thread.interrupt();
      }
    }
  }

  private boolean isReading(Readiness direction) {
    return direction.equals(reading);
  }
}
