package dev.peregrine.testing;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Carries {@link MemorySocket}s: whenever the loop is idle, the first of them advances by a step.
 * So the events and their order are the same each time.
 */
public final class MemoryTransport implements Transport {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Poller openPoller(Runnable afterWait) {
    return new MemoryPoller(afterWait);
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
    throw new UnsupportedOperationException("connections are opened by the test");
  }

  @Override
  public Listener listen(
      UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog) {
    throw new UnsupportedOperationException();
  }

  /** The poller of one loop. */
  public static final class MemoryPoller implements Poller {
    private final Runnable afterWait;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Deque<MemorySocket> sockets = new ArrayDeque<>();
    private CountDownLatch idle = new CountDownLatch(0);

    MemoryPoller(Runnable afterWait) {
      this.afterWait = afterWait;
    }

    void add(MemorySocket socket) {
      sockets.add(socket);
    }

    /** Counts the latch down when no event can happen any more; on the loop's thread. */
    public void whenIdle(CountDownLatch latch) {
      idle = latch;
    }

    @Override
    public void poll(long timeoutNanos) {
      if (timeoutNanos > 0 && sockets.isEmpty()) {
        idle.countDown();
        await(timeoutNanos);
      }
      afterWait.run();
      if (timeoutNanos <= 0) {
        return;
      }
      MemorySocket first = sockets.peek();
      if (first != null && !first.advance()) {
        sockets.remove();
      }
    }

    private void await(long timeoutNanos) {
      try {
        if (timeoutNanos == FOREVER) {
          wakeUps.acquire();
        } else if (!wakeUps.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
          return;
        }
        wakeUps.drainPermits();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void wakeUp() {
      wakeUps.release();
    }

    @Override
    public void close() {}
  }
}
