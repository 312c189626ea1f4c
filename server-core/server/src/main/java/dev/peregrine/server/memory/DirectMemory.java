package dev.peregrine.server.memory;

import dev.peregrine.server.config.MemorySource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that a pool has taken from the system, and how much all pools of the process have. They
 * have the limit of the JVM's own direct buffers, which the JVM doesn't enforce for other memory.
 * Memory of the application's sources doesn't count, because these have limits of their own.
 * Thread-safe.
 */
public final class DirectMemory implements AutoCloseable {
  private static final String OPTION = "-XX:MaxDirectMemorySize=";
  private static final String UNITS = "kmgt"; // of 1024 each

  private static final AtomicLong TAKEN = new AtomicLong();

  // Up to here the limit needn't be known: a few loops with a slab each. Arbitrary.
  private static final long UNCHECKED_BYTES_MAX = 4 * 1024 * 1024;

  private static final AtomicInteger SHORTAGES = new AtomicInteger();

  private static volatile boolean isLimitRead;
  private static volatile long limit = Runtime.getRuntime().maxMemory(); // the JVM's default

  private final Arena arena;
  private final long bytes;

  private DirectMemory(Arena arena, long bytes) {
    this.arena = arena;
    this.bytes = bytes;
  }

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
   * Returns how often a pool got none so far, whatever its source. A caller that remembers the
   * number sees whether that has happened since, on any loop.
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

  /** Takes memory for a pool; a failure counts as a shortage. */
  static MemorySource.Region takeFrom(MemorySource source, int bytes) {
    try {
      return source.take(bytes);
    } catch (Throwable failure) {
      int ignored = SHORTAGES.incrementAndGet();
      throw failure;
    }
  }

  /**
   * Takes memory of the process.
   *
   * @throws OutOfMemoryError if that would exceed the limit, or the system has none left
   */
  static MemorySource.Region take(OwnMemory source, int bytes) {
    Arena arena = Arena.ofShared();
    try {
      long taken = TAKEN.addAndGet(bytes);
      if (taken > UNCHECKED_BYTES_MAX) {
        readLimit();
      }
      if (taken > limit) {
        throw new OutOfMemoryError(
            bytes + " bytes more than " + (taken - bytes) + " exceed " + OPTION + limit);
      }
      MemorySegment memory = source.take(arena, bytes);
      return new MemorySource.Region(memory, new DirectMemory(arena, bytes));
    } catch (Throwable failure) {
      TAKEN.addAndGet(-bytes);
      arena.close();
      throw failure;
    }
  }

  @Override
  public void close() {
    arena.close();
    TAKEN.addAndGet(-bytes);
  }
}
