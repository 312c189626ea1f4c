package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Decodes header blocks by the letter of RFC 7541, without any regard for speed. An error in a
 * block fails the test.
 */
public final class PlainHpackDecoder {
  private static final int ENTRY_OVERHEAD_BYTES = 32;
  private static final int DEFAULT_TABLE_BYTES = 4096;
  private static final List<Field> STATIC_TABLE = staticTable();

  private final Deque<Field> table = new ArrayDeque<>(); // the newest entry first
  private int tableBytesMax = DEFAULT_TABLE_BYTES;
  private int allowedBytesMax = DEFAULT_TABLE_BYTES;

  private byte[] block = new byte[0];
  private int at;

  /** Sets the size that this end has declared in SETTINGS_HEADER_TABLE_SIZE. */
  public void allow(int bytes) {
    allowedBytesMax = bytes;
  }

  /** Returns the fields of a whole block. */
  public List<Field> decode(byte[] bytes) {
    block = bytes;
    at = 0;
    List<Field> fields = new ArrayList<>();
    while (at < block.length) {
      int first = block[at] & 0xFF;
      if (first >= 0x80) {
        fields.add(entry(integer(7)));
      } else if (first >= 0x40) {
        Field field = literal(6);
        fields.add(field);
        insert(field);
      } else if (first >= 0x20) {
        require(fields.isEmpty(), "a table size update that is not at the start of a block");
        resize(integer(5));
      } else {
        fields.add(literal(4));
      }
    }
    require(tableBytesMax <= allowedBytesMax, "the table was not made smaller");
    return fields;
  }

  private Field literal(int prefixBits) {
    int index = integer(prefixBits);
    String name = index == 0 ? string() : entry(index).name();
    return new Field(name, string());
  }

  private Field entry(int index) {
    require(index > 0 && index <= STATIC_TABLE.size() + table.size(), "no entry " + index);
    if (index <= STATIC_TABLE.size()) {
      return STATIC_TABLE.get(index - 1);
    }
    return List.copyOf(table).get(index - STATIC_TABLE.size() - 1);
  }

  private String string() {
    require(at < block.length, "a string is missing");
    boolean huffman = (block[at] & 0x80) != 0;
    int length = integer(7);
    require(length <= block.length - at, "a string is cut short");
    byte[] bytes =
        huffman
            ? PlainHuffman.decode(block, at, at + length)
            : Arrays.copyOfRange(block, at, at + length);
    at += length;
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private int integer(int prefixBits) {
    int full = (1 << prefixBits) - 1;
    long value = block[at++] & full;
    if (value < full) {
      return (int) value;
    }
    for (int shift = 0; ; shift += 7) {
      require(at < block.length && shift < 35, "a bad integer");
      int next = block[at++];
      value += (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return Math.toIntExact(value);
      }
    }
  }

  private void insert(Field field) {
    table.addFirst(field);
    evict();
  }

  private void resize(int bytes) {
    require(bytes <= allowedBytesMax, "a table of " + bytes + " bytes");
    tableBytesMax = bytes;
    evict();
  }

  private void evict() {
    while (tableBytes() > tableBytesMax) {
      table.removeLast();
    }
  }

  private int tableBytes() {
    return table.stream()
        .mapToInt(entry -> entry.name().length() + entry.value().length() + ENTRY_OVERHEAD_BYTES)
        .sum();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("header block: " + otherwise);
    }
  }

  private static List<Field> staticTable() {
    List<Field> fields = new ArrayList<>();
    for (String line : STATIC_LINES.split("\n", -1)) {
      int colon = line.indexOf(':', 1);
      fields.add(
          new Field(
              colon < 0 ? line : line.substring(0, colon),
              colon < 0 ? "" : line.substring(colon + 1)));
    }
    return fields;
  }

  // RFC 7541, Appendix A
  private static final String STATIC_LINES =
      """
      :authority
      :method:GET
      :method:POST
      :path:/
      :path:/index.html
      :scheme:http
      :scheme:https
      :status:200
      :status:204
      :status:206
      :status:304
      :status:400
      :status:404
      :status:500
      accept-charset
      accept-encoding:gzip, deflate
      accept-language
      accept-ranges
      accept
      access-control-allow-origin
      age
      allow
      authorization
      cache-control
      content-disposition
      content-encoding
      content-language
      content-length
      content-location
      content-range
      content-type
      cookie
      date
      etag
      expect
      expires
      from
      host
      if-match
      if-modified-since
      if-none-match
      if-range
      if-unmodified-since
      last-modified
      link
      location
      max-forwards
      proxy-authenticate
      proxy-authorization
      range
      referer
      refresh
      retry-after
      server
      set-cookie
      strict-transport-security
      transfer-encoding
      user-agent
      vary
      via
      www-authenticate\
      """;
}
