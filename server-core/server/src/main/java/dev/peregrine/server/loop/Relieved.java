package dev.peregrine.server.loop;

/**
 * Thrown in a loop's thread whose handler has returned after another thread has relieved it: it
 * must leave all frames of the loop at once and touch nothing, because they are the other thread's.
 * So each {@code catch} of anything between a handler and the loop begins with {@link
 * EventLoop#contain}, which throws this again, and each {@code finally} asks whose the loop is.
 */
public final class Relieved extends Error {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack
  public static final Relieved INSTANCE = new Relieved();

  private Relieved() {
    super("another thread runs the event loop", null, false, false);
  }
}
