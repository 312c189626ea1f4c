package dev.peregrine.server;

import dev.peregrine.server.loop.epoll.EpollTransport;
import org.jspecify.annotations.Nullable;

/** How the server does its socket I/O. All kinds behave the same; they differ in speed. */
public enum TransportKind {
  /** {@link #EPOLL} where it can be used, else {@link #NIO}. */
  AUTO,
  /** {@code java.nio}: works everywhere. */
  NIO,
  /**
   * Linux system calls through {@code java.lang.foreign}, on x86-64 and AArch64. The VM has to be
   * started with {@code --enable-native-access=dev.peregrine.server}, or {@code ALL-UNNAMED} if
   * Peregrine is on the class path.
   */
  EPOLL;

  /**
   * Why {@link #EPOLL} can't be used in this VM, as one line that names what to change; null if it
   * can. Asking makes the VM print no warning about native access.
   */
  public static @Nullable String epollProblem() {
    return EpollTransport.problem();
  }
}
