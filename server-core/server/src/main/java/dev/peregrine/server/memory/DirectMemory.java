package dev.peregrine.server.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The direct memory that all pools of the process have taken from the system. It has the limit of
 * the JVM's own direct buffers, which the JVM doesn't enforce for other memory. Thread-safe.
 */
public final class DirectMemory {
  private static final String OPTION = "-XX:MaxDirectMemorySize=";
  private static final String UNITS = "kmgt"; // of 1024 each

  private static final AtomicLong TAKEN = new AtomicLong();

  // Up to here the limit needn't be known: a few loops with a slab each. Arbitrary.
  private static final long UNCHECKED_BYTES_MAX = 4 * 1024 * 1024;

  private static final AtomicInteger SHORTAGES = new AtomicInteger();

  private static volatile boolean isLimitRead;
  private static volatile long limit = Runtime.getRuntime().maxMemory(); // the JVM's default

  private DirectMemory() {}

  /**
   * Reads the limit from the options of the JVM, unless that has been done. Not done for the first
   * block, since it loads dozens of classes.
   */
  public static void readLimit() {
    if (isLimitRead) {
      return;
    }
    try {
      limit = limit(ManagementFactory.getRuntimeMXBean().getInputArguments(), limit);
    } catch (LinkageError absent) {
      // an image for programs on the class path, without the module java.management
    }
    isLimitRead = true;
  }

  /** Returns the memory that all pools have taken at present, in bytes. */
  public static long bytesTaken() {
    return TAKEN.get();
  }

  /** Returns the limit of that, in bytes. */
  public static long bytesMax() {
    return limit;
  }

  /**
   * Returns how often none was left so far. A caller that remembers the number sees whether that
   * has happened since, on any loop.
   */
  public static int shortages() {
    return SHORTAGES.get();
  }

  /** Returns the limit in bytes that the options set; otherwise the default. */
  static long limit(List<String> options, long byDefault) {
    long bytes = 0;
    for (String option : options) {
      if (option.startsWith(OPTION)) {
        bytes = bytes(option.substring(OPTION.length()).toLowerCase(Locale.ROOT));
      }
    }
    return bytes == 0 ? byDefault : bytes; // as the JVM takes it
  }

  private static long bytes(String size) {
    int last = size.length() - 1;
    int unit = UNITS.indexOf(size.charAt(last)) + 1;
    return Long.decode(unit == 0 ? size : size.substring(0, last)) << (10 * unit);
  }

  /**
   * Takes memory, for as long as the arena lives; {@link #closed} is called then.
   *
   * @throws OutOfMemoryError if that would exceed the limit, or the system has none left
   */
  static MemorySegment take(MemorySource source, Arena arena, long bytes) {
    try {
      long taken = TAKEN.addAndGet(bytes);
      if (taken > UNCHECKED_BYTES_MAX) {
        readLimit();
      }
      if (taken > limit) {
        throw new OutOfMemoryError(
            bytes + " bytes more than " + (taken - bytes) + " exceed " + OPTION + limit);
      }
      return source.take(arena, bytes);
    } catch (Throwable failure) {
      closed(bytes);
      int ignored = SHORTAGES.incrementAndGet();
      throw failure;
    }
  }

  /** An arena of that many bytes has been closed. */
  static void closed(long bytes) {
    TAKEN.addAndGet(-bytes);
  }
}
