package dev.peregrine.base;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of the server: the {@link Logger} named {@code dev.peregrine.server}. Callable from any
 * thread. A logger that throws (out of memory or descriptors) never affects the caller.
 */
public final class Log extends LogFrame {
  static final Logger LOGGER = System.getLogger("dev.peregrine.server");

  private Log() {}

  /** Has the log configure itself. Returns the class that implements it. */
  public static Class<?> prepare() {
    boolean ignored = LOGGER.isLoggable(Level.INFO);
    return LOGGER.getClass();
  }

  /** Returns true if lines of that level are written. */
  public static boolean isWritten(Level level) {
    return LOGGER.isLoggable(level);
  }

  /** Logs a line. */
  public static void add(Level level, String line) {
    boolean ignored = add(level, line, null);
  }

  /** Logs a failure with its stack. */
  public static void add(Level level, Incident incident, Throwable failure) {
    boolean ignored = add(level, incident.toString(), failure);
  }

  /**
   * Logs a line, with the stack of a failure if there is one. Returns false if the logger threw.
   */
  public static boolean add(Level level, String line, @Nullable Throwable failure) {
    try {
      LOGGER.log(level, line, failure);
      return true;
    } catch (Throwable unwritable) {
      return false; // the log is the last place where a failure can be reported
    }
  }
}
