package dev.peregrine.server.websocket;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.websocket.deflate.InflateResult;
import dev.peregrine.server.websocket.frame.CloseFrame;
import org.jspecify.annotations.Nullable;

/** Ends sessions whose clients have violated the protocol or exceeded a limit. On the loop. */
final class ClientFaults {
  private ClientFaults() {}

  /** The client has violated the protocol. */
  static void violated(WebSocketSession session, String fault) {
    refuse(session, CloseFrame.PROTOCOL_ERROR, fault, null);
  }

  /** The client's close frame isn't valid; the code is the one to answer with. */
  static void malformedClose(WebSocketSession session, int code) {
    refuse(session, code, "malformed close frame", null);
  }

  private static void refuse(
      WebSocketSession session, int code, String fault, @Nullable String limit) {
    session.refuse(CloseReason.PROTOCOL_VIOLATED, code, fault, limit);
  }

  static void invalidText(WebSocketSession session) {
    refuse(session, CloseFrame.INVALID_TEXT, "the text is not valid UTF-8", null);
  }

  static void tooLarge(WebSocketSession session) {
    String limit = session.messageBytesMax() + " bytes (webSocket.messageBytesMax)";
    refuse(session, CloseFrame.TOO_LARGE, "the message is too large", limit);
  }

  /** A compressed message can't be decompressed. */
  static void notInflated(WebSocketSession session, InflateResult result) {
    switch (result) {
      case TOO_LARGE -> tooLarge(session);
      default ->
          refuse(session, CloseFrame.INVALID_TEXT, "the compressed message is malformed", null);
    }
  }

  /**
   * A compressed message has arrived only in part, and no memory is left to keep its decompressor
   * until the rest arrives.
   */
  static void noMemory(WebSocketSession session) {
    long bytesMax = session.shared().limits.compressionBytesMax();
    String limit = bytesMax + " bytes (webSocket.compressionBytesMax)";
    session.refuse(
        CloseReason.OVERLOADED,
        CloseFrame.TRY_AGAIN_LATER,
        "no memory to decompress the message",
        limit);
  }

  /** The client has sent too many frames without content. */
  static void flood(WebSocketSession session) {
    int pointsMax = session.shared().limits.floodPointsMax();
    String limit = pointsMax + " points (webSocket.floodPointsMax)";
    flooded(session, "too many frames without content", limit);
  }

  private static void flooded(WebSocketSession session, String fault, String limit) {
    session.refuse(CloseReason.CLIENT_FLOODED, CloseFrame.POLICY, fault, limit);
  }

  /** Logs that too many messages wait for the client. */
  static void logUnsent(WebSocketSession session) {
    String limit = session.shared().limits.unsentBytesMax() + " bytes (webSocket.unsentBytesMax)";
    session.log("too much is unsent, because the client doesn't receive it", limit);
  }

  static void tooSlow(WebSocketSession session) {
    long rate = session.shared().server.requestBytesPerSecondMin();
    String limit = rate + " bytes per second (requestBytesPerSecondMin)";
    flooded(session, "a frame arrives too slowly", limit);
  }
}
