package dev.peregrine.server.transport;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.server.memory.OutboundChannel;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/** A connected, non-blocking socket. Used by the thread of the loop it is attached to. */
public interface StreamSocket extends OutboundChannel, ReadableByteChannel {
  /** A number of bytes that the transport doesn't know. */
  long UNKNOWN = -1;

  /** The address of every client of a Unix domain socket. */
  SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  /** Registers with a loop's poller; interested in nothing yet. */
  void attach(Poller poller, ReadyHandler handler) throws IOException;

  /**
   * Sets the events that the handler is notified of.
   *
   * @param ops bits of {@link Ready}
   */
  void interest(int ops);

  /** Does what follows a notification of the handler, whose thread was relieved meanwhile. */
  default void endNotification() {}

  /**
   * Returns true if bytes wait for room in the system, here or at the handler, and nothing will
   * tell that there is some: only a fault of the server can cause that. Not in a notification.
   * False by default.
   *
   * @param waits whether bytes of the handler wait
   */
  default boolean isWriteForgotten(boolean waits) {
    return false;
  }

  /** Sends the end of the stream; reading continues. */
  void shutdownOutput() throws IOException;

  /**
   * Returns how many bytes the peer's system has acknowledged since the connection began, or {@link
   * #UNKNOWN}.
   */
  default long acknowledgedBytes() {
    return UNKNOWN;
  }

  /**
   * Returns how many bytes were written that the peer's system has not acknowledged, or {@link
   * #UNKNOWN}. The end of the stream counts as a byte.
   */
  default long unacknowledgedBytes() {
    return UNKNOWN;
  }

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  SocketAddress localAddress() throws IOException;

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  SocketAddress remoteAddress() throws IOException;

  /**
   * Returns the address of the other end: the client, or the proxy that has reported a client's
   * address. On the loop's thread, or after {@link #keepAddresses} on any.
   */
  default SocketAddress peerAddress() throws IOException {
    return remoteAddress();
  }

  /**
   * Returns the facts that a proxy has reported by the PROXY protocol, or null. On the loop's
   * thread, or after {@link #keepAddresses} on any.
   */
  default @Nullable ProxyInfo proxy() {
    return null;
  }

  /**
   * Makes the addresses known to any thread from now on, even after the close. By default they are.
   */
  default void keepAddresses() {}

  /**
   * Returns the result of the TLS handshake, or null on plain text. On the loop's thread, or after
   * {@link #keepAddresses} on any.
   */
  default @Nullable TlsInfo tls() {
    return null;
  }

  /**
   * Returns true if the client's connection is secured: by TLS, here or in front of a proxy that is
   * trusted. On the loop's thread, or after {@link #keepAddresses} on any.
   */
  default boolean isSecure() {
    return tls() != null;
  }

  /** Returns true if {@link #servesHost} depends on the host. */
  default boolean restrictsHosts() {
    return false;
  }

  /**
   * Returns true if requests for a host may be sent on this connection: by default all. Only on the
   * loop's thread.
   *
   * @param host a name in lower case; null for none
   */
  default boolean servesHost(@Nullable String host) {
    return true;
  }

  /**
   * Returns true if a client has begun a handshake that isn't complete, so that no content can be
   * received yet.
   */
  default boolean isOpening() {
    return false;
  }

  /**
   * Returns true if a handshake isn't complete and its client has had its time. False by default.
   *
   * @param nanos since the connection was opened, by the time that clients are judged by
   */
  default boolean isOverdue(long nanos) {
    return false;
  }

  /**
   * Ends a handshake if {@link #isOverdue}: throws the exception that every later read throws.
   *
   * @param nanos since the connection was opened, by the time that clients are judged by
   */
  default void expire(long nanos) throws IOException {}

  /**
   * Closes so that the peer sees a reset; bytes not yet sent are dropped. A Unix domain socket
   * knows no reset: its peer sees the end of the stream.
   */
  void reset() throws IOException;
}
