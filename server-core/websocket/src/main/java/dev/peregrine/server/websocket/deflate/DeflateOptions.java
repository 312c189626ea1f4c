package dev.peregrine.server.websocket.deflate;

/**
 * Preferences of an endpoint for permessage-deflate.
 *
 * @param serverContextTakeover true if a message of the server may refer to earlier ones, which
 *     compresses better and keeps memory for each session
 * @param clientContextTakeover the same for messages of the client
 * @param serverWindowBits the largest window of the server's messages, as a power of two, 8 to 15
 * @param clientWindowBits the largest window of the client's messages; only a client that offers to
 *     reduce its window keeps to it
 */
public record DeflateOptions(
    boolean serverContextTakeover,
    boolean clientContextTakeover,
    int serverWindowBits,
    int clientWindowBits) {

  /** Both contexts are kept, in windows of full size. */
  public static final DeflateOptions DEFAULT =
      new DeflateOptions(
          true, true, DeflateParameters.WINDOW_BITS_MAX, DeflateParameters.WINDOW_BITS_MAX);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the option that is out of range
   */
  public DeflateOptions {
    DeflateParameters.checkWindowBits("serverWindowBits", serverWindowBits);
    DeflateParameters.checkWindowBits("clientWindowBits", clientWindowBits);
  }
}
