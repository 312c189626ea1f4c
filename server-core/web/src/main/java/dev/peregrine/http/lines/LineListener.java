package dev.peregrine.http.lines;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import java.io.IOException;

/**
 * Takes the lines of a request's content as they arrive, on the event loop; see {@link LineFlow}.
 * An exception fails the exchange as if the handler had thrown it, and is the last call.
 */
public interface LineListener {
  /**
   * A line has arrived.
   *
   * @param line without its end, readable during this call only
   */
  void onLine(Bytes line) throws Exception;

  /** All lines have arrived. */
  void onEnd() throws Exception;

  /**
   * The content will never be complete: the client disconnected, the content was rejected, as for a
   * line that is too long, or the response is complete. Not called after another method has thrown.
   *
   * @param cause a {@link ContentRejectedException} if the content was rejected
   */
  default void onError(IOException cause) {}
}
