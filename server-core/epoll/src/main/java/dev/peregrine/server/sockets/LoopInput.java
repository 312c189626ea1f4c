package dev.peregrine.server.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a socket receives. Thread-safe: one thread reads at a time. Not closed by itself:
 * the {@link java.net.Socket} closes.
 */
final class LoopInput extends InputStream {
  private static final String LATE = "Read timed out";

  /** Held by the thread that reads or connects. */
  final ReentrantLock lock = new ReentrantLock();

  private final Wire wire;
  private volatile int timeoutMillis;
  private volatile boolean shut;

  // Guarded by the lock.
  private boolean emptied; // by the last read
  private @Nullable IOException failure; // that the next read reports
  private boolean ended;

  /** The byte after those of the last read, if there was one. */
  private final byte[] beyond = new byte[1];

  private boolean isBeyond; // read by available without the lock

  LoopInput(Wire wire) {
    this.wire = wire;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  void timeoutMillis(int millis) {
    timeoutMillis = millis;
  }

  /** Ends the stream here. */
  void shutDown() throws IOException {
    wire.require();
    try {
      shut = true;
      wire.socket.shutdownInput();
      wire.reading.ready();
    } finally {
      wire.leave();
    }
  }

  @Override
  public int available() throws IOException {
    wire.require();
    try {
      if (shut) {
        return 0;
      }
      int inSystem = wire.socket.available();
      return isBeyond ? inSystem + 1 : inSystem;
    } finally {
      wire.leave();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    long deadline = Readiness.deadline(timeoutMillis);
    lock(deadline);
    try {
      if (ended) {
        return -1; // like the JDK, even if the socket is closed
      }
      int n = readLocked(target, offset, length, deadline);
      ended = n < 0;
      return n;
    } finally {
      lock.unlock();
    }
  }

  private void lock(long deadline) throws IOException {
    if (deadline == Readiness.FOREVER) {
      lock.lock();
      return;
    }
    boolean locked = lock.tryLock();
    boolean interrupted = false;
    while (!locked) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        break;
      }
      try {
        locked = lock.tryLock(left, TimeUnit.NANOSECONDS);
      } catch (InterruptedException later) {
        interrupted = true; // reported by the wait for bytes, as in the JDK
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!locked) {
      throw new SocketTimeoutException(LATE);
    }
  }

  private int readLocked(byte[] target, int offset, int length, long deadline) throws IOException {
    wire.require();
    try {
      if (isBeyond && !shut) {
        isBeyond = false;
        target[offset] = beyond[0];
        return 1 + readMore(target, offset + 1, length - 1);
      }
      IOException earlier = failure;
      if (earlier != null) {
        failure = null;
        throw earlier;
      }
      if (emptied && !shut) { // a call would find nothing, unless a report comes first
        emptied = false;
        wire.await(wire.reading, deadline, LATE);
      }
      int n = receive(target, offset, length);
      while (n == 0) {
        wire.await(wire.reading, deadline, LATE);
        n = receive(target, offset, length);
      }
      return n < 0 ? -1 : received(n, length);
    } finally {
      wire.leave();
    }
  }

  /**
   * Reads what there is at once, after a byte that was there: what fails does so at the next read.
   */
  private int readMore(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    emptied = false;
    try {
      int n = receive(target, offset, length);
      return n > 0 ? received(n, length) : 0;
    } catch (IOException later) {
      failure = later;
      return 0;
    }
  }

  private int received(int n, int length) {
    int most = Math.min(length, ClientSocket.BYTES_MAX);
    isBeyond = n > most;
    emptied = !isBeyond && !wire.readsShort;
    return Math.min(n, most);
  }

  private int receive(byte[] target, int offset, int length) throws IOException {
    wire.reading.clear();
    wire.requireOpen();
    if (shut) {
      return ClientSocket.END;
    }
    int n = 0;
    try {
      n = wire.socket.receive(target, offset, length, beyond);
      return n;
    } finally {
      if (n <= 0) {
        wire.requireOpen(); // the end may be that of our own close
      }
    }
  }
}
