package dev.peregrine.bench.corpus;

import java.util.Random;

/** Random text of the kinds that are frequent in heads. The same seed gives the same text. */
final class Tokens {
  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final String HEX = "0123456789abcdef";
  private static final int JWT_HEADER = 36;
  private static final int JWT_SIGNATURE = 86;

  private final Random random;

  Tokens(long seed) {
    random = new Random(seed);
  }

  String base64(int length) {
    return chars(BASE64, length);
  }

  String hex(int length) {
    return chars(HEX, length);
  }

  String uuid() {
    return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-" + hex(4) + "-" + hex(12);
  }

  /** Returns a JSON web token with a payload of the given number of characters. */
  String jwt(int payload) {
    return base64(JWT_HEADER) + "." + base64(payload) + "." + base64(JWT_SIGNATURE);
  }

  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String chars(String from, int count) {
    StringBuilder chars = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      chars.append(from.charAt(random.nextInt(from.length())));
    }
    return chars.toString();
  }
}
