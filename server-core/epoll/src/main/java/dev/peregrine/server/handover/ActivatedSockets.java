package dev.peregrine.server.handover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets that systemd, or a program like it, has started this process with; see
 * sd_listen_fds(3).
 *
 * @param names the name of each socket; the descriptor of the first is 3
 */
record ActivatedSockets(List<String> names) {
  private static final int FIRST = 3;
  private static final int COUNT_MAX = 4096;
  private static final String UNNAMED = "unknown";

  /**
   * Reads the environment of this process.
   *
   * @throws IOException if it has no such sockets, with the reason
   */
  public static ActivatedSockets ofProcess() throws IOException {
    return of(System.getenv(), ProcessHandle.current().pid());
  }

  /** Reads an environment. */
  static ActivatedSockets of(Map<String, String> environment, long pid) throws IOException {
    String count = environment.get("LISTEN_FDS");
    if (count == null) {
      throw new IOException("this process was started without sockets: LISTEN_FDS is not set");
    }
    long owner = number("LISTEN_PID", environment.get("LISTEN_PID"), Long.MAX_VALUE);
    if (owner != pid) {
      throw new IOException(
          "the sockets belong to process "
              + owner
              + " (LISTEN_PID), and this is process "
              + pid
              + ": a script that starts the program has to use exec");
    }
    int sockets = (int) number("LISTEN_FDS", count, COUNT_MAX);
    return new ActivatedSockets(names(environment.get("LISTEN_FDNAMES"), sockets));
  }

  private static List<String> names(@Nullable String list, int count) throws IOException {
    String[] given = list == null || list.isEmpty() ? new String[0] : list.split(":", -1);
    if (given.length > count) {
      throw new IOException(
          "LISTEN_FDNAMES has " + given.length + " names for " + count + " sockets");
    }
    List<String> names = new ArrayList<>(List.of(given));
    while (names.size() < count) {
      names.add(UNNAMED);
    }
    return List.copyOf(names);
  }

  private static long number(String variable, @Nullable String text, long most) throws IOException {
    try {
      long value = Long.parseLong(String.valueOf(text));
      if (value >= 1 && value <= most) {
        return value;
      }
    } catch (NumberFormatException malformed) {
      // reported below, like a value out of range
    }
    throw new IOException(variable + " is " + text + ", not 1 to " + most);
  }

  /**
   * Returns the descriptors of the sockets of a name, in order.
   *
   * @param name null for all sockets
   * @throws IOException if there is none
   */
  public List<Integer> descriptors(@Nullable String name) throws IOException {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (name == null || name.equals(names.get(i))) {
        found.add(FIRST + i);
      }
    }
    if (found.isEmpty()) {
      throw new IOException("no socket has the name " + name + ", but " + names);
    }
    return found;
  }
}
