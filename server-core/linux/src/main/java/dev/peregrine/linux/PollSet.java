package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/**
 * A wait for a few descriptors; see poll(2). An error or the end of the peer counts as ready. Used
 * by one thread at a time.
 */
public final class PollSet {
  private static final int DESCRIPTORS_MAX = 4;
  private static final int ENTRY_BYTES = 8; // struct pollfd: descriptor, events, ready events
  private static final int EVENTS = 4;
  private static final int READY = 6;
  private static final long TIME = (long) DESCRIPTORS_MAX * ENTRY_BYTES; // struct timespec
  private static final short IN = 1;
  private static final short OUT = 4;

  private final Kernel kernel = new Kernel();
  private final MemorySegment memory = Arena.ofAuto().allocate(TIME + 2 * Long.BYTES, Long.BYTES);
  private int count;

  /** Removes all descriptors. */
  public void clear() {
    count = 0;
  }

  /**
   * Adds a descriptor. Returns its index for {@link #isReady}.
   *
   * @param toWrite true to wait until it can be written, false until it can be read
   */
  public int add(int fd, boolean toWrite) {
    long entry = (long) count * ENTRY_BYTES;
    memory.set(ValueLayout.JAVA_INT, entry, fd);
    memory.set(ValueLayout.JAVA_SHORT, entry + EVENTS, toWrite ? OUT : IN);
    memory.set(ValueLayout.JAVA_SHORT, entry + READY, (short) 0);
    return count++;
  }

  /** Waits until a descriptor is ready or the time is over. */
  public void await(long nanos) throws IOException {
    long left = Math.max(nanos, 0);
    long second = TimeUnit.SECONDS.toNanos(1);
    memory.set(ValueLayout.JAVA_LONG, TIME, left / second);
    memory.set(ValueLayout.JAVA_LONG, TIME + Long.BYTES, left % second);
    long address = memory.address();
    long result = kernel.call(SystemCall.PPOLL, address, count, address + TIME, 0, 0, 0);
    if (result < 0 && result != -Errno.EINTR) {
      throw Errno.failure(SystemCall.PPOLL, result);
    }
  }

  /** Returns true if the descriptor was ready when the last wait ended. */
  public boolean isReady(int index) {
    return memory.get(ValueLayout.JAVA_SHORT, (long) index * ENTRY_BYTES + READY) != 0;
  }
}
