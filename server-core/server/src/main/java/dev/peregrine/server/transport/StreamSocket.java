package dev.peregrine.server.transport;

import dev.peregrine.server.memory.OutboundChannel;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/** A connected, non-blocking socket. Used by the thread of the loop it is attached to. */
public interface StreamSocket extends SocketFacts, OutboundChannel, ReadableByteChannel {
  /** A number of bytes that the transport doesn't know. */
  long UNKNOWN = -1;

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
