package dev.peregrine.linux;

import java.util.Locale;

/** The system calls in use, with their numbers, which are part of the kernel's stable interface. */
public enum SystemCall {
  ACCEPT4(288, 242),
  BIND(49, 200),
  CLOSE(3, 57),
  CONNECT(42, 203),
  EPOLL_CREATE1(291, 20),
  EPOLL_CTL(233, 21),
  EPOLL_PWAIT(281, 22),
  EVENTFD2(290, 19),
  FCNTL(72, 25),
  FSTAT(5, 80),
  GETEUID(107, 175),
  GETPEERNAME(52, 205),
  GETSOCKNAME(51, 204),
  GETSOCKOPT(55, 209),
  IOCTL(16, 29),
  LISTEN(50, 201),
  MMAP(9, 222),
  MUNMAP(11, 215),
  OPENAT2(437, 437),
  PPOLL(271, 73),
  PREADV2(327, 286),
  RECVFROM(45, 207),
  RECVMSG(47, 212),
  SENDFILE(40, 71),
  SENDMSG(46, 211),
  SENDTO(44, 206),
  SETSOCKOPT(54, 208),
  SHUTDOWN(48, 210),
  SOCKET(41, 198),
  WRITE(1, 64);

  /** The number on this VM's architecture. */
  final long number;

  SystemCall(int onX86, int onAarch64) {
    this.number = Architecture.CURRENT == Architecture.AARCH64 ? onAarch64 : onX86;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
