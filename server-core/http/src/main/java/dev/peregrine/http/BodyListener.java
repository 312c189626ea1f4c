package dev.peregrine.http;

import java.io.IOException;

/** Takes the content of a request piece by piece, on the event loop. */
public interface BodyListener {
  /**
   * The next bytes have arrived.
   *
   * @param data readable during this call only
   * @throws Exception fails the exchange as if the handler had thrown it
   */
  void onData(Bytes data) throws Exception;

  /**
   * The content is complete.
   *
   * @throws Exception fails the exchange as if the handler had thrown it
   */
  void onEnd() throws Exception;

  /**
   * The content will never end: the client disconnected, the server has rejected the content, or
   * the response is complete.
   *
   * @param cause a {@link ContentRejectedException} if the content was rejected
   */
  default void onError(IOException cause) {}
}
