package dev.peregrine.parser.hpack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Builds field blocks element by element, also invalid ones. */
final class BlockBytes {
  static final int INDEXED = 0x80;
  static final int INSERTED = 0x40;
  static final int SIZE_UPDATE = 0x20;
  static final int NEVER_INDEXED = 0x10;
  static final int NOT_INDEXED = 0x00;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  byte[] bytes() {
    return out.toByteArray();
  }

  BlockBytes raw(int... octets) {
    for (int octet : octets) {
      out.write(octet);
    }
    return this;
  }

  /** Adds an integer after flags in the first octet. */
  BlockBytes integer(int flags, int prefixBits, int value) {
    int most = (1 << prefixBits) - 1;
    if (value < most) {
      return raw(flags | value);
    }
    raw(flags | most);
    int rest = value - most;
    for (; rest >= 0x80; rest >>>= 7) {
      raw(0x80 | (rest & 0x7F));
    }
    return raw(rest);
  }

  BlockBytes indexed(int index) {
    return integer(INDEXED, 7, index);
  }

  BlockBytes sizeUpdate(int size) {
    return integer(SIZE_UPDATE, 5, size);
  }

  /** Adds a literal field with a name that is a string. */
  BlockBytes literal(int kind, String name, String value) {
    return raw(kind).plain(name).plain(value);
  }

  /** Adds a literal field with the name of an entry. */
  BlockBytes literal(int kind, int nameIndex, String value) {
    return integer(kind, kind == INSERTED ? 6 : 4, nameIndex).plain(value);
  }

  BlockBytes plain(String text) {
    integer(0, 7, text.length());
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  BlockBytes huffman(String text) {
    return huffman(HuffmanBits.encode(text));
  }

  /** Adds a string with the Huffman flag and these bytes. */
  BlockBytes huffman(byte[] coded) {
    integer(0x80, 7, coded.length);
    out.writeBytes(coded);
    return this;
  }
}
