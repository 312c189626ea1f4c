package dev.peregrine.testing;

/** Bounds of the buffers of sockets, whose sizes depend on the system and its settings. */
public final class SystemBuffers {
  /**
   * More bytes than the buffers between two sockets take while the receiver doesn't read. On
   * loopback they begin with some megabytes, and grow to the maximum of tcp_wmem and tcp_rmem,
   * which is usually 4 to 32 MiB.
   */
  public static final int MORE_BYTES = 64 * 1024 * 1024;

  private SystemBuffers() {}
}
