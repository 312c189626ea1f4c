package dev.peregrine.http;

import java.io.IOException;

/**
 * Receives the bytes of a {@link RawConnection}, on the event loop. An exception of a method is
 * logged and ends the connection.
 */
public interface RawListener {
  /**
   * The connection belongs to the listener now. The response that switched protocols has been
   * written.
   *
   * @throws Exception ends the connection
   */
  default void onOpen(RawConnection connection) throws Exception {}

  /**
   * The next bytes have arrived; the first one follows the request.
   *
   * @param data readable during this call only
   * @throws Exception ends the connection
   */
  void onData(RawConnection connection, Bytes data) throws Exception;

  /**
   * The client has ended its side. The other side stays open until {@link RawConnection#end}.
   *
   * @throws Exception ends the connection
   */
  void onEnd(RawConnection connection) throws Exception;

  /**
   * The server has begun to shut down. It waits for {@link RawConnection#end} within the time of
   * the shutdown, then closes the connection.
   *
   * @throws Exception ends the connection
   */
  default void onShutdown(RawConnection connection) throws Exception {}

  /** The connection is closed. Called once, for every way of closing it. */
  default void onClose(IOException cause) {}
}
