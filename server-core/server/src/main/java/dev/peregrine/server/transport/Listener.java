package dev.peregrine.server.transport;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket. Used by the thread of the loop it is attached to. */
public interface Listener extends AutoCloseable {
  /**
   * Registers with a loop's poller; the handler is notified when {@link #accept} has a connection.
   */
  void attach(Poller poller, ReadyHandler handler) throws IOException;

  /** Returns the next connection, not yet attached to a loop; null if none is waiting. */
  @Nullable StreamSocket accept() throws IOException;

  /** Stops or resumes notifications about waiting connections. */
  void listening(boolean on);

  /**
   * Begins the end of listening. The system completes the handshakes that are under way and begins
   * no new ones, if the transport can arrange that. {@link #accept} still returns every connection
   * that was completed. To be called once, before {@link #close}.
   *
   * @return nanoseconds to wait for the handshakes under way before the last {@link #accept}; at
   *     least one poll has to lie between
   */
  long stopListening();

  /** Returns the bound address; callable from any thread. */
  SocketAddress localAddress();

  /**
   * Sets whether another process listens on the same socket. Then {@link #close} leaves the socket,
   * the connections that wait in it, and the file of a Unix domain socket to that process, and
   * {@link #stopListening} must not be called. Callable from any thread.
   */
  default void setShared(boolean on) {
    throw new UnsupportedOperationException("the socket can't be shared");
  }

  /** Returns true if another process listens on the same socket; callable from any thread. */
  default boolean isShared() {
    return false;
  }

  /** Returns the descriptor of the socket; -1 if it is closed or the transport uses none. */
  default int descriptor() {
    return -1;
  }

  /**
   * Closes the socket. The system resets completed connections that were not accepted, unless the
   * socket is shared.
   */
  @Override
  void close() throws IOException;
}
