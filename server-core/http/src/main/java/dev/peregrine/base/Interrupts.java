package dev.peregrine.base;

/**
 * Keeps an interrupt of the current thread away from a file: each channel that an interrupted
 * thread uses is closed, so that a response would fail.
 *
 * <pre>{@code
 * boolean held = Interrupts.hold();
 * try {
 *   channel.read(target, position);
 * } finally {
 *   Interrupts.restore(held);
 * }
 * }</pre>
 */
public final class Interrupts {
  private Interrupts() {}

  /** Clears the thread's interrupt. Returns true if there was one. */
  public static boolean hold() {
    return Thread.interrupted();
  }

  /** Interrupts the thread again if there was an interrupt, which belongs to the application. */
  public static void restore(boolean held) {
    if (held) {
      Thread.currentThread().interrupt();
    }
  }
}
