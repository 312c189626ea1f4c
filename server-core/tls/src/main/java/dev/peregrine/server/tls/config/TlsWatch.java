package dev.peregrine.server.tls.config;

import dev.peregrine.base.Log;
import dev.peregrine.base.Sha256;
import dev.peregrine.server.tls.layer.TlsContexts;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reloads a {@code Tls} when the content of its files has changed, while servers use it. A virtual
 * thread reads the files at intervals and compares their hash. This sees every way to change them:
 * rewritten and renamed files, and symbolic links that are swapped at any level of the path.
 */
public final class TlsWatch implements TlsContexts.Use {
  private final long intervalNanos;
  private final List<Path> files;
  private final BooleanSupplier isDue;
  private final Supplier<@Nullable String> reload;
  private @Nullable Run run; // while servers use the files; guarded by this

  /**
   * Creates a watch that doesn't run.
   *
   * @param isDue returns true if the files must be loaded again though they haven't changed
   * @param reload loads the files; returns the problem of files that can't be used, otherwise null
   */
  public TlsWatch(
      Duration interval,
      List<Path> files,
      BooleanSupplier isDue,
      Supplier<@Nullable String> reload) {
    this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
    this.files = List.copyOf(files);
    this.isDue = isDue;
    this.reload = reload;
  }

  /** Starts the thread. */
  @Override
  public synchronized void begin() {
    Run begun = new Run();
    begun.thread.start();
    run = begun;
  }

  /** Ends the thread, once a reload under way is complete. Doesn't wait for that. */
  @Override
  public synchronized void end() {
    Run ended = run;
    run = null;
    if (ended != null) {
      ended.end.countDown();
    }
  }

  /** Returns the thread while it is wanted; for tests. */
  public synchronized @Nullable Thread thread() {
    return run == null ? null : run.thread;
  }

  private final class Run {
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("tls-watch").unstarted(this::watch);
    private String seen = ""; // the hash of the files that were loaded last; empty if they failed
    private String reported = ""; // the problem in the log

    private void watch() {
      try {
        while (!end.await(intervalNanos, TimeUnit.NANOSECONDS)) {
          check();
        }
      } catch (InterruptedException impossible) { // no other code knows the thread
        Thread.currentThread().interrupt();
      }
    }

    /** Loads changed files. Files that could not be used are tried again each time. */
    private void check() {
      try {
        String now = hash();
        if (!now.equals(seen) || isDue.getAsBoolean()) {
          String problem = reload.get();
          seen = problem == null ? now : "";
          report(problem == null ? "" : problem);
        }
      } catch (Throwable failure) { // most likely no memory: the next check may succeed
        try {
          report(failure.toString());
        } catch (Throwable unreported) {
          // The next check tries again.
        }
      }
    }

    private void report(String problem) {
      if (!problem.equals(reported)) {
        reported = problem;
        if (!problem.isEmpty()) {
          Log.add(Level.WARNING, problem);
        }
      }
    }
  }

  /** Returns a hash of the content of all files. A file that can't be read counts as well. */
  private String hash() {
    MessageDigest digest = Sha256.digest();
    for (Path file : files) {
      try {
        byte[] content = Files.readAllBytes(file);
        digest.update(Integer.toString(content.length).getBytes(StandardCharsets.US_ASCII));
        digest.update((byte) ' ');
        digest.update(content);
      } catch (IOException unreadable) {
        digest.update((byte) '-');
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
