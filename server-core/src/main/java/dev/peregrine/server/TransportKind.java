package dev.peregrine.server;

import dev.peregrine.server.features.Features;
import org.jspecify.annotations.Nullable;

/** A way to do socket I/O. All kinds behave the same; they differ in speed. */
public enum TransportKind {
  /**
   * {@link #EPOLL} where it can be used, else {@link #NIO}. The first server of a JVM begins with
   * {@code NIO} if it listens on one TCP port, because the link to system calls takes as long as
   * the rest of its start, and moves to {@code EPOLL} some seconds after its first request, with
   * its connections.
   */
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
   * Returns why {@link #EPOLL} can't be used in this VM, as one line that names what to change;
   * null if it can. The VM doesn't print a warning for this call.
   */
  public static @Nullable String epollProblem() {
    return Features.EPOLL.problem();
  }

  /**
   * Returns why {@link #EPOLL} can't be used in this VM as far as that is known without a try; null
   * if nothing is known. Unlike {@link #epollProblem} it takes no time.
   */
  public static @Nullable String plainEpollProblem() {
    return Features.EPOLL.knownProblem();
  }
}
