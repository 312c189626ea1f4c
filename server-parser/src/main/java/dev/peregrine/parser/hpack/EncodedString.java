package dev.peregrine.parser.hpack;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/** A name or a value that is a string in a field block, RFC 7541 section 5.2. Reused. */
final class EncodedString {
  private static final int LENGTH_PREFIX = 0x7F;
  private static final int ERROR = (int) BlockReader.ERROR;

  private final BlockReader block;
  private long from;
  private long to;
  private boolean huffman;
  private boolean odd;

  EncodedString(BlockReader block) {
    this.block = block;
  }

  /**
   * Reads the string's length at an index, which may be the block's end.
   *
   * @return the index after the string, or {@link BlockReader#ERROR}
   */
  long open(MemorySegment bytes, long at) {
    if (at >= block.end()) {
      return ERROR;
    }
    huffman = Memory.byteAt(bytes, at) < 0;
    from = block.readInteger(bytes, at, LENGTH_PREFIX);
    to = from + block.integer();
    return from == ERROR || to > block.end() ? ERROR : to;
  }

  /** Returns the decoded string's length if that is known without decoding, or a bound of it. */
  long lengthMax() {
    return huffman ? HuffmanDecoder.decodedMax((int) (to - from)) : to - from;
  }

  /** Returns the decoded string's length, or {@link BlockReader#ERROR}. */
  long length(MemorySegment bytes) {
    return huffman ? HuffmanDecoder.length(bytes, from, to, block.start()) : to - from;
  }

  /**
   * Decodes the string as a name.
   *
   * @param out with room for the decoded string and {@link DecodedFields#SLACK}
   * @return the end of the decoded string, or {@link BlockReader#ERROR}
   */
  int decodeName(MemorySegment bytes, byte[] out, int at) {
    if (!huffman) {
      odd = PlainString.copyName(bytes, from, to, block.start(), out, at);
      return at + (int) (to - from);
    }
    long result = HuffmanDecoder.decode(bytes, from, to, block.start(), out, at);
    odd = HuffmanDecoder.isOddInName(result);
    return (int) result;
  }

  /** Decodes the string as a value, as {@link #decodeName} does. */
  int decodeValue(MemorySegment bytes, byte[] out, int at) {
    if (!huffman) {
      odd = PlainString.copyValue(bytes, from, to, block.start(), out, at);
      return at + (int) (to - from);
    }
    long result = HuffmanDecoder.decode(bytes, from, to, block.start(), out, at);
    odd = HuffmanDecoder.isOddInValue(result);
    return (int) result;
  }

  /** Returns the {@link FieldFaults} of the decoded name. */
  int nameFaults(byte[] text, int start, int end) {
    return odd || start == end ? FieldFaults.ofName(text, start, end) : 0;
  }

  /** Returns the {@link FieldFaults} of the decoded value. */
  int valueFaults(byte[] text, int start, int end) {
    boolean check =
        odd || (start < end && (Ascii.isBlank(text[start]) || Ascii.isBlank(text[end - 1])));
    return check ? FieldFaults.ofValue(text, start, end) : 0;
  }
}
