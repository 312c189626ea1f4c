package dev.peregrine.http;

import java.io.IOException;

/**
 * Takes what comes on a {@link RawConnection}, on the event loop. What a method throws is logged
 * and ends the connection.
 */
public interface RawListener {
  /**
   * The connection is the listener's; the response that switched to it has been written.
   *
   * @throws Exception ends the connection
   */
  default void onOpen(RawConnection connection) throws Exception {}

  /**
   * The next bytes, from the one right behind the request on.
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
   * The server has begun to shut down. It waits for {@link RawConnection#end} as long as its
   * patience lasts, then closes the connection.
   *
   * @throws Exception ends the connection
   */
  default void onShutdown(RawConnection connection) throws Exception {}

  /** The connection is closed; called once, whoever closed it and however. */
  default void onClose(IOException cause) {}
}
