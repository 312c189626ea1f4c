package dev.peregrine.linux;

import org.jspecify.annotations.Nullable;

/** A check whether this VM can make the system calls of {@link Kernel}. */
public final class Linux {
  private static final @Nullable String PROBLEM = find();
  private static volatile boolean linkIsPostponed;
  private static volatile boolean isLinked;
  private static volatile int keptFrom = Integer.MAX_VALUE; // the limit is one of the process

  private Linux() {}

  /**
   * Returns why this VM can't make system calls, as one line that names what to change; null if it
   * can. The VM doesn't print a warning for this check.
   */
  public static @Nullable String problem() {
    return PROBLEM;
  }

  /**
   * Lets {@link #isReady} return false until something needs system calls: linking them takes as
   * long as the rest of a server's start.
   */
  public static void postponeLink() {
    linkIsPostponed = true;
  }

  /** Notes that {@link Kernel} is linked. */
  static void linked() {
    isLinked = true;
  }

  /** Returns true if system calls are linked, so that using them takes no time of the start. */
  public static boolean isLinked() {
    return isLinked;
  }

  /** Returns true if system calls can be made here, and their link isn't to be postponed. */
  public static boolean isReady() {
    return PROBLEM == null && (isLinked || !linkIsPostponed);
  }

  /**
   * Keeps descriptors from a number on for others than the files that are read, such as connections
   * that get a 503. The system always takes the lowest number that is free.
   */
  public static void keepFrom(int descriptor) {
    keptFrom = descriptor;
  }

  /** Returns the first descriptor that no file may take. */
  static int keptFrom() {
    return keptFrom;
  }

  private static @Nullable String find() {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux")) {
      return "it needs Linux, and this is " + system;
    }
    if (Architecture.CURRENT == null) {
      return "it doesn't know the architecture " + System.getProperty("os.arch");
    }
    Module module = Linux.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      return "native access is not enabled: start the VM with --enable-native-access="
          + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }
    return null;
  }
}
