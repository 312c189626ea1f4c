package dev.peregrine.server.exchange;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands content from the event loop to one thread that blocks for it. The loop stops reading while
 * a bounded number of bytes wait here.
 */
final class ContentInputStream extends InputStream implements BodyListener {
  private static final int WAITING_BYTES_MAX = 64 * 1024;
  private static final int PIECE_BYTES = 48; // memory of each beside its content, which may be tiny

  private final RequestContent content;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(); // this and all below: by the lock
  private int waitingBytes;
  private int taken; // bytes read from the first array
  private boolean full;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException failure;

  ContentInputStream(RequestContent content) {
    this.content = content;
  }

  @Override
  public void onData(Bytes data) {
    byte[] copy = data.toArray();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      waiting.add(copy);
      waitingBytes += copy.length;
      if (heldBytes() >= WAITING_BYTES_MAX) {
        full = true;
        content.pause();
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onEnd() {
    lock.lock();
    try {
      ended = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onError(IOException cause) {
    lock.lock();
    try {
      failure = cause;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      await();
      byte[] first = waiting.peek();
      if (first == null) {
        return -1;
      }
      int n = Math.min(length, first.length - taken);
      System.arraycopy(first, taken, target, from, n);
      take(n, first.length);
      return n;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return waitingBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Discards the rest of the content. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      waitingBytes = 0;
      resume();
    } finally {
      lock.unlock();
    }
  }

  private void await() throws IOException {
    while (waiting.isEmpty() && !ended) {
      if (closed) {
        throw new IOException("stream closed");
      }
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      try {
        changed.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", interrupted);
      }
    }
    if (closed) {
      throw new IOException("stream closed");
    }
  }

  private void take(int n, int of) {
    taken += n;
    waitingBytes -= n;
    if (taken == of) {
      waiting.remove();
      taken = 0;
    }
    if (heldBytes() <= WAITING_BYTES_MAX / 2) {
      resume();
    }
  }

  private int heldBytes() {
    return waitingBytes + waiting.size() * PIECE_BYTES;
  }

  private void resume() {
    if (full) {
      full = false;
      content.resume();
    }
  }
}
