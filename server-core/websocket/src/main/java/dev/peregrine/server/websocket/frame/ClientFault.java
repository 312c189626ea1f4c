package dev.peregrine.server.websocket.frame;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.websocket.deflate.InflateResult;
import org.jspecify.annotations.Nullable;

/**
 * A violation of the protocol, or a limit that the client has exceeded, for which its session ends.
 *
 * @param code of the close frame that the client gets
 * @param text for that frame and for the log
 * @param limit the exceeded limit and its name, for the log; null if there is none
 */
public record ClientFault(CloseReason reason, int code, String text, @Nullable String limit) {
  /** The client has violated the protocol. */
  public static ClientFault violation(String text) {
    return violation(CloseFrame.PROTOCOL_ERROR, text);
  }

  private static ClientFault violation(int code, String text) {
    return new ClientFault(CloseReason.PROTOCOL_VIOLATED, code, text, null);
  }

  /** The client's close frame isn't valid; the code is the one to answer with. */
  public static ClientFault malformedClose(int code) {
    return violation(code, "malformed close frame");
  }

  public static ClientFault invalidText() {
    return violation(CloseFrame.INVALID_TEXT, "the text is not valid UTF-8");
  }

  public static ClientFault tooLarge(int bytesMax) {
    return new ClientFault(
        CloseReason.PROTOCOL_VIOLATED,
        CloseFrame.TOO_LARGE,
        "the message is too large",
        bytesMax + " bytes (webSocket.messageBytesMax)");
  }

  /** A compressed message can't be decompressed. */
  public static ClientFault notInflated(InflateResult result, int bytesMax) {
    return result == InflateResult.TOO_LARGE
        ? tooLarge(bytesMax)
        : violation(CloseFrame.INVALID_TEXT, "the compressed message is malformed");
  }

  /**
   * A compressed message has arrived only in part, and no memory is left to keep its decompressor
   * until the rest arrives.
   */
  public static ClientFault noMemory(WebSocketLimits limits) {
    return new ClientFault(
        CloseReason.OVERLOADED,
        CloseFrame.TRY_AGAIN_LATER,
        "no memory to decompress the message",
        limits.compressionBytesMax() + " bytes (webSocket.compressionBytesMax)");
  }

  /** The client has sent too many frames without content. */
  public static ClientFault flood(WebSocketLimits limits) {
    return flooded(
        "too many frames without content",
        limits.floodPointsMax() + " points (webSocket.floodPointsMax)");
  }

  public static ClientFault tooSlow(ServerLimits limits) {
    return flooded(
        "a frame arrives too slowly",
        limits.requestBytesPerSecondMin() + " bytes per second (requestBytesPerSecondMin)");
  }

  private static ClientFault flooded(String text, String limit) {
    return new ClientFault(CloseReason.CLIENT_FLOODED, CloseFrame.POLICY, text, limit);
  }

  /** Too many messages wait for the client, which gets no frame any more. */
  public static ClientFault unsent(WebSocketLimits limits) {
    return new ClientFault(
        CloseReason.CLIENT_TOO_SLOW,
        CloseFrame.ABNORMAL,
        "too much is unsent, because the client doesn't receive it",
        limits.unsentBytesMax() + " bytes (webSocket.unsentBytesMax)");
  }
}
