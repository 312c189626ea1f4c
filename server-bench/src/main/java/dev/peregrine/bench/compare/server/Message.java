package dev.peregrine.bench.compare.server;

import java.nio.charset.StandardCharsets;

/**
 * The object that {@code /json} is answered with: serialised anew each time, alike in all servers.
 */
final class Message {
  private Message() {}

  static byte[] json(String message) {
    return ("{\"message\":\"" + message + "\"}").getBytes(StandardCharsets.US_ASCII);
  }
}
