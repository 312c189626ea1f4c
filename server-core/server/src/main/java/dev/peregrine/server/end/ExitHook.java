package dev.peregrine.server.end;

import dev.peregrine.base.Log;
import dev.peregrine.base.TimeText;
import dev.peregrine.server.observe.DrainResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Drains a server when the JVM exits. Thread-safe. */
public final class ExitHook {
  private final String threadName;
  private final ServerEnd end;
  private boolean removed; // this and all below: guarded by this
  private @Nullable Thread registered;

  /** A hook that isn't registered yet. */
  public ExitHook(String threadName, ServerEnd end) {
    this.threadName = threadName;
    this.end = end;
  }

  /** Registers the hook, in place of the one before; not once it was removed. */
  public synchronized void register(Duration lameDuck, Duration patience) {
    Thread hook = Thread.ofPlatform().name(threadName).unstarted(() -> drain(lameDuck, patience));
    unregister();
    if (!removed) {
      Runtime.getRuntime().addShutdownHook(hook);
      registered = hook;
    }
  }

  private void drain(Duration lameDuck, Duration patience) {
    Log.add(
        Level.INFO,
        "the JVM exits: draining, accepting connections for another %s, then waiting up to %s"
            .formatted(TimeText.of(lameDuck), TimeText.of(patience)));
    end.forsakeExitingLoops();
    DrainResult ignored = end.drain(lameDuck, patience);
  }

  public synchronized boolean isRegistered() {
    return registered != null;
  }

  /** The server is closed. */
  public synchronized void remove() {
    removed = true;
    unregister();
  }

  private synchronized void unregister() {
    Thread hook = registered;
    registered = null;
    if (hook == null) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException exiting) {
      // it runs, and finds the server closed
    }
  }
}
