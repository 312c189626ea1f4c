package dev.peregrine.server.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Ways to cut bytes into pieces, chosen by the bytes themselves. */
final class Cuts {
  private static final int PIECE_BYTES_MAX = 40;

  private Cuts() {}

  static List<byte[]> single(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (byte b : bytes) {
      pieces.add(new byte[] {b});
    }
    return pieces;
  }

  static List<byte[]> random(byte[] bytes) {
    SplittableRandom random = new SplittableRandom(Arrays.hashCode(bytes));
    List<byte[]> pieces = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(PIECE_BYTES_MAX));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces;
  }
}
