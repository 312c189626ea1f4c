package dev.peregrine.parser.hpack;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Decodes Huffman-coded strings (RFC 7541 section 5.2) without a branch per symbol: twelve bits are
 * looked up at a time, which are up to two symbols, and only codes of more than twelve bits are
 * decoded apart. Bits after the string's end are taken as ones, which begin no code that a table
 * has: so every string ends as a code of more than twelve bits would begin.
 */
final class HuffmanDecoder {
  /** The string is not a valid code: its padding is wrong, or it contains EOS. */
  static final long INVALID = -1;

  /** The bytes after the decoded text that may be overwritten. */
  static final int SLACK = 2 * Long.BYTES;

  private static final int TABLE_BITS = 12;
  private static final int INDEX_SHIFT = Long.SIZE - TABLE_BITS;

  /** Bits of padding are fewer than this. */
  private static final int PADDING_END = 8;

  // A table's entry: the bits of its codes, so that it can be used as a shift distance; the bits of
  // its symbols at 8, so that an entry that is shifted by 8 can be used so; whether one of the
  // symbols isn't plain in a name; and the symbols in the upper half. Entries can be added, and the
  // sums of four used in the same way.
  private static final int BITS_MASK = 63;
  private static final int SYMBOL_BITS_SHIFT = 8;
  private static final int COUNT_SHIFT = SYMBOL_BITS_SHIFT + 3;
  private static final int COUNT_MASK = 15;
  private static final int ODD_IN_NAME = 1 << 15;
  private static final int SYMBOLS_SHIFT = 16;

  /** This bit of the result is apart from an entry, because such a byte has a long code. */
  private static final int ODD_IN_VALUE = 1;

  private static final int[] TABLE = table();

  // Of the codes of more than twelve bits, by length: the first code that is longer, aligned to the
  // highest bit; and the index in LONG_SYMBOLS of code 0 if there were one.
  private static final long[] ENDS = new long[HuffmanCode.LONGEST + 1];
  private static final int[] OFFSETS = new int[HuffmanCode.LONGEST + 1];
  private static final short[] LONG_SYMBOLS = longSymbols();

  /** By a number of leading ones: the length of the shortest code above twelve bits with them. */
  private static final byte[] SHORTEST_BY_ONES = shortestByOnes();

  private HuffmanDecoder() {}

  /** Returns the greatest decoded length of a string with the given encoded length, in bytes. */
  static long decodedMax(int length) {
    return (long) length * Byte.SIZE / HuffmanCode.SHORTEST;
  }

  /** Returns true if a name with this result must be checked. */
  static boolean isOddInName(long result) {
    return (result & (long) ODD_IN_NAME << Integer.SIZE) != 0;
  }

  /** Returns true if a value with this result must be checked. */
  static boolean isOddInValue(long result) {
    return (result & (long) ODD_IN_VALUE << Integer.SIZE) != 0;
  }

  /**
   * Decodes the string in {@code [from, to)}.
   *
   * @param floor the first index that may be read, at most {@code from}
   * @param out with room for the decoded text and {@link #SLACK}
   * @return {@link #INVALID}; or the end of the decoded text as an int, and in the upper half
   *     whether it must be checked
   */
  static long decode(MemorySegment bytes, long from, long to, long floor, byte[] out, int at) {
    long left = (to - from) * Byte.SIZE; // bits that aren't decoded yet
    long window = bits(bytes, from, to, floor); // the first 64 of them
    long following = bits(bytes, from + Long.BYTES, to, floor);
    int end = at;
    int odd = 0;
    while (true) {
      int first = TABLE[(int) (window >>> INDEX_SHIFT)];
      long rest = window << first;
      int second = TABLE[(int) (rest >>> INDEX_SHIFT)];
      rest <<= second;
      int third = TABLE[(int) (rest >>> INDEX_SHIFT)];
      rest <<= third;
      int fourth = TABLE[(int) (rest >>> INDEX_SHIFT)];

      int two = first + second;
      int three = two + third;
      int four = three + fourth;
      long symbols =
          first >>> SYMBOLS_SHIFT
              | (long) (second >>> SYMBOLS_SHIFT) << (first >>> SYMBOL_BITS_SHIFT)
              | (long) (third >>> SYMBOLS_SHIFT) << (two >>> SYMBOL_BITS_SHIFT)
              | (long) (fourth >>> SYMBOLS_SHIFT) << (three >>> SYMBOL_BITS_SHIFT);
      Words.putLong(out, end, symbols);
      end += (four >>> COUNT_SHIFT) & COUNT_MASK;
      odd |= (first | second | third | fourth) & ODD_IN_NAME;
      int used = four & BITS_MASK;
      window = refilled(window, following, used);
      left -= used;
      following = bitsAt(bytes, left, to, floor);
      if ((fourth & BITS_MASK) == 0) {
        if (left < PADDING_END) {
          return left < 0 ? INVALID : ((long) odd << Integer.SIZE) | end;
        }
        int length = longLength(window);
        if (length > left || isEos(window)) {
          return INVALID;
        }
        byte symbol = (byte) longSymbol(window, length);
        odd |= oddBits(symbol);
        out[end++] = symbol;
        window = refilled(window, following, length);
        left -= length;
        following = bitsAt(bytes, left, to, floor);
      }
    }
  }

  /** Returns the length of the decoded text of {@code [from, to)}, or {@link #INVALID}. */
  static long length(MemorySegment bytes, long from, long to, long floor) {
    long left = (to - from) * Byte.SIZE;
    long window = bits(bytes, from, to, floor);
    long following = bits(bytes, from + Long.BYTES, to, floor);
    long count = 0;
    while (true) {
      int entry = TABLE[(int) (window >>> INDEX_SHIFT)];
      int length = entry & BITS_MASK;
      int symbols = (entry >>> COUNT_SHIFT) & COUNT_MASK;
      if (length == 0) {
        if (left < PADDING_END) {
          return left < 0 ? INVALID : count;
        }
        length = longLength(window);
        if (length > left || isEos(window)) {
          return INVALID;
        }
        symbols = 1;
      }
      count += symbols;
      window = refilled(window, following, length);
      left -= length;
      following = bitsAt(bytes, left, to, floor);
    }
  }

  /** Returns the window after some bits were used, fewer than 57. */
  private static long refilled(long window, long following, int used) {
    return (window << used) | (following >>> 1 >>> (Long.SIZE - 1 - used));
  }

  /** Returns at least 57 bits, after the first 64 of those that are left before an index. */
  private static long bitsAt(MemorySegment bytes, long left, long to, long floor) {
    long last = left - Long.SIZE;
    return bits(bytes, to - ((last + Byte.SIZE - 1) >> 3), to, floor) << (-last & (Byte.SIZE - 1));
  }

  /** Returns the bits of eight bytes, the first in the highest bit; ones after the end. */
  private static long bits(MemorySegment bytes, long next, long to, long floor) {
    long rest = to - next;
    if (rest >= Long.BYTES) {
      return Long.reverseBytes(Memory.longAt(bytes, next));
    }
    return rest <= 0 ? -1 : lastBits(bytes, (int) rest, to, floor);
  }

  private static long lastBits(MemorySegment bytes, int rest, long to, long floor) {
    long ones = -1L >>> (rest * Byte.SIZE);
    if (to - floor >= Long.BYTES) {
      long last = Long.reverseBytes(Memory.longAt(bytes, to - Long.BYTES));
      return last << ((Long.BYTES - rest) * Byte.SIZE) | ones;
    }
    long last = 0;
    for (long i = to - rest; i < to; i++) {
      last = last << Byte.SIZE | (Memory.byteAt(bytes, i) & 0xFF);
    }
    return last << ((Long.BYTES - rest) * Byte.SIZE) | ones;
  }

  /** Returns the length of the code at the window's begin, which has more than twelve bits. */
  private static int longLength(long window) {
    int length = SHORTEST_BY_ONES[Long.numberOfLeadingZeros(~window)];
    while (length < HuffmanCode.LONGEST && Long.compareUnsigned(window, ENDS[length]) >= 0) {
      length++;
    }
    return length;
  }

  private static int longSymbol(long window, int length) {
    return LONG_SYMBOLS[OFFSETS[length] + (int) (window >>> (Long.SIZE - length))];
  }

  private static boolean isEos(long window) {
    return window >>> (Long.SIZE - HuffmanCode.LONGEST) == HuffmanCode.code(HuffmanCode.EOS);
  }

  private static int oddBits(byte symbol) {
    boolean plainInName = CharClass.TOKEN.contains(symbol) && !(symbol >= 'A' && symbol <= 'Z');
    return (plainInName ? 0 : ODD_IN_NAME)
        | (CharClass.FIELD_VALUE.contains(symbol) ? 0 : ODD_IN_VALUE);
  }

  private static int[] table() {
    var table = new int[1 << TABLE_BITS];
    for (int symbol = 0; symbol < HuffmanCode.EOS; symbol++) {
      int length = HuffmanCode.length(symbol);
      if (length <= TABLE_BITS) {
        int rest = TABLE_BITS - length;
        int one = length | 1 << COUNT_SHIFT | symbol << SYMBOLS_SHIFT | oddBits((byte) symbol);
        int from = HuffmanCode.code(symbol) << rest;
        for (int i = 0; i < 1 << rest; i++) {
          table[from + i] = one;
        }
        for (int second = 0; second < HuffmanCode.EOS; second++) {
          addPair(table, symbol, second, from, rest);
        }
      }
    }
    return table;
  }

  /** Adds the entries of a code that is followed by another one, if both fit. */
  private static void addPair(int[] table, int first, int second, int from, int restBits) {
    int rest = restBits - HuffmanCode.length(second);
    if (rest < 0) {
      return;
    }
    int two =
        HuffmanCode.length(first) + HuffmanCode.length(second)
            | 2 << COUNT_SHIFT
            | oddBits((byte) first)
            | oddBits((byte) second)
            | (first | second << Byte.SIZE) << SYMBOLS_SHIFT;
    int start = from + (HuffmanCode.code(second) << rest);
    for (int i = 0; i < 1 << rest; i++) {
      table[start + i] = two;
    }
  }

  private static short[] longSymbols() {
    var symbols = new short[HuffmanCode.SYMBOLS];
    int count = 0;
    for (int length = TABLE_BITS + 1; length <= HuffmanCode.LONGEST; length++) {
      for (int symbol = 0; symbol < HuffmanCode.SYMBOLS; symbol++) {
        if (HuffmanCode.length(symbol) == length) {
          int code = HuffmanCode.code(symbol);
          symbols[count++] = (short) symbol;
          OFFSETS[length] = count - 1 - code;
          ENDS[length] = (long) (code + 1) << (Long.SIZE - length);
        }
      }
      if (ENDS[length] == 0) {
        ENDS[length] = ENDS[length - 1];
      }
    }
    return symbols;
  }

  private static byte[] shortestByOnes() {
    var shortest = new byte[Long.SIZE + 1];
    Arrays.fill(shortest, (byte) HuffmanCode.LONGEST); // EOS begins with thirty or more
    for (int symbol = 0; symbol < HuffmanCode.EOS; symbol++) {
      int length = HuffmanCode.length(symbol);
      if (length > TABLE_BITS) {
        long aligned = (long) HuffmanCode.code(symbol) << (Long.SIZE - length);
        int ones = Long.numberOfLeadingZeros(~aligned);
        shortest[ones] = (byte) Math.min(shortest[ones], length);
      }
    }
    return shortest;
  }
}
