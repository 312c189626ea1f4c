package dev.peregrine.server.memory;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that other threads have handed to the event loop and that it couldn't pass on
 * yet. Above a bound, those threads wait, or {@link #isOpen} returns false.
 */
public final class WriteGate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final long bytesMax;
  private long bytes; // this and all below: by the lock
  private @Nullable IOException failure;

  public WriteGate(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public void add(long count) {
    lock.lock();
    try {
      bytes += count;
    } finally {
      lock.unlock();
    }
  }

  public void passed(long count) {
    lock.lock();
    try {
      bytes -= count;
      if (bytes <= bytesMax / 2) { // not for every piece: a woken thread gets room for much
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  public void fail(IOException cause) {
    lock.lock();
    try {
      failure = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean isOpen() {
    lock.lock();
    try {
      return bytes < bytesMax;
    } finally {
      lock.unlock();
    }
  }

  /** Waits, if it is full, until half of it is free. */
  public void await() throws IOException {
    lock.lock();
    try {
      while (failure == null && bytes >= bytesMax) {
        changed.await();
      }
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      lock.unlock();
    }
  }
}
