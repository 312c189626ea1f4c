package dev.peregrine.server.accept;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The open files of this process, and how many it may have: the soft limit of RLIMIT_NOFILE, which
 * the JVM raises to the hard limit before a program runs. Sockets are files as well.
 *
 * @param limit the most that can be open at a time
 * @param open those that are open at present
 */
public record OpenFiles(int limit, int open) {
  private static final String LIMITS = "/proc/self/limits";
  private static final String DESCRIPTORS = "/proc/self/fd";
  private static final String LINE = "\nMax open files ";
  private static final int LIMITS_BYTES_MAX = 16 * 1024;

  // Arbitrary. What is left over is for files that are sent, classes, the log, DNS, and connections
  // of the application: a quarter, which no connection of a client takes.
  private static final int RESERVE_PART = 4;
  private static final int RESERVE_MIN = 16;
  private static final int RESERVE_MAX = 1024;

  /**
   * Reads both numbers; null if the system doesn't tell them, as any but Linux, or if there is no
   * limit.
   */
  public static @Nullable OpenFiles read() {
    try (FileInputStream in = new FileInputStream(LIMITS)) {
      String limits = new String(in.readNBytes(LIMITS_BYTES_MAX), StandardCharsets.ISO_8859_1);
      int limit = softLimit(limits);
      String[] descriptors = new File(DESCRIPTORS).list();
      return limit == 0 || descriptors == null ? null : new OpenFiles(limit, descriptors.length);
    } catch (IOException absent) {
      return null;
    }
  }

  /** Returns the soft limit from the text of {@code /proc/self/limits}; 0 if there is none. */
  static int softLimit(String limits) {
    int line = limits.indexOf(LINE);
    int from = line + LINE.length();
    while (line >= 0 && from < limits.length() && limits.charAt(from) == ' ') {
      from++;
    }
    long limit = 0;
    for (int i = from; line >= 0 && i < limits.length() && isDigit(limits.charAt(i)); i++) {
      limit = Math.min(Integer.MAX_VALUE, limit * 10 + limits.charAt(i) - '0');
    }
    return (int) limit;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns the same without the connections of clients. */
  public OpenFiles without(int connections) {
    return new OpenFiles(limit, Math.max(0, open - connections));
  }

  /** Returns the number of files that connections of clients leave to others. */
  public int reserve() {
    int left = Math.max(0, limit - open);
    return Math.clamp(left / RESERVE_PART, Math.min(RESERVE_MIN, left / 2), RESERVE_MAX);
  }

  /** Returns the number of connections that the limit allows, at least 1. */
  public int connectionsMax() {
    return Math.max(1, limit - open - reserve());
  }

  /**
   * Returns the number of files that can be opened without the reserve.
   *
   * @param connections connections of clients, which are open too
   */
  public int spare(int connections) {
    return Math.max(0, limit - open - without(connections).reserve());
  }

  /** Describes the limit for the log, with the names that an operator sets it by. */
  public String describe() {
    return "the limit of " + limit + " open files (LimitNOFILE, ulimit -n)";
  }
}
