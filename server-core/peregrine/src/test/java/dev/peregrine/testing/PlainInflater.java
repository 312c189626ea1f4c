package dev.peregrine.testing;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Decodes deflate data (RFC 1951) bit by bit, as the specification describes it. Remembers the
 * largest distance of a reference. Data may follow the last block: it begins with an empty window.
 */
public final class PlainInflater {
  /** The data isn't valid, or ends too early. */
  public static final class InvalidException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidException(String message) {
      super(message);
    }
  }

  private static final int WINDOW_BYTES = 32 * 1024;
  private static final int[] LENGTH_BASE = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258
  };
  private static final int[] LENGTH_EXTRA = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
  };
  private static final int[] CODE_LENGTH_ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };
  private static final int END_OF_BLOCK = 256;
  private static final int CODE_BITS_MAX = 15;

  private byte[] source = {};
  private long bit;
  private long emptyFrom; // the length of the last block without compression
  private byte[] window = {};
  private byte[] output = {}; // the window, then the result
  private int outputSize;
  private int distanceMax;

  /** Returns the largest distance of all references so far. */
  public int distanceMax() {
    return distanceMax;
  }

  /**
   * Decodes a message of permessage-deflate (RFC 7692 section 7.2.2). References may reach into
   * earlier messages, unless {@link #forget} is called.
   */
  public byte[] message(byte[] payload) throws InvalidException {
    source = Arrays.copyOf(payload, payload.length + 4);
    source[payload.length + 2] = -1;
    source[payload.length + 3] = -1;
    bit = 0;
    emptyFrom = -1;
    output = window.clone();
    outputSize = window.length;
    int from = outputSize;
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    boolean ended = false;
    while (bit < (ended ? payload.length : source.length) * 8L) {
      ended = readBlock();
      if (ended) {
        bit = (bit + 7) / 8 * 8;
        result.write(output, from, outputSize - from);
        outputSize = 0;
        from = 0;
      }
    }
    if (bit > payload.length * 8L && emptyFrom != payload.length * 8L) {
      throw new InvalidException("the marker isn't an empty block");
    }
    result.write(output, from, outputSize - from);
    window = Arrays.copyOfRange(output, Math.max(0, outputSize - WINDOW_BYTES), outputSize);
    return result.toByteArray();
  }

  /** Empties the window. */
  public void forget() {
    window = new byte[0];
  }

  private void write(int value) {
    if (outputSize == output.length) {
      output = Arrays.copyOf(output, 2 * outputSize + 64);
    }
    output[outputSize++] = (byte) value;
  }

  /** Reads a block. Returns true if it is marked as the last one. */
  private boolean readBlock() throws InvalidException {
    boolean last = bits(1) == 1;
    switch (bits(2)) {
      case 0 -> readStored();
      case 1 -> readCoded(new Code(fixedLengths()), new Code(fill(new int[30], 0, 30, 5)));
      case 2 -> readDynamic();
      default -> throw new InvalidException("type of block");
    }
    return last;
  }

  private void readStored() throws InvalidException {
    bit = (bit + 7) / 8 * 8;
    emptyFrom = bit;
    int length = bits(16);
    if (bits(16) != (~length & 0xFFFF)) {
      throw new InvalidException("length of a stored block");
    }
    for (int i = 0; i < length; i++) {
      write(bits(8));
    }
  }

  private static int[] fixedLengths() {
    int[] lengths = new int[288];
    fill(lengths, 0, 144, 8);
    fill(lengths, 144, 256, 9);
    fill(lengths, 256, 280, 7);
    return fill(lengths, 280, 288, 8);
  }

  private static int[] fill(int[] lengths, int from, int to, int length) {
    Arrays.fill(lengths, from, to, length);
    return lengths;
  }

  private void readDynamic() throws InvalidException {
    int literals = bits(5) + 257;
    int distances = bits(5) + 1;
    int codes = bits(4) + 4;
    if (literals > 286 || distances > 30) {
      throw new InvalidException("number of symbols");
    }
    int[] codeLengths = new int[19];
    for (int i = 0; i < codes; i++) {
      codeLengths[CODE_LENGTH_ORDER[i]] = bits(3);
    }
    check(codeLengths, false);
    Code ofLengths = new Code(codeLengths);
    int[] lengths = new int[literals + distances];
    for (int i = 0; i < lengths.length; ) {
      int symbol = symbol(ofLengths);
      int value = 0;
      int times = 1;
      switch (symbol) {
        case 16 -> {
          if (i == 0) {
            throw new InvalidException("repetition of nothing");
          }
          value = lengths[i - 1];
          times = 3 + bits(2);
        }
        case 17 -> times = 3 + bits(3);
        case 18 -> times = 11 + bits(7);
        default -> value = symbol;
      }
      if (i + times > lengths.length) {
        throw new InvalidException("repetition beyond the end");
      }
      fill(lengths, i, i + times, value);
      i += times;
    }
    int[] ofLiterals = Arrays.copyOf(lengths, literals);
    int[] ofDistances = Arrays.copyOfRange(lengths, literals, lengths.length);
    if (ofLiterals[END_OF_BLOCK] == 0) {
      throw new InvalidException("no end of block");
    }
    check(ofLiterals, true);
    check(ofDistances, true);
    readCoded(new Code(ofLiterals), new Code(ofDistances));
  }

  /** Checks that the code is complete, or a single one of one bit where that may be. */
  private static void check(int[] lengths, boolean orSingle) throws InvalidException {
    int used = 0;
    int longest = 0;
    for (int length : lengths) {
      used += length == 0 ? 0 : 1 << (15 - length);
      longest = Math.max(longest, length);
    }
    if (used > 1 << 15 || (used < 1 << 15 && !(orSingle && longest <= 1))) {
      throw new InvalidException("set of codes");
    }
  }

  private void readCoded(Code literals, Code distances) throws InvalidException {
    while (true) {
      int symbol = symbol(literals);
      if (symbol == END_OF_BLOCK) {
        return;
      }
      if (symbol < END_OF_BLOCK) {
        write(symbol);
      } else {
        copy(symbol - END_OF_BLOCK - 1, distances);
      }
    }
  }

  private void copy(int lengthSymbol, Code distances) throws InvalidException {
    if (lengthSymbol >= LENGTH_BASE.length) {
      throw new InvalidException("length");
    }
    int length = LENGTH_BASE[lengthSymbol] + bits(LENGTH_EXTRA[lengthSymbol]);
    int symbol = symbol(distances);
    int distance = symbol + 1;
    if (symbol >= 4) {
      int extra = symbol / 2 - 1;
      distance = ((2 + symbol % 2) << extra) + 1 + bits(extra);
    }
    if (distance > Math.min(outputSize, WINDOW_BYTES)) {
      throw new InvalidException("distance " + distance);
    }
    distanceMax = Math.max(distanceMax, distance);
    for (int i = 0; i < length; i++) {
      write(output[outputSize - distance]);
    }
  }

  private int symbol(Code code) throws InvalidException {
    int value = 0;
    int first = 0;
    int index = 0;
    for (int length = 1; length <= CODE_BITS_MAX; length++) {
      value = value << 1 | bits(1);
      first <<= 1;
      int count = code.counts[length];
      if (value - first < count) {
        return code.symbols[index + value - first];
      }
      first += count;
      index += count;
    }
    throw new InvalidException("code");
  }

  private int bits(int count) throws InvalidException {
    int value = 0;
    for (int i = 0; i < count; i++) {
      if (bit >= source.length * 8L) {
        throw new InvalidException("incomplete");
      }
      value |= (source[(int) (bit >> 3)] >> (bit & 7) & 1) << i;
      bit++;
    }
    return value;
  }

  /** The canonical code of symbols with given lengths (RFC 1951 section 3.2.2). */
  private static final class Code {
    final int[] counts = new int[CODE_BITS_MAX + 1]; // of the codes of each length
    final int[] symbols; // in the order of their codes

    Code(int[] lengths) {
      symbols = new int[lengths.length];
      int index = 0;
      for (int length = 1; length <= CODE_BITS_MAX; length++) {
        for (int symbol = 0; symbol < lengths.length; symbol++) {
          if (lengths[symbol] == length) {
            counts[length]++;
            symbols[index++] = symbol;
          }
        }
      }
    }
  }
}
