package dev.peregrine.server.websocket;

import dev.peregrine.server.websocket.deflate.InflateResult;

/** Ends sessions because of what their clients have sent, or how. On the loop. */
final class ClientFaults {
  private ClientFaults() {}

  /** The client has violated the protocol. */
  static void violated(WebSocketSession session, String fault) {
    session.refuse(CloseFrame.PROTOCOL_ERROR, fault, null);
  }

  static void invalidText(WebSocketSession session) {
    session.refuse(CloseFrame.INVALID_TEXT, "the text is not valid UTF-8", null);
  }

  static void tooLarge(WebSocketSession session) {
    String limit = session.messageBytesMax() + " bytes (webSocket.messageBytesMax)";
    session.refuse(CloseFrame.TOO_LARGE, "the message is too large", limit);
  }

  /** A compressed message can't be decompressed. */
  static void notInflated(WebSocketSession session, InflateResult result) {
    switch (result) {
      case TOO_LARGE -> tooLarge(session);
      case TOO_COMPRESSED -> {
        int ratioMax = session.shared().limits.compressionRatioMax();
        String limit = "a ratio of " + ratioMax + " (webSocket.compressionRatioMax)";
        session.refuse(CloseFrame.TOO_LARGE, "the message is compressed too well", limit);
      }
      default ->
          session.refuse(CloseFrame.INVALID_TEXT, "the compressed message is malformed", null);
    }
  }

  /** There is no memory for a compressed message that hasn't arrived at once. */
  static void noMemory(WebSocketSession session) {
    long bytesMax = session.shared().limits.compressionBytesMax();
    String limit = bytesMax + " bytes (webSocket.compressionBytesMax)";
    session.refuse(CloseFrame.TRY_AGAIN_LATER, "no memory to decompress the message", limit);
  }

  /** The client has sent too many frames without content. */
  static void flood(WebSocketSession session) {
    int pointsMax = session.shared().limits.floodPointsMax();
    String limit = pointsMax + " points (webSocket.floodPointsMax)";
    session.refuse(CloseFrame.POLICY, "too many frames without content", limit);
  }

  /** Logs that too many messages wait for the client. */
  static void logUnsent(WebSocketSession session) {
    String limit = session.shared().limits.unsentBytesMax() + " bytes (webSocket.unsentBytesMax)";
    session.log("too much is unsent, because the client doesn't receive it", limit);
  }

  static void tooSlow(WebSocketSession session) {
    long rate = session.shared().server.requestBytesPerSecondMin();
    String limit = rate + " bytes per second (requestBytesPerSecondMin)";
    session.refuse(CloseFrame.POLICY, "a frame arrives too slowly", limit);
  }
}
