package dev.peregrine.server.observe;

import dev.peregrine.tls.TlsInfo;
import java.time.Duration;

/**
 * Observes the connections of a server; see {@code HttpServerBuilder.connectionListener}.
 *
 * <p>Called on the connection's event loop, so that it must not block, and by several loops at a
 * time. An exception of it is logged and has no other effect.
 */
public interface ConnectionListener {
  /** A connection was opened. */
  default void onOpen(ConnectionInfo connection) {}

  /**
   * The TLS handshake of a connection is complete.
   *
   * @param tls what was agreed on; may be kept
   * @param time from the accept on
   */
  default void onHandshake(ConnectionInfo connection, TlsInfo tls, Duration time) {}

  /** The TLS handshake of a connection failed; its close follows. */
  default void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {}

  /**
   * A connection was closed: once for each one that was opened, after the end of its exchanges.
   *
   * @param nanos the {@link System#nanoTime} of the close
   */
  default void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {}
}
