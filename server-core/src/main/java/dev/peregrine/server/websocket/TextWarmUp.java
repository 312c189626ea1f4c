package dev.peregrine.server.websocket;

import dev.peregrine.base.Log;
import dev.peregrine.parser.websocket.TextVectors;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gets the vectors for long text compiled on a separate thread, once per JVM, and only when a
 * client has sent such text. Until then text is validated by words.
 */
final class TextWarmUp {
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private TextWarmUp() {}

  /** Starts the warm-up unless it was started before. Any thread may call this. */
  static void start() {
    if (STARTED.compareAndSet(false, true)) {
      try {
        Thread.ofPlatform()
            .daemon()
            .name("peregrine-text-warm-up")
            .start(() -> TextVectors.warmUp(() -> false));
      } catch (OutOfMemoryError full) {
        Log.add(Level.INFO, "no thread to warm up vectors, so text is validated by words");
      }
    }
  }
}
