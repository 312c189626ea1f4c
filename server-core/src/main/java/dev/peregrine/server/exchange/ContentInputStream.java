package dev.peregrine.server.exchange;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.server.memory.BufferPool;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands content from the event loop to one thread that blocks for it. The loop stops reading while
 * a bounded number of bytes wait here, in blocks of its memory. It takes these back at the latest
 * when the exchange ends.
 */
final class ContentInputStream extends InputStream implements BodyListener {
  private static final int WAITING_BYTES_MAX = 64 * 1024;

  private final RequestContent content;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final WaitingContent waiting; // this and all below: by the lock
  private boolean full;
  private boolean releasing; // a turn of the loop will release blocks
  private boolean ended;
  private boolean closed;
  private @Nullable IOException failure;

  ContentInputStream(RequestContent content, BufferPool pool) {
    this.content = content;
    this.waiting = new WaitingContent(pool);
  }

  @Override
  public void onData(Bytes data) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      add((ReceivedBytes) data);
      if (waiting.bytes() >= WAITING_BYTES_MAX) {
        full = true;
        content.pause();
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Adds bytes. If there is no memory for them, the reader must not wait for ever. */
  private void add(ReceivedBytes data) {
    try {
      waiting.add(data);
    } catch (Throwable thrown) {
      failure = new IOException("the content can't be held", thrown);
      changed.signal();
      throw thrown;
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
      int bytes = waiting.read(target, from, length);
      if (bytes == 0) {
        return -1;
      }
      if (waiting.bytes() <= WAITING_BYTES_MAX / 2) {
        resume();
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return waiting.bytes();
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
      waiting.drop();
      resume();
      releaseSpentBlocks();
    } finally {
      lock.unlock();
    }
  }

  /** Gives all blocks back, because the exchange ends; on the loop. */
  void releaseBlocks() {
    lock.lock();
    try {
      waiting.releaseAll();
    } finally {
      lock.unlock();
    }
  }

  private void await() throws IOException {
    while (waiting.bytes() == 0 && !ended) {
      if (closed) {
        throw new IOException("stream closed");
      }
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      releaseSpentBlocks();
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
    if (waiting.bytes() == 0) {
      releaseSpentBlocks();
    }
  }

  private void resume() {
    if (full) {
      full = false;
      content.resume();
    }
  }

  /** Lets the loop take blocks back that are of no use any more. */
  private void releaseSpentBlocks() {
    if (waiting.hasBlocksToRelease(ended || closed) && !releasing) {
      releasing = true;
      content.inTurn(this::release);
    }
  }

  private void release() {
    lock.lock();
    try {
      releasing = false;
      waiting.releaseSpent();
    } finally {
      lock.unlock();
    }
  }
}
