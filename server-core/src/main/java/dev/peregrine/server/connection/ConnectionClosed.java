package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;

/** Exceptions for callers that still use a connection when it is closed. */
public final class ConnectionClosed {
  @SuppressWarnings("StaticAssignmentOfThrowable") // created in advance for a full heap
  private static final IOException WITHOUT_MEMORY = new IOException("connection closed");

  private ConnectionClosed() {}

  /**
   * Returns an exception that names the reason. Never throws: if the heap is full, it returns an
   * exception that was created in advance, so that every waiting caller is notified.
   */
  public static IOException by(CloseReason reason) {
    try {
      return new IOException("connection closed: " + reason);
    } catch (OutOfMemoryError full) {
      return WITHOUT_MEMORY;
    }
  }
}
