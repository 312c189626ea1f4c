package dev.peregrine.testing.http2;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Bytes on the way between a test and a gateway. A bounded pipe blocks its writer while full. */
final class BytePipe {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  /** Bytes, and what is to be done when the last of them has been read. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece(byte[] bytes, int from, Runnable whenRead) {}

  private final Deque<Piece> pieces = new ArrayDeque<>();
  private final int bytesMax;
  private int bytes;
  private boolean ended;
  private boolean refused;
  private @Nullable String failure;

  BytePipe(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Adds bytes, which the pipe keeps. */
  void write(byte[] added, Runnable whenRead) throws IOException {
    synchronized (this) {
      while (bytes >= bytesMax && !refused) {
        await(Long.MAX_VALUE);
      }
      if (refused || ended) {
        throw new SocketException("the other end takes no more");
      }
      pieces.add(new Piece(added, 0, whenRead));
      bytes += added.length;
      notifyAll();
    }
  }

  /** Reads at least one byte; returns -1 at the end. */
  int read(byte[] target, int start, int length) throws IOException {
    Runnable whenRead = null;
    int count;
    synchronized (this) {
      if (length == 0) {
        return 0;
      }
      awaitBytes();
      Piece piece = pieces.poll();
      if (piece == null) {
        if (failure != null) {
          throw new SocketException(failure);
        }
        return -1;
      }
      count = Math.min(length, piece.bytes.length - piece.from);
      System.arraycopy(piece.bytes, piece.from, target, start, count);
      bytes -= count;
      if (piece.from + count < piece.bytes.length) {
        pieces.addFirst(new Piece(piece.bytes, piece.from + count, piece.whenRead));
      } else {
        whenRead = piece.whenRead;
      }
      notifyAll();
    }
    if (whenRead != null) {
      whenRead.run();
    }
    return count;
  }

  private void awaitBytes() throws IOException {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (pieces.isEmpty() && !ended) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException("no bytes for a long time");
      }
      await(left);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the callers have it in a loop
  private void await(long nanos) throws SocketException {
    try {
      wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new SocketException("interrupted");
    }
  }

  synchronized int available() {
    return bytes;
  }

  /** Returns true if the pipe has ended, and all of its bytes were read. */
  synchronized boolean isAtEnd() {
    return ended && pieces.isEmpty();
  }

  /** Ends the pipe after the bytes that are in it. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Ends the pipe with a failure after the bytes that are in it. */
  synchronized void fail(String reason) {
    if (!ended) {
      failure = reason;
      end();
    }
  }

  /** Drops all bytes, now and later; the writer gets an exception. */
  synchronized void refuse() {
    refused = true;
    pieces.clear();
    bytes = 0;
    end();
  }
}
