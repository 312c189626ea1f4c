package dev.peregrine.parser.hpack;

/** Encodes strings by the Huffman code, RFC 7541 section 5.2. */
final class HuffmanEncoder {
  private static final int LENGTH_BITS = 8;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  /** The code of each byte, and below it the code's length. */
  private static final long[] CODES = codes();

  private HuffmanEncoder() {}

  /** Returns the number of bytes that the code of {@code [from, to)} has. */
  static int length(byte[] bytes, int from, int to) {
    long bits = 0;
    for (int i = from; i < to; i++) {
      bits += CODES[bytes[i] & 0xFF] & LENGTH_MASK;
    }
    return (int) ((bits + Byte.SIZE - 1) / Byte.SIZE);
  }

  /** Writes the code of {@code [from, to)} and returns the index after it. */
  static int encode(byte[] out, int at, byte[] bytes, int from, int to) {
    int next = at;
    long window = 0; // the bits that aren't written yet are its lowest
    int bits = 0;
    for (int i = from; i < to; i++) {
      long code = CODES[bytes[i] & 0xFF];
      window = (window << code) | (code >>> LENGTH_BITS);
      bits += (int) code & LENGTH_MASK;
      if (bits >= Integer.SIZE) {
        bits -= Integer.SIZE;
        Words.putBigEndianInt(out, next, (int) (window >>> bits));
        next += Integer.BYTES;
      }
    }
    int padding = -bits & (Byte.SIZE - 1);
    window = (window << padding) | ((1 << padding) - 1);
    for (bits += padding; bits > 0; bits -= Byte.SIZE) {
      out[next++] = (byte) (window >>> (bits - Byte.SIZE));
    }
    return next;
  }

  private static long[] codes() {
    var codes = new long[HuffmanCode.EOS];
    for (int symbol = 0; symbol < codes.length; symbol++) {
      codes[symbol] = ((long) HuffmanCode.code(symbol) << LENGTH_BITS) | HuffmanCode.length(symbol);
    }
    return codes;
  }
}
