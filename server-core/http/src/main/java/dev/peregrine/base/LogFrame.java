package dev.peregrine.base;

import java.lang.System.Logger;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A class that passes lines on to the log. {@code java.util.logging} prints the class and the
 * method that a line comes from. It finds them on the stack, where it skips every {@link Logger}.
 * So a class that extends this one is never printed in place of its caller.
 */
public abstract class LogFrame implements Logger {
  protected LogFrame() {}

  @Override
  public final String getName() {
    return Log.logger().getName();
  }

  @Override
  public final boolean isLoggable(Level level) {
    return Log.logger().isLoggable(level);
  }

  @Override
  public final void log(
      Level level, @Nullable ResourceBundle texts, String line, @Nullable Throwable failure) {
    Log.logger().log(level, texts, line, failure);
  }

  @Override
  public final void log(
      Level level, @Nullable ResourceBundle texts, String format, @Nullable Object... values) {
    Log.logger().log(level, texts, format, values);
  }
}
