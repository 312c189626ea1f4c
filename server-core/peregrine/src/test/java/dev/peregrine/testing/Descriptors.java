package dev.peregrine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The descriptors that this process holds; on Linux only. */
public final class Descriptors {
  private static final Path OWN = Path.of("/proc/self/fd");
  private static final int RLIMIT_NOFILE = 7;

  private Descriptors() {}

  public static boolean areVisible() {
    return Files.isDirectory(OWN);
  }

  /** Returns the targets of the descriptors that a transport may open: sockets, epoll, eventfd. */
  public static List<String> ofTransports() {
    try (Stream<Path> all = Files.list(OWN)) {
      return all.map(Descriptors::target)
          .filter(name -> name.startsWith("socket:") || name.startsWith("anon_inode:"))
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Waits until all open descriptors of transports are among those; others may close some. */
  public static void awaitNoMoreThan(List<String> before) {
    Await.until(() -> more(before) + " are open, beside " + before, () -> more(before).isEmpty());
  }

  private static List<String> more(List<String> before) {
    List<String> more = new ArrayList<>(ofTransports());
    for (String each : before) {
      boolean ignored = more.remove(each); // once: those of one kind have one name
    }
    return more;
  }

  /** Returns the number of open sockets, those of clients included; 0 where it isn't known. */
  public static long sockets() {
    return areVisible()
        ? ofTransports().stream().filter(name -> name.startsWith("socket:")).count()
        : 0;
  }

  /** Returns the open files in a directory. */
  public static List<String> ofFilesIn(Path dir) {
    try (Stream<Path> all = Files.list(OWN)) {
      return all.map(Descriptors::target).filter(name -> name.startsWith(dir + "/")).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Runs something while the process may not open any more descriptors. */
  public static void exhausted(Runnable work) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limits = arena.allocate(2 * Long.BYTES);
      check((int) function("getrlimit").invokeExact(RLIMIT_NOFILE, limits));
      long soft = limits.get(ValueLayout.JAVA_LONG, 0);
      MethodHandle setLimit = function("setrlimit");
      limits.set(ValueLayout.JAVA_LONG, 0, 0);
      check((int) setLimit.invokeExact(RLIMIT_NOFILE, limits));
      try {
        work.run();
      } finally {
        limits.set(ValueLayout.JAVA_LONG, 0, soft);
        check((int) setLimit.invokeExact(RLIMIT_NOFILE, limits));
      }
    }
  }

  @SuppressWarnings("restricted") // tests run with native access
  private static MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  private static void check(int result) {
    if (result != 0) {
      throw new IllegalStateException("the limit of descriptors can't be changed");
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
