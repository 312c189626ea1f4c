package dev.peregrine.server.loop;

import java.io.IOException;

/** Waits for sockets to become ready and tells their handlers. Belongs to one event loop. */
public interface Poller extends AutoCloseable {
  /** Waits without a bound until a socket is ready or {@link #wakeUp} is called. */
  long FOREVER = Long.MAX_VALUE;

  /** Called by the thread that polls from now on, and is the only one that uses its sockets. */
  default void confine() {}

  /**
   * Waits, runs what {@link Transport#openPoller} was given, then tells every ready socket's
   * handler once.
   *
   * @param timeoutNanos 0 doesn't wait; {@link #FOREVER} has no bound
   */
  void poll(long timeoutNanos) throws IOException;

  /** Ends the current or the next wait; callable from any thread. */
  void wakeUp();

  @Override
  void close() throws IOException;
}
