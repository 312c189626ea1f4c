package dev.peregrine.parser.field;

import java.util.Arrays;

/**
 * The result of a scan of a section in strides: one bit for each byte of a stride. Strides that
 * contain only bytes of one value are left out. Reused from message to message; belongs to {@link
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

  private long[] strides = {}; // full, until the first stride of the first scan

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

  /** Stores the results that a scan kept in locals. */
  public void set(int longs, int count, long lastCrs, long lastName) {
    used = longs;
    marks = count;
    crsBefore = lastCrs;
    nameBefore = lastName;
  }

  /** Adds a stride that contains more than bytes of a value. */
  public void add(long at, long found, long candidates) {
    int stride = used;
    strides[stride] = at;
    strides[stride + MARKS] = found;
    strides[stride + CANDIDATES] = candidates;
    used = stride + STRIDE;
    marks += Long.bitCount(found);
  }

  /**
   * Returns true if the array is full, so that {@link #grow} must be called before {@link #add}.
   */
  public boolean isFull() {
    return used + STRIDE > strides.length;
  }

  /** Doubles the number of strides that the array can hold, at least. */
  public void grow() {
    strides = Arrays.copyOf(strides, Math.max(2 * strides.length, STRIDE * STRIDES_AT_FIRST));
  }

  /** Returns the array of the added strides, {@link #STRIDE} longs each; it must not be changed. */
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

  /** Returns 1 if the last byte of the stride before belongs to a name, otherwise 0. */
  public long nameBefore() {
    return nameBefore;
  }

  /** Stores the bits of this stride that the next one needs. */
  public void endStride(long crs, long name) {
    crsBefore = crs;
    nameBefore = name;
  }
}
