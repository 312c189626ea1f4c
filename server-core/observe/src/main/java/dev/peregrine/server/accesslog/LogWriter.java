package dev.peregrine.server.accesslog;

import dev.peregrine.base.Log;
import dev.peregrine.server.observe.LoopInfo;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of all event loops to the file, on a platform thread of its own: a disk that
 * blocks would otherwise block the carrier of virtual threads. The thread starts with the first
 * line. It wakes up twice a second, and when a loop's lines fill half of their ring.
 */
final class LogWriter {
  /** The bytes that are written by one call, at most; no line is longer. */
  static final int BATCH_BYTES = 64 * 1024;

  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FILE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LogFile file;
  private final int bytesMax;
  private final long closeNanos;
  private final Map<LoopInfo, LoopLines> loops = new ConcurrentHashMap<>();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicLong dropsReportedNanos = new AtomicLong(System.nanoTime() - REPORT_NANOS);
  private volatile boolean closed;
  private volatile boolean abandoned; // the close has waited long enough
  private volatile boolean reopens;
  private volatile @Nullable Thread thread; // written under this

  // The rest belongs to the thread.
  private final LineBatch batch = new LineBatch(BATCH_BYTES);
  private long checkedNanos = System.nanoTime() - FILE_CHECK_NANOS;
  private long failureReportedNanos = System.nanoTime() - REPORT_NANOS;
  private boolean failureReported; // and not its end
  private long missingReported; // lines, at the ends of failures

  /**
   * Creates a writer that doesn't run yet.
   *
   * @param file open
   * @param bytesMax of a ring
   * @param closeNanos how long the close waits for a file that blocks
   */
  LogWriter(LogFile file, int bytesMax, long closeNanos) {
    this.file = file;
    this.bytesMax = bytesMax;
    this.closeNanos = closeNanos;
  }

  // ---- for event loops ----

  /** Returns the lines of a loop; null before the first one. */
  @Nullable LoopLines linesOf(LoopInfo loop) {
    return loops.get(loop);
  }

  /** Writes the lines of one more loop. */
  synchronized void add(LoopLines lines) {
    if (closed) {
      return;
    }
    if (thread == null) {
      Thread started = Thread.ofPlatform().daemon().name("access-log").unstarted(this::run);
      started.start();
      thread = started;
    }
    loops.put(lines.loop, lines);
  }

  boolean isClosed() {
    return closed;
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /** Counts a line that had no room. The log has one line a minute at most for all loops. */
  void onDropped() {
    dropped.increment();
    long now = System.nanoTime();
    long reported = dropsReportedNanos.get();
    if (now - reported >= REPORT_NANOS && dropsReportedNanos.compareAndSet(reported, now)) {
      String reason =
          closed
              ? "it is closed: close it after its servers"
              : "more than bufferBytesMax (%d bytes for each event loop) would wait for the disk"
                  .formatted(bytesMax);
      Log.add(
          Level.WARNING,
          "access log %s: lines dropped so far: %d, because %s"
              .formatted(file.path(), dropped.sum(), reason));
    }
  }

  // ---- for any thread ----

  long dropped() {
    return dropped.sum();
  }

  long failures() {
    return failures.sum();
  }

  void reopen() {
    reopens = true;
    wake();
  }

  /** Has everything written that waits, and ends the thread. */
  void close() {
    Thread running;
    synchronized (this) {
      running = thread;
      if (!closed && running == null) {
        finish();
      }
      closed = true;
    }
    if (running != null) {
      wake();
      join(running);
    }
  }

  private void join(Thread running) {
    try {
      if (!running.join(Duration.ofNanos(closeNanos))) {
        abandon(running);
        boolean ignored = running.join(Duration.ofNanos(RETRY_NANOS));
      }
    } catch (InterruptedException interrupted) {
      abandon(running);
      Thread.currentThread().interrupt();
    }
  }

  private void abandon(Thread running) {
    abandoned = true;
    running.interrupt(); // closes the channel that blocks it
  }

  // ---- the thread ----

  private void run() {
    boolean ends;
    do {
      ends = closed;
      long pause = FLUSH_NANOS;
      try {
        writeAll();
        reportRecovery();
      } catch (Throwable failure) { // also a lack of memory
        pause = RETRY_NANOS;
        onFailure(failure);
      }
      if (!ends) {
        pause(pause);
      }
    } while (!ends && !abandoned);
    finish();
  }

  /** Waits; loops may wake the thread only if the file can be written. */
  private void pause(long nanos) {
    long start = System.nanoTime();
    do {
      if (closed) {
        return;
      }
      LockSupport.parkNanos(this, nanos);
    } while (nanos == RETRY_NANOS && System.nanoTime() - start < nanos);
  }

  private void writeAll() throws IOException {
    boolean more;
    do {
      more = false;
      checkFile();
      for (LoopLines lines : loops.values()) {
        more |= batch.addFrom(lines.ring);
      }
      loops.values().removeIf(LoopLines::isOver);
      batch.write(file);
    } while (more);
  }

  /** Follows a file that was renamed or removed. */
  private void checkFile() throws IOException {
    long now = System.nanoTime();
    boolean asked = reopens;
    if (asked || now - checkedNanos >= FILE_CHECK_NANOS) {
      checkedNanos = now;
      if (asked || !file.isCurrent()) {
        reopens = false;
        batch.completeLine(file);
        file.reopen();
      }
    }
  }

  private void onFailure(Throwable failure) {
    failures.increment();
    checkedNanos = System.nanoTime() - FILE_CHECK_NANOS;
    try {
      long now = System.nanoTime();
      if (now - failureReportedNanos >= REPORT_NANOS) {
        failureReportedNanos = now;
        failureReported =
            Log.tryAdd(
                Level.WARNING,
                "access log %s can't be written, retrying every second: %s. Lines wait in %d bytes"
                        .formatted(file.path(), failure, bytesMax)
                    + " for each event loop (bufferBytesMax), and are dropped beyond that",
                null);
      }
    } catch (Throwable unreported) {
      // The next failure may be reported.
    }
  }

  private void reportRecovery() {
    if (failureReported) {
      failureReported = false;
      long missing = dropped.sum() - missingReported;
      missingReported += missing;
      Log.add(
          missing == 0 ? Level.INFO : Level.WARNING,
          "access log %s is written again; lines missing: %d".formatted(file.path(), missing));
    }
  }

  /** Counts what could not be written, and closes the file. */
  private void finish() {
    long lost = batch.lines();
    for (LoopLines lines : loops.values()) {
      boolean more;
      do {
        batch.clear();
        more = batch.addFrom(lines.ring);
        lost += batch.lines();
      } while (more);
    }
    dropped.add(lost);
    long missing = dropped.sum();
    if (missing > 0) {
      Log.add(
          Level.WARNING,
          "access log %s was closed; lines missing: %d, among them the last %d"
              .formatted(file.path(), missing, lost));
    }
    try {
      file.close();
    } catch (IOException failure) {
      Log.add(Level.WARNING, "closing an access log failed", failure);
    }
  }
}
