package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Unix domain socket for short messages, which can carry descriptors; see unix(7). No method
 * waits: use {@link PollSet}. Used by one thread at a time.
 */
public final class LocalSocket implements AutoCloseable {
  /** The most bytes of a message; a longer one is cut off. */
  public static final int MESSAGE_BYTES_MAX = 1024;

  /** The most descriptors of a received message; more are closed by the system. */
  private static final int DESCRIPTORS_MAX = 4;

  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_SEQPACKET = 5;
  private static final int NONBLOCK_CLOEXEC = 0x80800; // SOCK_NONBLOCK | SOCK_CLOEXEC
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_CTRUNC = 0x08;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
  private static final int CLOSED = -1;

  // The layout of the memory: struct msghdr, struct iovec, the control messages, the bytes.
  private static final long NAME = 0;
  private static final long NAME_BYTES = 8;
  private static final long VECTORS = 16;
  private static final long VECTOR_COUNT = 24;
  private static final long CONTROL = 32;
  private static final long CONTROL_BYTES = 40;
  private static final long FLAGS = 48;
  private static final long VECTOR = 56;
  private static final long RIGHTS = VECTOR + 16; // struct cmsghdr: length, level, type
  private static final long RIGHTS_LEVEL = RIGHTS + 8;
  private static final long RIGHTS_TYPE = RIGHTS + 12;
  private static final long RIGHTS_DATA = RIGHTS + 16;
  private static final long RIGHTS_BYTES = 16 + DESCRIPTORS_MAX * Integer.BYTES; // a multiple of 8
  private static final long BYTES = RIGHTS + RIGHTS_BYTES;
  private static final long ADDRESS = BYTES + MESSAGE_BYTES_MAX;

  private final Kernel kernel = new Kernel();
  private final MemorySegment memory =
      Arena.ofAuto().allocate(ADDRESS + Kernel.SCRATCH_BYTES, Long.BYTES);
  private final long address = memory.address();
  private int addressBytes; // of the peer of a socket for datagrams
  private int fd;

  /** Takes over a descriptor, whose socket doesn't block. */
  public LocalSocket(int fd) {
    this.fd = fd;
  }

  /**
   * Connects to a process that listens.
   *
   * @param path the file of its socket
   * @return null if the socket does not exist, or its process has ended
   * @throws IOException if it can't be connected to; that may succeed later if {@link Errno#EAGAIN}
   *     is in its text
   */
  public static @Nullable LocalSocket connect(String path) throws IOException {
    LocalSocket socket = new LocalSocket(create(SOCK_SEQPACKET));
    long result;
    try {
      int bytes = LocalAddress.write(path, socket.kernel.scratch);
      result =
          socket.kernel.call(SystemCall.CONNECT, socket.fd, socket.kernel.scratchAddress, bytes);
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
    if (result < 0) {
      socket.close();
      if (result == -Errno.ENOENT || result == -Errno.ECONNREFUSED) {
        return null;
      }
      throw Errno.failure(SystemCall.CONNECT, result);
    }
    return socket;
  }

  /** Binds a socket for connections to a file; the caller sees to it that the file is free. */
  public static LocalSocket listen(String path, int backlog) throws IOException {
    LocalSocket socket = new LocalSocket(create(SOCK_SEQPACKET));
    try {
      int bytes = LocalAddress.write(path, socket.kernel.scratch);
      Errno.check(
          SystemCall.BIND,
          socket.kernel.call(SystemCall.BIND, socket.fd, socket.kernel.scratchAddress, bytes));
      socket.listen(backlog);
      return socket;
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  /** Creates a socket that sends datagrams to an address. */
  public static LocalSocket sender(String target) throws IOException {
    LocalSocket socket = new LocalSocket(create(SOCK_DGRAM));
    try {
      socket.addressBytes = LocalAddress.write(target, socket.memory.asSlice(ADDRESS));
      return socket;
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  private static int create(int type) throws IOException {
    int flags = type | NONBLOCK_CLOEXEC;
    return (int)
        Errno.check(
            SystemCall.SOCKET, new Kernel().call(SystemCall.SOCKET, LocalAddress.FAMILY, flags, 0));
  }

  /**
   * Listens, or listens on: peers that connect from now on see this process as the one they are
   * connected to.
   */
  public void listen(int backlog) throws IOException {
    Errno.check(SystemCall.LISTEN, kernel.call(SystemCall.LISTEN, fd, backlog));
  }

  /** Returns the next connection; null if none waits. */
  public @Nullable LocalSocket accept() throws IOException {
    long result = kernel.call(SystemCall.ACCEPT4, fd, 0, 0, NONBLOCK_CLOEXEC);
    if (result == -Errno.EAGAIN || result == -Errno.ECONNABORTED || result == -Errno.EINTR) {
      return null;
    }
    return new LocalSocket((int) Errno.check(SystemCall.ACCEPT4, result));
  }

  public int descriptor() {
    return fd;
  }

  /** Returns who has connected, or who listens at the other end: see SO_PEERCRED in unix(7). */
  public PeerProcess peer() throws IOException {
    kernel.scratch.set(ValueLayout.JAVA_INT, PeerProcess.BYTES, PeerProcess.BYTES);
    long size = kernel.scratchAddress + PeerProcess.BYTES;
    Errno.check(
        SystemCall.GETSOCKOPT,
        kernel.call(
            SystemCall.GETSOCKOPT, fd, SOL_SOCKET, SO_PEERCRED, kernel.scratchAddress, size, 0));
    return PeerProcess.read(kernel.scratch);
  }

  /**
   * Sends a message to a peer that answers it, or ends. It is lost if the peer has to receive
   * earlier messages first.
   */
  public void tell(String text) throws IOException {
    send(text);
  }

  /**
   * Sends a message. The receiver gets descriptors of its own for the same files.
   *
   * @return false if the peer has to receive earlier messages first
   */
  public boolean send(String text, int... descriptors) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MESSAGE_BYTES_MAX || descriptors.length > DESCRIPTORS_MAX) {
      throw new IOException(
          "a message of " + bytes.length + " bytes and " + descriptors.length + " descriptors");
    }
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, BYTES, bytes.length);
    prepare(bytes.length, descriptors.length == 0 ? 0 : rightsBytes(descriptors.length));
    memory.set(ValueLayout.JAVA_LONG, RIGHTS, 16L + (long) Integer.BYTES * descriptors.length);
    memory.set(ValueLayout.JAVA_INT, RIGHTS_LEVEL, SOL_SOCKET);
    memory.set(ValueLayout.JAVA_INT, RIGHTS_TYPE, SCM_RIGHTS);
    for (int i = 0; i < descriptors.length; i++) {
      memory.set(ValueLayout.JAVA_INT, RIGHTS_DATA + (long) i * Integer.BYTES, descriptors[i]);
    }
    long result;
    do {
      result = kernel.call(SystemCall.SENDMSG, fd, address, MSG_NOSIGNAL);
    } while (result == -Errno.EINTR);
    if (result == -Errno.EAGAIN) {
      return false;
    }
    Errno.check(SystemCall.SENDMSG, result);
    return true;
  }

  private static long rightsBytes(int count) {
    return (16L + (long) Integer.BYTES * count + 7) & ~7L;
  }

  private void prepare(int bytes, long rightsBytes) {
    memory.set(ValueLayout.JAVA_LONG, NAME, addressBytes == 0 ? 0 : address + ADDRESS);
    memory.set(ValueLayout.JAVA_INT, NAME_BYTES, addressBytes);
    memory.set(ValueLayout.JAVA_LONG, VECTORS, address + VECTOR);
    memory.set(ValueLayout.JAVA_LONG, VECTOR_COUNT, 1);
    memory.set(ValueLayout.JAVA_LONG, CONTROL, rightsBytes == 0 ? 0 : address + RIGHTS);
    memory.set(ValueLayout.JAVA_LONG, CONTROL_BYTES, rightsBytes);
    memory.set(ValueLayout.JAVA_INT, FLAGS, 0);
    memory.set(ValueLayout.JAVA_LONG, VECTOR, address + BYTES);
    memory.set(ValueLayout.JAVA_LONG, VECTOR + Long.BYTES, bytes);
  }

  /**
   * Receives a message.
   *
   * @return null if none has arrived
   */
  public @Nullable LocalMessage receive() throws IOException {
    long result;
    boolean reset = false;
    while (true) {
      prepare(MESSAGE_BYTES_MAX, RIGHTS_BYTES);
      result = kernel.call(SystemCall.RECVMSG, fd, address, MSG_CMSG_CLOEXEC);
      if (result == -Errno.ECONNRESET && !reset) {
        reset = true; // the peer has closed; what it sent before is still there
      } else if (result != -Errno.EINTR) {
        break;
      }
    }
    if (result == -Errno.EAGAIN) {
      return null;
    }
    int bytes = (int) Errno.check(SystemCall.RECVMSG, result);
    List<Integer> descriptors = readDescriptors();
    if (bytes == 0) {
      new LocalMessage("", descriptors).discard();
      return LocalMessage.END;
    }
    byte[] text = new byte[bytes];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, BYTES, text, 0, bytes);
    LocalMessage message =
        new LocalMessage(new String(text, StandardCharsets.UTF_8), List.copyOf(descriptors));
    if ((memory.get(ValueLayout.JAVA_INT, FLAGS) & MSG_CTRUNC) != 0) {
      message.discard();
      throw new IOException(
          "descriptors are lost: more than "
              + DESCRIPTORS_MAX
              + " in a message, or this process has too many open files");
    }
    return message;
  }

  private List<Integer> readDescriptors() {
    List<Integer> descriptors = new ArrayList<>();
    long received = memory.get(ValueLayout.JAVA_LONG, CONTROL_BYTES);
    if (received >= 16
        && memory.get(ValueLayout.JAVA_INT, RIGHTS_LEVEL) == SOL_SOCKET
        && memory.get(ValueLayout.JAVA_INT, RIGHTS_TYPE) == SCM_RIGHTS) {
      long end = RIGHTS + Math.min(memory.get(ValueLayout.JAVA_LONG, RIGHTS), RIGHTS_BYTES);
      for (long at = RIGHTS_DATA; at + Integer.BYTES <= end; at += Integer.BYTES) {
        descriptors.add(memory.get(ValueLayout.JAVA_INT, at));
      }
    }
    return descriptors;
  }

  @Override
  public void close() {
    if (fd != CLOSED) {
      kernel.close(fd);
      fd = CLOSED;
    }
  }
}
