package dev.peregrine.parser.hpack;

/**
 * Writes the elements of field blocks, RFC 7541 sections 5 and 6. Every method takes the index at
 * which it writes, and returns the index after what it has written. The caller provides the room:
 * {@link #INTEGER_MAX} bytes for an integer, an index or a size, and for a string as many as for
 * its length and its bytes. Names must be in lower case.
 */
public final class HpackWriter {
  /** The most bytes that an integer can have. */
  public static final int INTEGER_MAX = 6;

  private static final int INDEXED = 0x80;
  private static final int INDEXED_BITS = 7;
  private static final int INSERTED = 0x40;
  private static final int INSERTED_BITS = 6;
  private static final int SIZE_UPDATE = 0x20;
  private static final int SIZE_UPDATE_BITS = 5;
  private static final int NEVER_INDEXED = 0x10;
  private static final int LITERAL_BITS = 4;
  private static final int HUFFMAN = 0x80;
  private static final int LENGTH_BITS = 7;
  private static final int CONTINUED = 0x80;
  private static final int GROUP_BITS = 7;

  private HpackWriter() {}

  /**
   * Writes an integer, RFC 7541 section 5.1.
   *
   * @param prefixBits the bits of the first byte that belong to the integer, 1 to 8
   * @param flags the other bits of the first byte
   * @param value at least 0
   */
  public static int integer(byte[] out, int at, int prefixBits, int flags, int value) {
    int prefix = (1 << prefixBits) - 1;
    if (value < prefix) {
      out[at] = (byte) (flags | value);
      return at + 1;
    }
    out[at] = (byte) (flags | prefix);
    int next = at + 1;
    int rest = value - prefix;
    while (rest >= CONTINUED) {
      out[next++] = (byte) (rest | CONTINUED);
      rest >>>= GROUP_BITS;
    }
    out[next] = (byte) rest;
    return next + 1;
  }

  /** Writes a field that is in the static or the dynamic table. */
  public static int indexed(byte[] out, int at, int index) {
    return integer(out, at, INDEXED_BITS, INDEXED, index);
  }

  /**
   * Writes the beginning of a field that isn't inserted into the dynamic table. Its value follows
   * as a string; before it, its name, if that has no index.
   *
   * @param nameIndex the index of an entry with this name, or 0
   * @param neverIndexed whether the value is secret, so that no proxy may insert it either (RFC
   *     7541 section 7.1.3)
   */
  public static int literal(byte[] out, int at, int nameIndex, boolean neverIndexed) {
    return integer(out, at, LITERAL_BITS, neverIndexed ? NEVER_INDEXED : 0, nameIndex);
  }

  /** Writes a field as {@link #literal(byte[], int, int, boolean)}, with its strings. */
  public static int literal(
      byte[] out, int at, int nameIndex, byte[] name, byte[] value, boolean neverIndexed) {
    return strings(out, literal(out, at, nameIndex, neverIndexed), nameIndex, name, value);
  }

  /**
   * Writes the beginning of a field that the peer inserts into the dynamic table, as must be done
   * in the {@link EncoderTable}. Its strings follow as for a {@link #literal}.
   */
  public static int literalIndexed(byte[] out, int at, int nameIndex) {
    return integer(out, at, INSERTED_BITS, INSERTED, nameIndex);
  }

  /** Writes a field as {@link #literalIndexed(byte[], int, int)}, with its strings. */
  public static int literalIndexed(byte[] out, int at, int nameIndex, byte[] name, byte[] value) {
    return strings(out, literalIndexed(out, at, nameIndex), nameIndex, name, value);
  }

  private static int strings(byte[] out, int at, int nameIndex, byte[] name, byte[] value) {
    int next = nameIndex == 0 ? string(out, at, name, 0, name.length) : at;
    return string(out, next, value, 0, value.length);
  }

  /** Writes the bytes in {@code [from, to)} as a string that isn't Huffman-coded. */
  public static int string(byte[] out, int at, byte[] bytes, int from, int to) {
    int next = integer(out, at, LENGTH_BITS, 0, to - from);
    System.arraycopy(bytes, from, out, next, to - from);
    return next + to - from;
  }

  /**
   * Writes the bytes in {@code [from, to)} as a Huffman-coded string, which may be longer than they
   * are: {@link #huffmanLength} bytes after the length.
   */
  public static int stringHuffman(byte[] out, int at, byte[] bytes, int from, int to) {
    int next = integer(out, at, LENGTH_BITS, HUFFMAN, huffmanLength(bytes, from, to));
    return HuffmanEncoder.encode(out, next, bytes, from, to);
  }

  /** Returns the number of bytes that the Huffman code of {@code [from, to)} has. */
  public static int huffmanLength(byte[] bytes, int from, int to) {
    return HuffmanEncoder.length(bytes, from, to);
  }

  /** Writes a new size of the dynamic table, which is valid only before a block's first field. */
  public static int tableSizeUpdate(byte[] out, int at, int size) {
    return integer(out, at, SIZE_UPDATE_BITS, SIZE_UPDATE, size);
  }
}
