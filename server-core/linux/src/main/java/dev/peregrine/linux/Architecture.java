package dev.peregrine.linux;

import org.jspecify.annotations.Nullable;

/** The supported processor architectures. */
public enum Architecture {
  /** x86-64, the only one on which {@code struct epoll_event} is packed. */
  X86_64(12, 4, 24),
  AARCH64(16, 8, 16);

  /** The architecture of this VM; null if it isn't supported. */
  public static final @Nullable Architecture CURRENT =
      switch (System.getProperty("os.arch", "")) {
        case "amd64", "x86_64" -> X86_64;
        case "aarch64" -> AARCH64;
        default -> null;
      };

  /** Size of {@code struct epoll_event}. */
  public final int eventBytes;

  /** Offset of {@code data} in {@code struct epoll_event}; {@code events} is at 0. */
  public final int eventDataOffset;

  /**
   * Offset of {@code st_mode} in {@code struct stat}, the only member in use whose offset differs.
   */
  public final int statModeOffset;

  Architecture(int eventBytes, int eventDataOffset, int statModeOffset) {
    this.eventBytes = eventBytes;
    this.eventDataOffset = eventDataOffset;
    this.statModeOffset = statModeOffset;
  }
}
