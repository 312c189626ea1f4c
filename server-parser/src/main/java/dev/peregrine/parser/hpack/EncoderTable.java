package dev.peregrine.parser.hpack;

import java.util.Arrays;

/**
 * The peer's dynamic table, as an encoder has to know it (RFC 7541 section 4): the order and the
 * sizes of the entries that it has inserted, without their text. Its memory is allocated when the
 * first entry is inserted. Belongs to one connection.
 *
 * <p>A caller keeps the number that {@link #insert} returns for a field, and writes the field's
 * {@link #indexOf} as long as that isn't 0.
 */
public final class EncoderTable {
  private static final int ENTRIES_AT_FIRST = 8;
  private static final int[] NO_SIZES = {};

  private int bytesMax;

  /** The sizes of the entries, a ring whose length is a power of two. */
  private int[] sizes = NO_SIZES;

  private int inserted;
  private int count;
  private int size;

  /**
   * Creates an empty table.
   *
   * @param bytesMax the size that the peer's table may have, at least 0; the memory of this table
   *     grows to an eighth of it
   */
  public EncoderTable(int bytesMax) {
    this.bytesMax = requireSize(bytesMax);
  }

  /** Returns the size that the table may have. */
  public int bytesMax() {
    return bytesMax;
  }

  /** Returns the size of all entries. */
  public int size() {
    return size;
  }

  /**
   * Changes the size that the table may have, and evicts entries as needed. The peer must be sent
   * the same change, by {@link HpackWriter#tableSizeUpdate}.
   */
  public void resize(int bytesMax) {
    this.bytesMax = requireSize(bytesMax);
    evict(0);
  }

  /**
   * Inserts a field, and evicts others as needed. A field that is larger than the table may be
   * empties it.
   *
   * @return the field's number for {@link #indexOf}; numbers repeat after 2<sup>32</sup> insertions
   */
  public int insert(int nameLength, int valueLength) {
    long added = (long) nameLength + valueLength + TableEntry.OVERHEAD;
    evict(added);
    if (added > bytesMax) {
      return inserted++; // the table is empty, so that this number has no entry
    }
    if (count == sizes.length) {
      grow();
    }
    sizes[inserted & (sizes.length - 1)] = (int) added;
    size += (int) added;
    count++;
    return inserted++;
  }

  /**
   * Returns the index of a field, which is valid until the next insertion; 0 if it was evicted.
   *
   * @param number was returned by {@link #insert}
   */
  public int indexOf(int number) {
    int age = inserted - number;
    return age > 0 && age <= count ? StaticTable.COUNT + age : 0;
  }

  private void evict(long added) {
    while (count > 0 && size + added > bytesMax) {
      size -= sizes[(inserted - count) & (sizes.length - 1)];
      count--;
    }
  }

  private void grow() {
    int[] old = sizes;
    if (old.length == 0) {
      sizes = new int[ENTRIES_AT_FIRST];
      return;
    }
    int[] grown = Arrays.copyOf(old, 2 * old.length);
    for (int i = inserted - count; i != inserted; i++) {
      grown[i & (grown.length - 1)] = old[i & (old.length - 1)];
    }
    sizes = grown;
  }

  private static int requireSize(int bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax is " + bytesMax + ", not 0 or more");
    }
    return bytesMax;
  }
}
