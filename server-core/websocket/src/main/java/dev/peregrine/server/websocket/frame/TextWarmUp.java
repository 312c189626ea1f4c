package dev.peregrine.server.websocket.frame;

import dev.peregrine.base.WarmUpThread;
import dev.peregrine.parser.websocket.TextVectors;

/**
 * Gets the vectors for long text compiled, only when a client has sent such text. Until then text
 * is validated by words.
 */
public final class TextWarmUp {
  private static final WarmUpThread THREAD =
      new WarmUpThread("peregrine-text-warm-up", () -> TextVectors.warmUp(() -> false));

  private TextWarmUp() {}

  /** Starts the warm-up unless it was started before. Any thread may call this. */
  public static void start() {
    THREAD.start();
  }
}
