package dev.peregrine.server.exchange.view;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.bytes.WaitingContent;
import dev.peregrine.server.exchange.message.BlockingReader;
import dev.peregrine.server.memory.BufferPool;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands content from the event loop to one thread that blocks for it. The loop stops reading while
 * a bounded number of bytes wait here, in blocks of its memory. It takes these back at the latest
 * when the exchange ends.
 *
 * <p>The reader learns of every failure, so no step that tells it allocates; one that has failed is
 * done again by the next call.
 */
public final class ContentInputStream extends InputStream implements BlockingReader {
  private static final int WAITING_BYTES_MAX = 64 * 1024;

  // A client that announces much costs at most this, or the bytes that it has sent times the
  // factor. What is allocated in vain is a sixteenth of the content.
  private static final int ANNOUNCED_BYTES_MAX = 64 * 1024;
  private static final int ANNOUNCED_FACTOR = 16;

  private static final int PART_BYTES = 16 * 1024; // as in the JDK's transferTo

  private final ExchangeBody content;
  private final byte[] one = new byte[1];
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final WaitingContent waiting; // this and all below, except for left: by the lock
  private boolean full;
  private boolean releasing; // a turn of the loop will release blocks
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;
  private long left; // of the declared length; -1 without one. The reader's

  /**
   * Creates a stream.
   *
   * @param length the declared length of the content; -1 if it has none
   */
  public ContentInputStream(ExchangeBody content, long length, BufferPool pool) {
    this.content = content;
    this.left = length;
    this.waiting = new WaitingContent(pool);
  }

  @Override
  public void onData(Bytes data) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      waiting.add((ReceivedBytes) data);
      if (waiting.bytes() >= WAITING_BYTES_MAX) {
        full = true;
        content.pause();
      }
    } catch (Throwable thrown) {
      failure = thrown;
      throw thrown;
    } finally {
      changed.signal();
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
      if (left >= 0) {
        left -= bytes;
      }
      if (waiting.bytes() <= WAITING_BYTES_MAX / 2) {
        resume();
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Allocates content with a declared length once, where the JDK collects it in parts first. */
  @Override
  public byte[] readNBytes(int length) throws IOException {
    if (left < 0 || length < 0) {
      return super.readNBytes(length);
    }
    int most = (int) Math.min(length, left);
    byte[] bytes = new byte[Math.min(most, ANNOUNCED_BYTES_MAX)];
    int count = readNBytes(bytes, 0, bytes.length);
    while (count == bytes.length && count < most) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(most, (long) count * ANNOUNCED_FACTOR));
      count += readNBytes(bytes, count, bytes.length - count);
    }
    if (most < length && read() >= 0) { // waits for the end, as the caller expects
      throw new IOException(
          "the content is longer than declared"); // the protocols don't pass it on
    }
    return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
  }

  @Override
  public long transferTo(OutputStream target) throws IOException {
    Objects.requireNonNull(target, "target");
    byte[] part = new byte[left < 0 ? PART_BYTES : Math.clamp(left, 1, PART_BYTES)];
    long sum = 0;
    for (int count = read(part); count >= 0; count = read(part)) {
      target.write(part, 0, count);
      sum += count;
    }
    return sum;
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

  @Override
  public void releaseBlocks() {
    lock.lock();
    try {
      waiting.releaseAll();
    } catch (Throwable thrown) {
      failure = thrown; // instead of an end before the dropped bytes
      ended = false;
    } finally {
      changed.signal();
      lock.unlock();
    }
  }

  private void await() throws IOException {
    while (waiting.bytes() == 0 && !ended) {
      if (closed) {
        throw new IOException("stream closed");
      }
      if (failure != null) {
        throw failed(failure);
      }
      resume(); // again, if it has failed before
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

  private static IOException failed(Throwable cause) {
    String text = cause instanceof IOException ? cause.getMessage() : "the content can't be held";
    return new IOException(text, cause);
  }

  private void resume() {
    if (full) {
      full = false; // before, because the loop may fill this at once
      try {
        content.resume();
      } catch (Throwable thrown) {
        full = true;
        throw thrown;
      }
    }
  }

  /** Lets the loop take blocks back that are of no use any more. */
  private void releaseSpentBlocks() {
    if (waiting.hasBlocksToRelease(ended || closed) && !releasing) {
      releasing = true; // before, because it may run at once
      try {
        content.inTurn(this::release);
      } catch (Throwable thrown) {
        releasing = false;
        throw thrown;
      }
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
