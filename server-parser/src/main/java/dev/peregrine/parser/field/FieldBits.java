package dev.peregrine.parser.field;

import java.util.Arrays;

/**
 * The result of a scan in strides of a section, as bits: one for each byte of a stride, for strides
 * that have more than bytes of values. Reused from message to message; belongs to {@link
 * FieldLines}.
 */
public final class FieldBits {
  /** Longs of a stride: the index of its first byte, then bits. */
  public static final int STRIDE = 3;

  /** Colons after names, and CRs at the ends of lines. */
  public static final int MARKS = 1;

  /** Second letters of names that may be those of framing fields. */
  public static final int CANDIDATES = 2;

  private static final int STRIDES_AT_FIRST = 16;

  private long[] strides = new long[STRIDE * STRIDES_AT_FIRST];

  private long base;
  private int used;
  private int marks;
  private long crsBefore;
  private long nameBefore;

  /** Starts a section whose offset 0 is at an index; the CRs are those of the stride before. */
  public void begin(long offsetZero, long crs) {
    base = offsetZero;
    set(0, 0, crs, 0);
  }

  /** Takes over what a scan kept in locals. */
  public void set(int longs, int count, long lastCrs, long lastName) {
    used = longs;
    marks = count;
    crsBefore = lastCrs;
    nameBefore = lastName;
  }

  /** Adds a stride that has more than bytes of values. */
  public void add(long at, long found, long candidates) {
    int stride = used;
    strides[stride] = at;
    strides[stride + MARKS] = found;
    strides[stride + CANDIDATES] = candidates;
    used = stride + STRIDE;
    marks += Long.bitCount(found);
  }

  /** Returns true if there is no room for another stride. */
  public boolean isFull() {
    return used + STRIDE > strides.length;
  }

  /** Makes room for as many strides again. */
  public void grow() {
    strides = Arrays.copyOf(strides, 2 * strides.length);
  }

  /** {@link #STRIDE} longs for each stride that has more than bytes of values; only to be read. */
  public long[] strides() {
    return strides;
  }

  /** Returns the index at which offset 0 is. */
  public long base() {
    return base;
  }

  /** Returns how many longs of {@link #strides} are in use. */
  public int used() {
    return used;
  }

  /** Returns the number of marks. */
  public int marks() {
    return marks;
  }

  /** Returns the CRs of the stride before. */
  public long crsBefore() {
    return crsBefore;
  }

  /** 1 if the last byte of the stride before belongs to a name, else 0. */
  public long nameBefore() {
    return nameBefore;
  }

  /** Remembers what the next stride needs of this one. */
  public void endStride(long crs, long name) {
    crsBefore = crs;
    nameBefore = name;
  }
}
