package dev.peregrine.parser.field;

import java.util.Arrays;

/**
 * What a scan in blocks found in a section, as bits: one for each byte of a block, for blocks that
 * have more than bytes of values. Reused from message to message; belongs to {@link FieldLines}.
 */
public final class FieldBits {
  /** Longs of a block: its offset, then bits. */
  public static final int BLOCK = 4;

  /** Colons behind names. */
  static final int COLONS = 1;

  /** CRs at the ends of lines. */
  static final int LINE_ENDS = 2;

  /** Second letters of names that may be those of framing fields. */
  public static final int CANDIDATES = 3;

  private static final int BLOCKS_AT_FIRST = 16;

  long[] blocks = new long[BLOCK * BLOCKS_AT_FIRST];

  /** Where offset 0 is. */
  long base;

  /** How many longs of {@link #blocks} are in use. */
  int used;

  /** How many CRs there are. */
  int lineEnds;

  /** The last three bits of the last block's CRs, and the last of its names. */
  long crsBefore;

  long nameBefore;

  /** Starts a section, of which offset 0 is at an index. */
  void begin(long offsetZero, long crs) {
    base = offsetZero;
    set(0, 0, crs, 0);
  }

  void set(int longs, int crs, long lastCrs, long lastName) {
    used = longs;
    lineEnds = crs;
    crsBefore = lastCrs;
    nameBefore = lastName;
  }

  void add(long at, long colons, long crs, long candidates) {
    int block = used;
    blocks[block] = at - base;
    blocks[block + COLONS] = colons;
    blocks[block + LINE_ENDS] = crs;
    blocks[block + CANDIDATES] = candidates;
    used = block + BLOCK;
    lineEnds += Long.bitCount(crs);
  }

  boolean isFull() {
    return used + BLOCK > blocks.length;
  }

  void grow() {
    blocks = Arrays.copyOf(blocks, 2 * blocks.length);
  }

  /** {@link #BLOCK} longs for each block that has more than bytes of values; only to be read. */
  public long[] blocks() {
    return blocks;
  }

  /** How many longs of {@link #blocks} are in use. */
  public int used() {
    return used;
  }
}
