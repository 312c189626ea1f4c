package dev.peregrine.server.accesslog;

import java.nio.charset.StandardCharsets;

/** Texts of the log as bytes, encoded once. */
@SuppressWarnings("EnumOrdinal") // tables of names
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

  /** Returns the name of a constant, out of its {@link #names}. */
  static byte[] name(byte[][] names, Enum<?> constant) {
    return names[constant.ordinal()];
  }
}
