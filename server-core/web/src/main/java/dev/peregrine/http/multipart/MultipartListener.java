package dev.peregrine.http.multipart;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentRejectedException;
import java.io.IOException;

/**
 * Takes the parts of a form as they arrive, on the event loop; see {@link MultipartFlow}. An
 * exception fails the exchange as if the handler had thrown it, and is the last call.
 */
public interface MultipartListener {
  /** A part begins. */
  void onPart(PartHead part) throws Exception;

  /**
   * The next bytes of the part have arrived. A part without content has no such call.
   *
   * @param data readable during this call only
   */
  void onData(Bytes data) throws Exception;

  /** The part is complete. */
  void onPartEnd() throws Exception;

  /** All parts have arrived, and the content was valid to its end. */
  void onEnd() throws Exception;

  /**
   * The form will never be complete: the client disconnected, the content was rejected, or the
   * response is complete. Not called after another method has thrown.
   *
   * @param cause a {@link ContentRejectedException} if the content was rejected
   */
  default void onError(IOException cause) {}
}
