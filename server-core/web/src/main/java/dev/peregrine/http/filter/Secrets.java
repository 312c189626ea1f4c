package dev.peregrine.http.filter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Comparison of secrets. */
public final class Secrets {
  private Secrets() {}

  /**
   * Returns true if both texts are the same. The time doesn't depend on where they differ, so a
   * client can't find a secret character by character.
   *
   * @param given the text of a client; the time depends on its length
   * @param secret the expected text
   */
  public static boolean areEqual(String given, String secret) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }
}
