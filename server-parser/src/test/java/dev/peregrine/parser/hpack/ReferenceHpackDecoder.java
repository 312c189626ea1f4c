package dev.peregrine.parser.hpack;

import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** RFC 7541 word by word, and the limits and faults of {@link DecodedFields}. */
final class ReferenceHpackDecoder {
  /** An entry of a table. */
  private record Entry(String name, String value) {
    int size() {
      return name.length() + value.length() + 32;
    }
  }

  /** In the order of their ids. */
  private static final List<String> PSEUDO_FIELDS =
      List.of(":authority", ":method", ":scheme", ":path", ":protocol");

  private final int tableBytesMax;
  private final int bytesMax;
  private final int fieldsMax;
  private final List<Entry> table = new ArrayList<>();
  private int tableMax;

  private byte[] block = {};
  private int at;
  private final List<DecodedBlock.Field> fields = new ArrayList<>();
  private int fieldBytes;
  private @Nullable Rejection fault;
  private boolean tooLarge;

  ReferenceHpackDecoder(int tableBytesMax, int bytesMax, int fieldsMax) {
    this.tableBytesMax = tableBytesMax;
    this.bytesMax = bytesMax;
    this.fieldsMax = fieldsMax;
    tableMax = tableBytesMax;
  }

  DecodedBlock decode(byte[] bytes) {
    block = bytes;
    at = 0;
    fields.clear();
    fieldBytes = 0;
    fault = null;
    tooLarge = false;
    try {
      decodeFields();
    } catch (HpackException error) {
      return DecodedBlock.INVALID;
    }
    return new DecodedBlock(true, List.copyOf(fields), fault, tooLarge, tableSize());
  }

  private void decodeFields() throws HpackException {
    boolean any = false;
    while (at < block.length) {
      int first = block[at] & 0xFF;
      if (first < 0x80 && first >= 0x40) {
        Entry field = literal(6);
        add(field);
        table.addFirst(field);
        evict();
        any = true;
      } else if (first >= 0x80) {
        add(entry(integer(7)));
        any = true;
      } else if (first >= 0x20) {
        if (any) {
          throw new HpackException("size update after a field");
        }
        tableMax = integer(5);
        if (tableMax > tableBytesMax) {
          throw new HpackException("size update above the maximum");
        }
        evict();
      } else {
        add(literal(4));
        any = true;
      }
    }
  }

  private Entry literal(int prefixBits) throws HpackException {
    int index = integer(prefixBits);
    if (index == 0) {
      String name = string();
      return new Entry(name, string());
    }
    Entry named = entry(index);
    return new Entry(named.name(), string());
  }

  private Entry entry(int index) throws HpackException {
    if (index >= 1 && index <= StaticTable.COUNT) {
      return new Entry(text(StaticTable.name(index)), text(StaticTable.value(index)));
    }
    int dynamic = index - StaticTable.COUNT - 1;
    if (dynamic < 0 || dynamic >= table.size()) {
      throw new HpackException("index");
    }
    return table.get(dynamic);
  }

  private int integer(int prefixBits) throws HpackException {
    int most = (1 << prefixBits) - 1;
    long value = next() & most;
    if (value < most) {
      return (int) value;
    }
    for (int group = 0; group < 5; group++) {
      int more = next();
      value += (more & 0x7FL) << (7 * group);
      if (value > Integer.MAX_VALUE) {
        break;
      }
      if ((more & 0x80) == 0) {
        return (int) value;
      }
    }
    throw new HpackException("long integer");
  }

  private String string() throws HpackException {
    boolean huffman = at < block.length && block[at] < 0;
    int length = integer(7);
    if (length > block.length - at) {
      throw new HpackException("long string");
    }
    int from = at;
    at += length;
    return huffman
        ? HuffmanBits.decode(block, from, at)
        : new String(block, from, length, StandardCharsets.ISO_8859_1);
  }

  private int next() throws HpackException {
    if (at == block.length) {
      throw new HpackException("end of the block");
    }
    return block[at++] & 0xFF;
  }

  private void add(Entry field) {
    fieldBytes += field.size();
    if (tooLarge || fieldBytes > bytesMax || fields.size() == fieldsMax) {
      tooLarge = true;
      return;
    }
    fields.add(new DecodedBlock.Field(field.name(), field.value()));
    if (fault == null) {
      fault = fault(field.name(), field.value());
    }
  }

  private static @Nullable Rejection fault(String name, String value) {
    if (name.isEmpty()) {
      return Rejection.FIELD_NAME_EMPTY;
    }
    String token = name.startsWith(":") ? name.substring(1) : name;
    if (!token.matches("[a-z0-9!#$%&'*+.^_`|~-]+")) {
      return token.matches("[a-z0-9!#$%&'*+.^_`|~-]*[A-Z](?s:.*)")
          ? Rejection.FIELD_NAME_UPPER_CASE
          : Rejection.FIELD_NAME_INVALID;
    }
    if (!value.matches("[\t\\x20-\\x7E\\x80-\\xFF]*")) {
      return Rejection.FIELD_VALUE_INVALID;
    }
    return value.matches("(?s)[ \t].*|.*[ \t]") ? Rejection.FIELD_VALUE_SPACE_AROUND : null;
  }

  private void evict() {
    while (tableSize() > tableMax) {
      table.removeLast();
    }
  }

  private int tableSize() {
    return table.stream().mapToInt(Entry::size).sum();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static int nameId(String name) {
    if (name.startsWith(":")) {
      int pseudo = PSEUDO_FIELDS.indexOf(name.toLowerCase(Locale.ROOT));
      return pseudo < 0 ? RequestNames.OTHER_PSEUDO : RequestNames.PSEUDO + pseudo;
    }
    KnownHeader header = KnownHeader.of(name);
    return header != null && header.isRecognisedInRequests()
        ? RequestNames.id(header)
        : RequestNames.UNKNOWN;
  }
}
