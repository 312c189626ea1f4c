package dev.peregrine.parser.hpack;

/**
 * The Huffman code of RFC 7541 appendix B. It is canonical: codes of one length are consecutive, in
 * the order of their symbols, and follow the codes of the next shorter length. So the lengths
 * define it.
 */
final class HuffmanCode {
  /** The symbols: all bytes, and EOS. */
  static final int SYMBOLS = 257;

  static final int EOS = 256;
  static final int SHORTEST = 5;
  static final int LONGEST = 30;

  private static final byte[] LENGTHS = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
    6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23,
    23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20,
    22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22,
    22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26,
    27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
    25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30
  };

  private static final int[] CODES = codes();

  private HuffmanCode() {}

  /** Returns the number of bits of a symbol's code, 5 to 30. */
  static int length(int symbol) {
    return LENGTHS[symbol];
  }

  /** Returns the code of a symbol in the lowest bits. */
  static int code(int symbol) {
    return CODES[symbol];
  }

  private static int[] codes() {
    var codes = new int[SYMBOLS];
    int next = 0;
    for (int length = SHORTEST; length <= LONGEST; length++) {
      for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        if (LENGTHS[symbol] == length) {
          codes[symbol] = next++;
        }
      }
      next <<= 1;
    }
    return codes;
  }
}
