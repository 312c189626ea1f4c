package dev.peregrine.parser.hpack;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Decodes field blocks (RFC 7541) without allocation, except for the dynamic table, which is
 * allocated when the peer first inserts an entry. One for each connection.
 *
 * <p>A field that is malformed is not an error of the compression: it is reported by {@link
 * DecodedFields#fault}, and the block is decoded to its end, because the following blocks of the
 * connection depend on its entries. The same holds for a section that exceeds the limits of {@link
 * DecodedFields}: fields beyond them are only inserted into the table.
 *
 * <p>An integer may have at most five octets after its first, and 31 bits. A block may begin with
 * any number of table size updates. None is ever required (RFC 7541 section 4.2), because the
 * announced size of the table does not change.
 */
public final class HpackDecoder {
  /** The greatest table size that can be announced. */
  public static final int TABLE_BYTES_MAX = DynamicTable.BYTES_MAX;

  // The first octets, RFC 7541 section 6. An indexed field has the highest bit.
  private static final int INDEXED_PREFIX = 0x7F;
  private static final int INSERTED = 0x40;
  private static final int INSERTED_PREFIX = 0x3F;
  private static final int SIZE_UPDATE_MASK = 0xE0;
  private static final int SIZE_UPDATE = 0x20;
  private static final int SIZE_UPDATE_PREFIX = 0x1F;
  private static final int LITERAL_PREFIX = 0x0F;

  private static final long ERROR = BlockReader.ERROR;

  private final int tableBytesMax;
  private final DynamicTable table;

  /**
   * Creates a decoder with an empty table.
   *
   * @param tableBytesMax the SETTINGS_HEADER_TABLE_SIZE that was announced to the peer, 0 to {@link
   *     #TABLE_BYTES_MAX}
   */
  public HpackDecoder(int tableBytesMax) {
    if (tableBytesMax < 0 || tableBytesMax > TABLE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "tableBytesMax is " + tableBytesMax + ", not 0 to " + TABLE_BYTES_MAX);
    }
    this.tableBytesMax = tableBytesMax;
    table = new DynamicTable(tableBytesMax);
  }

  /** Returns the size of the dynamic table's entries, RFC 7541 section 4.1. */
  public int tableSize() {
    return table.size();
  }

  /**
   * Decodes the field block in {@code [from, to)}, which is whole.
   *
   * @param into receives the fields; what it held before is cleared
   * @return false for an error of the compression (COMPRESSION_ERROR, RFC 9113 section 4.3), after
   *     which neither the decoder nor the fields may be used
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during this call
   * @throws WrongThreadException if the segment belongs to another thread
   */
  public boolean decode(MemorySegment bytes, long from, long to, DecodedFields into) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    into.begin();
    if (from == to) {
      return true;
    }
    bytes.get(ValueLayout.JAVA_BYTE, from); // checked, because the later loads may not be
    if (!Memory.isInAll(bytes)) {
      return decodeBlock(bytes, from, to, into);
    }
    try {
      long base = Memory.inRange(bytes.address() + from);
      return decodeBlock(Memory.ALL, base, base + (to - from), into);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  private boolean decodeBlock(MemorySegment bytes, long from, long to, DecodedFields into) {
    BlockReader reader = into.reader();
    reader.begin(from, to);
    long at = from;
    if (isSizeUpdate(Memory.byteAt(bytes, at))) {
      at = updateSizes(bytes, from, to, reader);
    }
    while (at < to && at != ERROR) {
      int first = Memory.byteAt(bytes, at);
      if (first >= 0) {
        at = onLiteral(bytes, at, first, into);
      } else if ((first & INDEXED_PREFIX) < INDEXED_PREFIX) {
        at = onIndexed(first & INDEXED_PREFIX, into) ? at + 1 : ERROR;
      } else {
        at = reader.readInteger(bytes, at, INDEXED_PREFIX);
        at = at != ERROR && onIndexed(reader.integer(), into) ? at : ERROR;
      }
    }
    return at != ERROR;
  }

  private static boolean isSizeUpdate(int first) {
    return (first & SIZE_UPDATE_MASK) == SIZE_UPDATE;
  }

  private long updateSizes(MemorySegment bytes, long from, long to, BlockReader reader) {
    long at = from;
    while (at < to && isSizeUpdate(Memory.byteAt(bytes, at))) {
      at = reader.readInteger(bytes, at, SIZE_UPDATE_PREFIX);
      if (at == ERROR || reader.integer() > tableBytesMax) {
        return ERROR;
      }
      table.resize(reader.integer());
    }
    return at;
  }

  /** Returns the entry of the static or dynamic table at an index, or 0. */
  private long entry(int index) {
    return index <= StaticTable.COUNT
        ? StaticTable.entry(index)
        : table.entry(index - StaticTable.COUNT);
  }

  /** Copies the beginning of an entry's text, with or without its value. */
  private void copy(int index, long entry, int length, byte[] out, int at) {
    if (index <= StaticTable.COUNT) {
      Words.copy(StaticTable.TEXT, TableEntry.start(entry), out, at, length);
    } else {
      table.copy(entry, length, out, at);
    }
  }

  private boolean onIndexed(int index, DecodedFields into) {
    long entry = entry(index);
    if (entry == 0) {
      return false;
    }
    int nameLength = TableEntry.nameLength(entry);
    int valueLength = TableEntry.valueLength(entry);
    int length = nameLength + valueLength;
    int at = into.textLength();
    if (at + length > into.limit()) {
      into.exceed();
      return true;
    }
    copy(index, entry, length, into.textWithRoom(length), at);
    into.add(nameLength, valueLength, TableEntry.nameId(entry), TableEntry.faults(entry));
    return true;
  }

  private long onLiteral(MemorySegment bytes, long at, int first, DecodedFields into) {
    BlockReader reader = into.reader();
    boolean inserted = (first & INSERTED) != 0;
    long next = reader.readInteger(bytes, at, inserted ? INSERTED_PREFIX : LITERAL_PREFIX);
    int index = reader.integer();
    if (next == ERROR || isSizeUpdate(first)) {
      return ERROR;
    }
    long entry = entry(index);
    long nameMax = TableEntry.nameLength(entry);
    if (index == 0) {
      next = into.name().open(bytes, next);
      nameMax = into.name().lengthMax();
    } else if (entry == 0) {
      return ERROR;
    }
    if (next == ERROR) {
      return ERROR;
    }
    next = into.value().open(bytes, next);
    if (next == ERROR) {
      return ERROR;
    }
    long lengthMax = nameMax + into.value().lengthMax();
    boolean done =
        into.textLength() + lengthMax <= into.limit()
            ? keep(bytes, index, entry, (int) lengthMax, inserted, into)
            : onLong(bytes, index, entry, inserted, into);
    return done ? next : ERROR;
  }

  /** Decodes a literal field that may be too large to be kept. */
  private boolean onLong(
      MemorySegment bytes, int index, long entry, boolean inserted, DecodedFields into) {
    long nameLength = index == 0 ? into.name().length(bytes) : TableEntry.nameLength(entry);
    long valueLength = into.value().length(bytes);
    if (nameLength == ERROR || valueLength == ERROR) {
      return false;
    }
    long length = nameLength + valueLength;
    if (into.textLength() + length <= into.limit()) {
      return keep(bytes, index, entry, (int) length, inserted, into);
    }
    into.exceed();
    if (inserted) {
      if (length + TableEntry.OVERHEAD > table.sizeMax()) {
        table.clear();
      } else {
        byte[] scratch = into.scratch((int) length);
        table.insert(scratch, 0, decodeField(bytes, index, entry, scratch, 0, into));
      }
    }
    return true;
  }

  private boolean keep(
      MemorySegment bytes, int index, long entry, int room, boolean inserted, DecodedFields into) {
    int start = into.textLength();
    byte[] text = into.textWithRoom(room);
    long shape = decodeField(bytes, index, entry, text, start, into);
    if (shape == ERROR) {
      return false;
    }
    into.add(
        FieldShape.nameLength(shape),
        FieldShape.valueLength(shape),
        FieldShape.nameId(shape),
        FieldShape.faults(shape));
    if (inserted) {
      table.insert(text, start, shape);
    }
    return true;
  }

  /**
   * Decodes a literal field.
   *
   * @param index the index of the name, or 0 if it is a string
   * @param entry the entry with this index
   * @return its {@link FieldShape}, or {@link #ERROR}
   */
  private long decodeField(
      MemorySegment bytes, int index, long entry, byte[] out, int start, DecodedFields into) {
    int nameEnd;
    int nameId;
    int faults;
    if (index == 0) {
      nameEnd = into.name().decodeName(bytes, out, start);
      if (nameEnd == ERROR) {
        return ERROR;
      }
      nameId = into.nameId(out, start, nameEnd);
      faults = into.name().nameFaults(out, start, nameEnd);
    } else {
      nameEnd = start + TableEntry.nameLength(entry);
      copy(index, entry, nameEnd - start, out, start);
      nameId = TableEntry.nameId(entry);
      faults = FieldFaults.ofNameOnly(TableEntry.faults(entry));
    }
    int end = into.value().decodeValue(bytes, out, nameEnd);
    if (end == ERROR) {
      return ERROR;
    }
    faults |= into.value().valueFaults(out, nameEnd, end);
    return FieldShape.of(nameEnd - start, end - nameEnd, nameId, faults);
  }
}
