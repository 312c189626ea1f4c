package dev.peregrine.jdk.httpserver;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection that has left HTTP, as two blocking streams. The event loop stops reading while 64
 * KiB wait here, and a writer waits while too much is unsent.
 */
final class RawStreams implements RawListener {
  private static final int WAITING_BYTES_MAX = 64 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>(); // this and all below: by the lock
  private int from; // the first unread byte of the first piece
  private int waiting; // bytes
  private boolean paused;
  private boolean ended; // the client's side
  private boolean inputClosed; // by the program
  private boolean ending; // the program's side, maybe before the connection is open
  private boolean aborted; // likewise
  private @Nullable RawConnection connection;
  private @Nullable IOException failure;

  InputStream input() {
    return new Input();
  }

  OutputStream output() {
    return new Output();
  }

  // ---- the event loop's side ----

  @Override
  public void onOpen(RawConnection opened) {
    change(
        () -> {
          connection = opened;
          if (aborted) {
            opened.abort();
          } else if (ending) {
            opened.end();
          }
        });
  }

  @Override
  public void onData(RawConnection source, Bytes data) {
    byte[] piece = data.toArray();
    change(
        () -> {
          pieces.add(piece);
          waiting += piece.length;
          if (waiting >= WAITING_BYTES_MAX && !paused) {
            paused = true;
            source.pause();
          }
        });
  }

  @Override
  public void onEnd(RawConnection source) {
    change(() -> ended = true);
  }

  @Override
  public void onClose(IOException cause) {
    change(() -> failure = cause);
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- the program's side ----

  @SuppressWarnings("WaitNotInLoop") // the callers loop
  private void await() throws IOException {
    try {
      changed.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private int read(byte[] target, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (pieces.isEmpty()) {
        if (inputClosed) {
          throw new IOException("Stream is closed");
        }
        if (ended) {
          return -1;
        }
        throwFailure();
        await();
      }
      byte[] first = pieces.getFirst();
      int count = Math.min(length, first.length - from);
      System.arraycopy(first, from, target, offset, count);
      pass(first, count);
      return count;
    } finally {
      lock.unlock();
    }
  }

  private void pass(byte[] first, int count) {
    from += count;
    waiting -= count;
    if (from == first.length) {
      pieces.removeFirst();
      from = 0;
    }
    if (paused && waiting <= WAITING_BYTES_MAX / 2) {
      paused = false;
      Objects.requireNonNull(connection).resume();
    }
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  /** Returns the connection once it is open and takes bytes. */
  private RawConnection awaitWritable() throws IOException {
    lock.lock();
    try {
      while (true) {
        throwFailure();
        RawConnection open = connection;
        if (open != null && open.isWritable()) {
          return open;
        }
        if (open != null) {
          open.onWritable(() -> change(() -> {}));
        }
        await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    change(
        () -> {
          ending = true;
          if (connection != null && failure == null) {
            connection.end();
          }
        });
  }

  /** Closes the connection at once: the client sees that something is missing. */
  void abort() {
    change(
        () -> {
          aborted = true;
          if (connection != null && failure == null) {
            connection.abort();
          }
        });
  }

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      return length == 0 ? 0 : RawStreams.this.read(target, offset, length);
    }

    @Override
    public int available() {
      lock.lock();
      try {
        return waiting;
      } finally {
        lock.unlock();
      }
    }

    /** Wakes a thread that reads. */
    @Override
    public void close() {
      change(() -> inputClosed = true);
    }
  }

  /** Gathers bytes until a flush, as the streams of other connections do. */
  private final class Output extends OutputStream {
    private static final int GATHERED_BYTES_MAX = 8 * 1024;
    private static final int PIECE_BYTES_MAX = 64 * 1024;

    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();

    @Override
    public void write(int b) throws IOException {
      gathered.write(b);
      flushIfFull();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      if (length >= GATHERED_BYTES_MAX) {
        flush();
        for (int at = 0; at < length; at += Math.min(length - at, PIECE_BYTES_MAX)) {
          int from = offset + at;
          int to = from + Math.min(length - at, PIECE_BYTES_MAX);
          awaitWritable().write(Arrays.copyOfRange(source, from, to));
        }
      } else {
        gathered.write(source, offset, length);
        flushIfFull();
      }
    }

    private void flushIfFull() throws IOException {
      if (gathered.size() >= GATHERED_BYTES_MAX) {
        flush();
      }
    }

    @Override
    public void flush() throws IOException {
      if (gathered.size() > 0) {
        byte[] piece = gathered.toByteArray();
        gathered.reset();
        awaitWritable().write(piece);
      }
    }

    @Override
    public void close() throws IOException {
      flush();
      end();
    }
  }
}
