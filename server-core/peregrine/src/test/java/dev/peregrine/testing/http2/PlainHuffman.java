package dev.peregrine.testing.http2;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The Huffman code of RFC 7541, Appendix B, decoded bit by bit. The code is canonical, so it
 * follows from the lengths of its symbols.
 */
final class PlainHuffman {
  private static final int EOS = 256;
  private static final int PADDING_BITS_MAX = 7;
  private static final int SHORTEST = 5;

  /** The symbols with codes of 5, 6, 7 … bits, as hexadecimal ranges. */
  private static final String[] SYMBOLS_BY_LENGTH = {
    "30-32 61 63 65 69 6f 73-74",
    "20 25 2d-2f 33-39 3d 41 5f 62 64 66-68 6c-6e 70 72 75",
    "3a 42-57 59 6a-6b 71 76-7a",
    "26 2a 2c 3b 58 5a",
    "",
    "21-22 28-29 3f",
    "27 2b 7c",
    "23 3e",
    "0 24 40 5b 5d 7e",
    "5e 7d",
    "3c 60 7b",
    "",
    "",
    "",
    "5c c3 d0",
    "80 82-83 a2 b8 c2 e0 e2",
    "99 a1 a7 ac b0-b1 b3 d1 d8-d9 e3 e5-e6",
    "81 84-86 88 92 9a 9c a0 a3-a4 a9-aa ad b2 b5 b9-bb bd-be c4 c6 e4 e8-e9",
    "1 87 89-8d 8f 93 95-98 9b 9d-9e a5-a6 a8 ae-af b4 b6-b7 bc bf c5 e7 ef",
    "9 8e 90-91 94 9f ab ce d7 e1 ec-ed",
    "c7 cf ea-eb",
    "c0-c1 c8-ca cd d2 d5 da-db ee f0 f2-f3 ff",
    "cb-cc d3-d4 d6 dd-df f1 f4-f8 fa-fe",
    "2-8 b-c e-15 17-1f 7f dc f9",
    "",
    "a d 16 100",
  };

  private static final List<List<Integer>> SYMBOLS = new ArrayList<>();

  static {
    for (String ranges : SYMBOLS_BY_LENGTH) {
      SYMBOLS.add(symbols(ranges));
    }
  }

  private PlainHuffman() {}

  private static List<Integer> symbols(String ranges) {
    List<Integer> symbols = new ArrayList<>();
    for (String range : ranges.isEmpty() ? new String[0] : ranges.split(" ", -1)) {
      int dash = range.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash), 16);
      int last = Integer.parseInt(range.substring(dash + 1), 16);
      for (int symbol = first; symbol <= last; symbol++) {
        symbols.add(symbol);
      }
    }
    return symbols;
  }

  /** Decodes a string; EOS, long padding, and padding that isn't all ones fail. */
  static byte[] decode(byte[] bytes, int from, int to) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int code = 0;
    int bits = 0;
    int first = 0; // the first code of this length
    for (int at = from; at < to; at++) {
      for (int bit = 7; bit >= 0; bit--) {
        code = (code << 1) | ((bytes[at] >> bit) & 1);
        bits++;
        first <<= 1;
        if (bits < SHORTEST) {
          continue;
        }
        List<Integer> symbols = SYMBOLS.get(bits - SHORTEST);
        if (code - first < symbols.size()) {
          require(symbols.get(code - first) != EOS, "EOS in a string");
          text.write(symbols.get(code - first));
          code = 0;
          bits = 0;
          first = 0;
        } else {
          first += symbols.size();
        }
      }
    }
    require(bits <= PADDING_BITS_MAX && code == (1 << bits) - 1, "bad padding of a string");
    return text.toByteArray();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
