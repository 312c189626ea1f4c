package dev.peregrine.server.accesslog;

import java.nio.charset.StandardCharsets;

/** Texts of the log as bytes, encoded once. */
final class LogTexts {
  private LogTexts() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the name of each constant, at its ordinal. */
  static byte[][] names(Enum<?>[] constants) {
    byte[][] names = new byte[constants.length][];
    for (Enum<?> constant : constants) {
      names[constant.ordinal()] = bytes(constant.name());
    }
    return names;
  }
}
