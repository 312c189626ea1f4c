package dev.peregrine.cli;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Runs an action at a signal. The only class that uses the JDK's unsupported API for that. */
final class OnSignal implements SignalHandler {
  private final Runnable action;

  private OnSignal(Runnable action) {
    this.action = action;
  }

  /**
   * Runs an action at each signal of a name from now on, on a thread of its own, unless this
   * process was started to ignore the signal (nohup). Does nothing where signals can't be handled:
   * with {@code -Xrs}, on Windows, and in a runtime without the module jdk.unsupported.
   */
  static void run(String name, Runnable action) {
    try {
      SignalHandler ignored = Signal.handle(new Signal(name), new OnSignal(action));
    } catch (IllegalArgumentException | LinkageError unavailable) {
      // The signal has the effect that it has by default.
    }
  }

  @Override
  public void handle(Signal signal) {
    action.run();
  }
}
