package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** Writes parts of header blocks in the plainest way (RFC 7541, section 6), valid or not. */
public final class PlainHpack {
  private static final int INDEXED = 0x80;
  private static final int WITH_INDEXING = 0x40;
  private static final int SIZE_UPDATE = 0x20;
  private static final int NEVER_INDEXED = 0x10;

  private PlainHpack() {}

  /** Returns a block of literals, none of which enters the dynamic table. */
  public static byte[] block(List<Field> fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (Field field : fields) {
      block.writeBytes(literal(field.name(), field.value()));
    }
    return block.toByteArray();
  }

  /** Like {@link #block(List)}, for fields in the form {@code name=value|name=value}. */
  public static byte[] block(String fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (String field : fields.split("\\|", -1)) {
      int equals = field.indexOf('=');
      block.writeBytes(literal(field.substring(0, equals), field.substring(equals + 1)));
    }
    return block.toByteArray();
  }

  /** A field that doesn't enter the dynamic table. */
  public static byte[] literal(String name, String value) {
    return Requests.join(integer(0, 4, 0), string(name), string(value));
  }

  /** A field that must not enter any table. */
  public static byte[] neverIndexed(String name, String value) {
    return Requests.join(integer(NEVER_INDEXED, 4, 0), string(name), string(value));
  }

  /** A field that enters the dynamic table. */
  public static byte[] inserted(String name, String value) {
    return Requests.join(integer(WITH_INDEXING, 6, 0), string(name), string(value));
  }

  /** A whole field of a table. */
  public static byte[] indexed(int index) {
    return integer(INDEXED, 7, index);
  }

  /** A change of the dynamic table's size. */
  public static byte[] sizeUpdate(int bytes) {
    return integer(SIZE_UPDATE, 5, bytes);
  }

  /** A string without Huffman coding. */
  public static byte[] string(String latin1) {
    return Requests.join(integer(0, 7, latin1.length()), Requests.bytes(latin1));
  }

  /** An integer whose first byte has a pattern above a prefix of the given length in bits. */
  public static byte[] integer(int pattern, int prefixBits, int value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int full = (1 << prefixBits) - 1;
    if (value < full) {
      out.write(pattern | value);
      return out.toByteArray();
    }
    out.write(pattern | full);
    int left = value - full;
    for (; left >= 0x80; left >>>= 7) {
      out.write((left & 0x7F) | 0x80);
    }
    out.write(left);
    return out.toByteArray();
  }
}
