package dev.peregrine.testing;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class during which Netty memory became garbage without having been released.
 * Registered for all tests, before any of them touches Netty, so that its detector is the one in
 * use.
 */
public final class LeakGuard implements AfterAllCallback {
  private static final ConcurrentLinkedQueue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final int BUFFER_BYTES = 16;

  static {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    check();
  }

  /** Fails if memory has leaked up to now. The first call comes before Netty is touched. */
  public static void check() {
    if (ResourceLeakDetector.getLevel() != Level.PARANOID) {
      throw new AssertionError("leak detection is not PARANOID: run with the build's argLine");
    }
    List<String> leaks = collect();
    if (!leaks.isEmpty()) {
      throw new AssertionError("leaked: " + String.join("\n", leaks));
    }
  }

  /** Returns the leaks up to now; each is reported once. */
  static List<String> collect() {
    collectGarbage();
    // The detector looks for leaks when it begins to track another buffer.
    ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    allocator.directBuffer(BUFFER_BYTES).release();
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

  private static final class RecordingFactory extends ResourceLeakDetectorFactory {
    @Override
    @SuppressWarnings("deprecation") // abstract in the superclass
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new RecordingDetector<>(resource, samplingInterval);
    }
  }

  private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {
    RecordingDetector(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      LEAKS.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      LEAKS.add(resourceType);
    }
  }
}
