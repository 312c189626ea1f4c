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
  private final Semaphore wakeUps = new Semaphore(0);
  private final List<HeapSocket> sockets = new ArrayList<>();

  void add(HeapSocket socket) {
    sockets.add(socket);
  }

  @Override
  public void await(long timeoutNanos) {
    sockets.removeIf(socket -> !socket.isOpen());
    if (timeoutNanos > 0 && sockets.stream().noneMatch(HeapSocket::isReady)) {
      sleep(timeoutNanos);
    }
  }

  @Override
  public void notifyReady() {
    for (HeapSocket socket : List.copyOf(sockets)) {
      socket.dispatch();
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
  public void close() {
    sockets.clear();
  }
}
