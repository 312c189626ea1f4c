package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.StreamSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The progress of a TCP connection, by {@code struct tcp_info} of {@code linux/tcp.h} and by the
 * queue of bytes that the peer hasn't acknowledged. Has its own memory, so it is used by one thread
 * at a time.
 */
final class TcpInfo {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int SIOCOUTQ = 0x5411;

  // struct tcp_info, followed by its size, which the kernel reads and writes
  private static final int BYTES_ACKED = 120;
  private static final int SEGMENTS_OUT = 136;
  private static final int USED_BYTES = 140;
  private static final int SIZE = 144;
  private static final int MEMORY_BYTES = 152;

  private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, Long.BYTES);
  private final long address = memory.address();

  /** Returns how many bytes of a connection the peer has acknowledged. */
  long acknowledgedBytes(Kernel kernel, int fd) {
    memory.set(ValueLayout.JAVA_INT, SIZE, USED_BYTES);
    long result =
        kernel.call(SystemCall.GETSOCKOPT, fd, IPPROTO_TCP, TCP_INFO, address, address + SIZE, 0);
    boolean known =
        result == 0
            && memory.get(ValueLayout.JAVA_INT, SIZE) == USED_BYTES
            && memory.get(ValueLayout.JAVA_INT, SEGMENTS_OUT) != 0; // else it isn't filled in
    return known ? memory.get(ValueLayout.JAVA_LONG, BYTES_ACKED) : StreamSocket.UNKNOWN;
  }

  /** Returns how many bytes of a connection the peer has not acknowledged. */
  long unacknowledgedBytes(Kernel kernel, int fd) {
    long result = kernel.call(SystemCall.IOCTL, fd, SIOCOUTQ, address);
    return result == 0 ? memory.get(ValueLayout.JAVA_INT, 0) : StreamSocket.UNKNOWN;
  }
}
