package dev.peregrine.server.tunnel;

import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;

/** Exceptions for callers that still use a connection, or its stream, when that is closed. */
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
      boolean byClient = reason == CloseReason.CLIENT_CLOSED || reason == CloseReason.CLIENT_RESET;
      return new IOException((byClient ? "closed by the client: " : "closed: ") + reason);
    } catch (Throwable full) { // also what the first use of a class or call site throws then
      return WITHOUT_MEMORY;
    }
  }
}
