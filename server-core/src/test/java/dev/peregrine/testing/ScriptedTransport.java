package dev.peregrine.testing;

import dev.peregrine.server.loop.Listener;
import dev.peregrine.server.loop.Poller;
import dev.peregrine.server.loop.Transport;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A transport without an operating system: sockets are ready when a test says so. */
public final class ScriptedTransport implements Transport {
  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public Poller openPoller(Runnable afterWait) {
    return new ScriptedPoller(afterWait);
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
    throw new UnsupportedOperationException("nothing listens here");
  }

  private static final class ScriptedPoller implements Poller {
    private final Runnable afterWait;
    private final Semaphore wakeUps = new Semaphore(0);

    ScriptedPoller(Runnable afterWait) {
      this.afterWait = afterWait;
    }

    @Override
    public void poll(long timeoutNanos) {
      try {
        if (timeoutNanos == FOREVER) {
          wakeUps.acquire();
        } else if (timeoutNanos > 0 && !wakeUps.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
          afterWait.run();
          return;
        }
        wakeUps.drainPermits();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
      afterWait.run();
    }

    @Override
    public void wakeUp() {
      wakeUps.release();
    }

    @Override
    public void close() {}
  }
}
