package dev.peregrine.linux;

import org.jspecify.annotations.Nullable;

/** A check whether this VM can make the system calls of {@link Kernel}. */
public final class Linux {
  private static final @Nullable String PROBLEM = find();

  private Linux() {}

  /**
   * Returns why this VM can't make system calls, as one line that names what to change; null if it
   * can. The VM doesn't print a warning for this check.
   */
  public static @Nullable String problem() {
    return PROBLEM;
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
