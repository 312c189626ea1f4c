package dev.peregrine.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The process at the other end of a {@link LocalSocket}, by {@code struct ucred}.
 *
 * @param pid its process id when it connected, or began to listen
 * @param uid its effective user id then
 */
public record PeerProcess(int pid, int uid) {
  static final int BYTES = 12;

  private static final int ROOT = 0;

  static PeerProcess read(MemorySegment source) {
    return new PeerProcess(
        source.get(ValueLayout.JAVA_INT, 0), source.get(ValueLayout.JAVA_INT, Integer.BYTES));
  }

  /** Returns true if it is of the same user as this process, or of root, who may do anything. */
  public boolean isTrusted() {
    return uid == ROOT || uid == ownUid();
  }

  private static int ownUid() {
    return (int) new Kernel().call(SystemCall.GETEUID, 0, 0);
  }
}
