package dev.peregrine.testing;

import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.memory.BufferPool;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class during which blocks of direct memory, or retained bytes, became garbage
 * without having been released. Registered for all tests. Reads the lines by which the server
 * reports that.
 */
public final class LeakGuard implements AfterAllCallback {
  private static final ConcurrentLinkedQueue<String> LEAKS = new ConcurrentLinkedQueue<>();

  // Referenced here, because the log manager doesn't keep its loggers.
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");

  static {
    LOGGER.addHandler(new LeakHandler());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    check();
  }

  /** Fails if memory has leaked up to now. */
  public static void check() {
    List<String> leaks = collect();
    if (!leaks.isEmpty()) {
      throw new AssertionError("leaked: " + String.join("\n", leaks));
    }
  }

  /** Returns the leaks up to now; each is reported once. */
  public static List<String> collect() {
    collectGarbage();
    Retainer.collectLost();
    try (BufferPool pool = new BufferPool()) { // pools look for lost blocks when they take memory
      pool.release(pool.acquire(BufferPool.BLOCK_BYTES_MIN));
    }
    List<String> found = List.copyOf(LEAKS);
    LEAKS.clear();
    return found;
  }

  /** Collects twice, because references are enqueued only after a collection. */
  private static void collectGarbage() {
    for (int i = 0; i < 2; i++) {
      ReferenceQueue<Object> queue = new ReferenceQueue<>();
      WeakReference<Object> marker = new WeakReference<>(new Object(), queue);
      Await.until(
          "garbage is collected",
          () -> {
            System.gc();
            return marker.refersTo(null) && queue.poll() != null;
          });
    }
  }

  private static final class LeakHandler extends Handler {
    @Override
    public void publish(LogRecord line) {
      String text = line.getMessage();
      if (text.startsWith("blocks of direct memory were lost")
          || text.startsWith("retained bytes were lost")) {
        LEAKS.add(text);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
