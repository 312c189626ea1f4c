package dev.peregrine.server.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** Mutations of seeds by a random generator; the same for the same seed of the generator. */
final class Mutations {
  private static final String[] WORDS = {
    "\r\n",
    "\n",
    "\r",
    "\0",
    " ",
    "\t",
    ":",
    ";",
    "\"",
    ",",
    "\r\n\r\n",
    "0\r\n\r\n",
    "\u00ff",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Host: a\r\n",
    "chunked",
    "Connection: close\r\n",
    "Expect: 100-continue\r\n",
    "HTTP/1.0",
    "HEAD ",
    "FFFFFFFF",
    "%",
    "[",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "5\r\nhello\r\n",
    "Upgrade: x\r\n",
    "Connection: upgrade\r\n"
  };
  private static final int CHANGES_MAX = 3;

  private final SplittableRandom random;
  private final List<byte[]> seeds;

  Mutations(SplittableRandom random, List<byte[]> seeds) {
    this.random = random;
    this.seeds = seeds;
  }

  byte[] next() {
    byte[] bytes = seed();
    for (int i = random.nextInt(CHANGES_MAX); i >= 0; i--) {
      bytes = change(bytes);
    }
    return bytes;
  }

  private byte[] seed() {
    return seeds.get(random.nextInt(seeds.size()));
  }

  private byte[] change(byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + random.nextInt(8));
    return switch (random.nextInt(5)) {
      case 0 -> spliced(bytes, from, from, word());
      case 1 -> spliced(bytes, from, to, word());
      case 2 -> spliced(bytes, from, to, new byte[0]);
      case 3 -> spliced(bytes, from, Math.min(bytes.length, from + 1), randomByte());
      default -> spliced(bytes, from, bytes.length, seed());
    };
  }

  private byte[] word() {
    return WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.ISO_8859_1);
  }

  private byte[] randomByte() {
    return new byte[] {(byte) random.nextInt(256)};
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] inserted) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.writeBytes(inserted);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }
}
