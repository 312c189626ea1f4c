package dev.peregrine.bench.technique;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Lines of printable text, the same ones each time. */
final class Lines {
  /** The number of lines. */
  static final int COUNT = 64;

  private static final int SEED = 11;

  private Lines() {}

  /** Returns lines of different lengths, each ended by one of the delimiters in turn. */
  static byte[] ofAbout(int bytes, String delimiters) {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < COUNT; line++) {
      int length = bytes / 2 + random.nextInt(bytes);
      for (int i = 1; i < length; i++) {
        text.append((char) ('a' + random.nextInt('z' - 'a' + 1)));
      }
      text.append(delimiters.charAt(line % delimiters.length()));
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
