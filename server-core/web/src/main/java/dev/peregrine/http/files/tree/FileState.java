package dev.peregrine.http.files.tree;

import dev.peregrine.linux.FileCalls;

/**
 * A state of one file by its attributes. Two states that are equal have the same content, unless
 * one of them wasn't {@link #isSettled settled}.
 *
 * @param size in bytes
 * @param modifiedSecond when the content was changed, or the time that a program has set
 * @param changedSecond when content or attributes of the file were changed, which no program can
 *     set; where the system doesn't know it, when the file was created
 * @param device identifies the file together with {@code inode}; {@link #UNKNOWN} where the system
 *     doesn't report it
 */
public record FileState(
    long size,
    long modifiedSecond,
    int modifiedNano,
    long changedSecond,
    int changedNano,
    long device,
    long inode) {
  static final long UNKNOWN = -1;

  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  static FileState of(FileCalls calls) {
    return new FileState(
        calls.size(),
        calls.modifiedSecond(),
        calls.modifiedNano(),
        calls.changedSecond(),
        calls.changedNano(),
        calls.device(),
        calls.inode());
  }

  /**
   * Returns true if the attributes that the calls have read last are this state: {@link #equals}
   * without an object.
   */
  boolean is(FileCalls calls) {
    return calls.size() == size
        && calls.modifiedSecond() == modifiedSecond
        && calls.modifiedNano() == modifiedNano
        && calls.changedSecond() == changedSecond
        && calls.changedNano() == changedNano
        && calls.device() == device
        && calls.inode() == inode;
  }

  /** Returns true if files of one size and time can be distinguished. */
  public boolean isIdentified() {
    return inode != UNKNOWN;
  }

  /**
   * Returns true if any change from now on will show: a file may change once more within the same
   * tick of its time stamp.
   *
   * @param tickSeconds the coarsest tick, in seconds; negative if ticks don't matter
   */
  public boolean isSettled(long nowMillis, int tickSeconds) {
    long second = isIdentified() ? changedSecond : modifiedSecond;
    return Math.abs(nowMillis / 1000 - second) > tickSeconds;
  }

  /** Returns a hash of everything except the size; the inode can't be derived from it. */
  public long fingerprint() {
    long mixed = mix(modifiedSecond) + modifiedNano;
    mixed = mix(mixed) + changedSecond;
    mixed = mix(mixed) + changedNano;
    mixed = mix(mixed) + device;
    mixed = mix(mixed) + inode;
    return mix(mixed);
  }

  /**
   * Returns the finalizer of SplitMix64: every bit of the result depends on every bit of the value.
   */
  private static long mix(long value) {
    long z = value + GOLDEN_RATIO;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
