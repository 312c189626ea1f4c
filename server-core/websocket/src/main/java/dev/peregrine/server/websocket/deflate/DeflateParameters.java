package dev.peregrine.server.websocket.deflate;

import dev.peregrine.base.Range;

/**
 * The agreement of a session on permessage-deflate (RFC 7692 section 7.1).
 *
 * @param serverNoContextTakeover true if each message of the server is compressed by itself
 * @param clientNoContextTakeover true if each message of the client is compressed by itself
 * @param serverWindowBits the window of the server's messages, as a power of two, 8 to 15
 * @param clientWindowBits the window of the client's messages, as a power of two, 8 to 15
 * @param serverWindowOffered true if the client has set a limit to the server's window, which the
 *     answer must then confirm
 */
public record DeflateParameters(
    boolean serverNoContextTakeover,
    boolean clientNoContextTakeover,
    int serverWindowBits,
    int clientWindowBits,
    boolean serverWindowOffered) {

  /** The name of the extension. */
  public static final String EXTENSION = "permessage-deflate";

  /** The smallest window: 256 bytes. */
  public static final int WINDOW_BITS_MIN = 8;

  /** The largest window: 32,768 bytes. */
  public static final int WINDOW_BITS_MAX = 15;

  static final String SERVER_NO_CONTEXT_TAKEOVER = "server_no_context_takeover";
  static final String CLIENT_NO_CONTEXT_TAKEOVER = "client_no_context_takeover";
  static final String SERVER_MAX_WINDOW_BITS = "server_max_window_bits";
  static final String CLIENT_MAX_WINDOW_BITS = "client_max_window_bits";

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a window is out of range
   */
  public DeflateParameters {
    checkWindowBits(SERVER_MAX_WINDOW_BITS, serverWindowBits);
    checkWindowBits(CLIENT_MAX_WINDOW_BITS, clientWindowBits);
  }

  static int checkWindowBits(String option, int bits) {
    return Range.check(option, bits, WINDOW_BITS_MIN, WINDOW_BITS_MAX);
  }

  /** Returns the value of Sec-WebSocket-Extensions in the response. */
  public String answer() {
    StringBuilder answer = new StringBuilder(EXTENSION);
    if (serverNoContextTakeover) {
      answer.append("; ").append(SERVER_NO_CONTEXT_TAKEOVER);
    }
    if (clientNoContextTakeover) {
      answer.append("; ").append(CLIENT_NO_CONTEXT_TAKEOVER);
    }
    if (serverWindowOffered || serverWindowBits < WINDOW_BITS_MAX) {
      answer.append("; ").append(SERVER_MAX_WINDOW_BITS).append('=').append(serverWindowBits);
    }
    if (clientWindowBits < WINDOW_BITS_MAX) {
      answer.append("; ").append(CLIENT_MAX_WINDOW_BITS).append('=').append(clientWindowBits);
    }
    return answer.toString();
  }

  /** Returns {@link #answer}. */
  @Override
  public String toString() {
    return answer();
  }

  /** Returns these parameters with the contexts that the caller can keep, and no others. */
  DeflateParameters keeping(boolean serverContext, boolean clientContext) {
    return new DeflateParameters(
        serverNoContextTakeover || !serverContext,
        clientNoContextTakeover || !clientContext,
        serverWindowBits,
        clientWindowBits,
        serverWindowOffered);
  }
}
