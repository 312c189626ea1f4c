package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;

/** The failure of what still uses a connection when it is closed. */
public final class ConnectionClosed {
  @SuppressWarnings("StaticAssignmentOfThrowable") // for when there is no memory for another one
  private static final IOException WITHOUT_MEMORY = new IOException("connection closed");

  private ConnectionClosed() {}

  /**
   * Returns an exception for that reason. Never null, and never throws: a caller that waits for the
   * connection is notified even where there is no memory for another exception.
   */
  public static IOException by(CloseReason reason) {
    try {
      return new IOException("connection closed: " + reason);
    } catch (OutOfMemoryError full) {
      return WITHOUT_MEMORY;
    }
  }
}
