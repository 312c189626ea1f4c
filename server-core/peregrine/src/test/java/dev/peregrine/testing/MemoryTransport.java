package dev.peregrine.testing;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.JvmMemory;
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
  private final MemorySource memory;

  public MemoryTransport() {
    this(new JvmMemory());
  }

  MemoryTransport(MemorySource memory) {
    this.memory = memory;
  }

  @Override
  public MemorySource memory() {
    return memory;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Poller openPoller() {
    return new MemoryPoller();
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
    private final Semaphore wakeUps = new Semaphore(0);
    private final Deque<MemorySocket> sockets = new ArrayDeque<>();
    private boolean waited;
    private CountDownLatch idle = new CountDownLatch(0);

    void add(MemorySocket socket) {
      sockets.add(socket);
    }

    /** Counts the latch down when no event can happen any more; on the loop's thread. */
    public void whenIdle(CountDownLatch latch) {
      idle = latch;
    }

    @Override
    public void await(long timeoutNanos) {
      waited = timeoutNanos > 0;
      if (timeoutNanos > 0 && sockets.isEmpty()) {
        idle.countDown();
        sleep(timeoutNanos);
      }
    }

    @Override
    public void notifyReady() {
      if (!waited) {
        return;
      }
      MemorySocket first = sockets.peek();
      if (first != null && !first.advance()) {
        sockets.remove();
      }
    }

    private void sleep(long timeoutNanos) {
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
