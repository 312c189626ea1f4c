package dev.peregrine.parser.hpack;

import java.util.Arrays;

/**
 * A decoder's dynamic table, RFC 7541 section 2.3.2: a ring of entries and a ring of their text.
 * Both are allocated when the first entry is inserted, and grow with the table.
 */
final class DynamicTable {
  /** The greatest size that a table can have. */
  static final int BYTES_MAX = TableEntry.LENGTH_END;

  private static final int TEXT_AT_FIRST = 256;
  private static final int ENTRIES_AT_FIRST = 8;
  private static final byte[] NO_TEXT = {};
  private static final long[] NO_ENTRIES = {};

  private byte[] text = NO_TEXT;
  private long[] entries = NO_ENTRIES;

  // Counted without end; the rings' lengths are powers of two.
  private int textEnd;
  private int inserted;

  private int count;
  private int size;
  private int sizeMax;

  DynamicTable(int sizeMax) {
    this.sizeMax = sizeMax;
  }

  int sizeMax() {
    return sizeMax;
  }

  int size() {
    return size;
  }

  /** Returns an entry, 1 is the newest; or 0 if there are fewer. */
  long entry(int index) {
    return index <= count ? entries[inserted - index & entries.length - 1] : 0;
  }

  /** Sets the size that the table may have, and evicts entries as needed. */
  void resize(int sizeMax) {
    this.sizeMax = sizeMax;
    evict(0);
  }

  /** Evicts all entries. */
  void clear() {
    count = 0;
    size = 0;
  }

  /**
   * Copies the beginning of the entry's text.
   *
   * @param out has {@link Words#SLACK} bytes of room after the text
   */
  void copy(long entry, int length, byte[] out, int at) {
    int capacity = text.length - Words.SLACK;
    int start = TableEntry.start(entry) & capacity - 1;
    if (start + length <= capacity) {
      Words.copy(text, start, out, at, length);
    } else {
      int first = capacity - start;
      System.arraycopy(text, start, out, at, first);
      System.arraycopy(text, 0, out, at + first, length - first);
    }
  }

  /**
   * Inserts an entry, and evicts others as needed. If it is larger than the table may be, the table
   * is empty afterwards.
   *
   * @param source an array with the name and the value at {@code from}
   * @param shape the field's {@link FieldShape}
   */
  void insert(byte[] source, int from, long shape) {
    int length = FieldShape.nameLength(shape) + FieldShape.valueLength(shape);
    int added = length + TableEntry.OVERHEAD;
    if (added > sizeMax) {
      clear();
      return;
    }
    evict(added);
    ensureRoom(length);
    entries[inserted & entries.length - 1] = TableEntry.of(textEnd, shape);
    inserted++;
    count++;
    size += added;
    put(source, from, length);
  }

  private void evict(int added) {
    while (size + added > sizeMax) {
      long oldest = entries[inserted - count & entries.length - 1];
      size -= TableEntry.nameLength(oldest) + TableEntry.valueLength(oldest) + TableEntry.OVERHEAD;
      count--;
    }
  }

  private void put(byte[] source, int from, int length) {
    int capacity = text.length - Words.SLACK;
    int start = textEnd & capacity - 1;
    int first = Math.min(length, capacity - start);
    System.arraycopy(source, from, text, start, first);
    System.arraycopy(source, from + first, text, 0, length - first);
    textEnd += length;
  }

  private void ensureRoom(int length) {
    int used = size - count * TableEntry.OVERHEAD;
    if (used + length > text.length - Words.SLACK) {
      growText(used, used + length);
    }
    if (count == entries.length) {
      growEntries();
    }
  }

  private void growText(int used, int needed) {
    int capacity = Math.max(TEXT_AT_FIRST, Integer.highestOneBit(needed - 1) << 1);
    byte[] old = text;
    var grown = new byte[capacity + Words.SLACK];
    int oldMask = old.length - Words.SLACK - 1;
    for (int i = textEnd - used; i != textEnd; i++) {
      grown[i & capacity - 1] = old[i & oldMask];
    }
    text = grown;
  }

  private void growEntries() {
    long[] old = entries;
    if (old.length == 0) {
      entries = new long[ENTRIES_AT_FIRST];
      return;
    }
    long[] grown = Arrays.copyOf(old, 2 * old.length);
    for (int i = inserted - count; i != inserted; i++) {
      grown[i & grown.length - 1] = old[i & old.length - 1];
    }
    entries = grown;
  }
}
