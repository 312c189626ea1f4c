package dev.peregrine.base;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of the server: the {@link Logger} named {@code dev.peregrine.server}. Callable from any
 * thread. A logger that throws (out of memory or descriptors) never affects the caller.
 */
public final class Log extends LogFrame {
  private static volatile @Nullable Logger logger;

  private Log() {}

  /**
   * Returns the logger, created for the first line: that loads some forty classes. Without a class
   * for it, so that a failure isn't final.
   */
  static Logger logger() {
    Logger present = logger;
    if (present == null) {
      present = System.getLogger("dev.peregrine.server");
      logger = present;
    }
    return present;
  }

  /** Has the log configure itself. Returns the class that implements it. */
  public static Class<?> prepare() {
    boolean ignored = logger().isLoggable(Level.INFO);
    return logger().getClass();
  }

  /** Returns true if lines of that level are written. */
  public static boolean isWritten(Level level) {
    return logger().isLoggable(level);
  }

  /** Logs a line. */
  public static void add(Level level, String line) {
    add(level, line, null);
  }

  /** Logs a failure with its stack. */
  public static void add(Level level, Incident incident, Throwable failure) {
    add(level, incident.toString(), failure);
  }

  /** Logs a line, with the stack of a failure if there is one. */
  public static void add(Level level, String line, @Nullable Throwable failure) {
    try {
      logger().log(level, line, failure);
    } catch (Throwable unwritable) {
      // The log is the last place where a failure can be reported.
    }
  }

  /** Logs like {@link #add(Level, String, Throwable)}. Returns false if the logger threw. */
  public static boolean tryAdd(Level level, String line, @Nullable Throwable failure) {
    try {
      logger().log(level, line, failure);
      return true;
    } catch (Throwable unwritable) {
      return false;
    }
  }
}
