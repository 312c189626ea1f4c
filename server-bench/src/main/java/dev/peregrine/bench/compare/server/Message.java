package dev.peregrine.bench.compare.server;

import java.nio.charset.StandardCharsets;

/** The response of {@code /json}, which every server serialises for each request. */
final class Message {
  private Message() {}

  static byte[] json(String message) {
    return ("{\"message\":\"" + message + "\"}").getBytes(StandardCharsets.US_ASCII);
  }
}
