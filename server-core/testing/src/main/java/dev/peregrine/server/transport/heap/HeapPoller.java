package dev.peregrine.server.transport.heap;

import dev.peregrine.server.transport.Poller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Notifies the handlers of {@link HeapSocket}s. Only the loop makes them ready, so it waits for
 * tasks alone.
 */
final class HeapPoller implements Poller {
  private final Runnable afterWait;
  private final Semaphore wakeUps = new Semaphore(0);
  private final List<HeapSocket> sockets = new ArrayList<>();

  HeapPoller(Runnable afterWait) {
    this.afterWait = afterWait;
  }

  void add(HeapSocket socket) {
    sockets.add(socket);
  }

  @Override
  public void poll(long timeoutNanos) {
    sockets.removeIf(socket -> !socket.isOpen());
    if (timeoutNanos > 0 && sockets.stream().noneMatch(HeapSocket::isReady)) {
      await(timeoutNanos);
    }
    afterWait.run();
    for (HeapSocket socket : List.copyOf(sockets)) {
      socket.dispatch();
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
  public void close() {
    sockets.clear();
  }
}
