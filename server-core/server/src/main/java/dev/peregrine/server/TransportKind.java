package dev.peregrine.server;

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
   * Linux system calls through {@code java.lang.foreign}, on x86-64 and AArch64, for a server that
   * is built with {@code Epoll.create()}. The VM has to be started with {@code
   * --enable-native-access=dev.peregrine.linux}, or {@code ALL-UNNAMED} if Peregrine is on the
   * class path.
   */
  EPOLL
}
