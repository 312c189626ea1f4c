package dev.peregrine.server.sockets;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a socket by their numbers in the JDK and in Linux. */
enum IntOption {
  TCP_NODELAY(SocketOptions.TCP_NODELAY, 6, 1, StandardSocketOptions.TCP_NODELAY),
  REUSE_ADDRESS(SocketOptions.SO_REUSEADDR, 1, 2, StandardSocketOptions.SO_REUSEADDR),
  REUSE_PORT(SocketOptions.SO_REUSEPORT, 1, 15, StandardSocketOptions.SO_REUSEPORT),
  KEEP_ALIVE(SocketOptions.SO_KEEPALIVE, 1, 9, StandardSocketOptions.SO_KEEPALIVE),
  OOB_INLINE(SocketOptions.SO_OOBINLINE, 1, 10, null),
  SEND_BUFFER(SocketOptions.SO_SNDBUF, 1, 7, StandardSocketOptions.SO_SNDBUF),
  RECEIVE_BUFFER(SocketOptions.SO_RCVBUF, 1, 8, StandardSocketOptions.SO_RCVBUF),
  TRAFFIC_CLASS(SocketOptions.IP_TOS, 0, 1, StandardSocketOptions.IP_TOS),
  LINGER(SocketOptions.SO_LINGER, 1, 13, StandardSocketOptions.SO_LINGER);

  private static final int IPPROTO_IPV6 = 41;
  private static final int IPV6_TCLASS = 67;
  private static final int BYTE_MAX = 255;
  private static final Map<SocketOption<?>, IntOption> STANDARD = new HashMap<>();

  static {
    for (IntOption option : values()) {
      if (option.standard != null) {
        STANDARD.put(option.standard, option);
      }
    }
  }

  private final int number; // the JDK's
  private final int level;
  private final int option;

  @SuppressWarnings("ImmutableEnumChecker") // constants of the JDK
  private final @Nullable SocketOption<?> standard;

  IntOption(int number, int level, int option, @Nullable SocketOption<?> standard) {
    this.number = number;
    this.level = level;
    this.option = option;
    this.standard = standard;
  }

  static Set<SocketOption<?>> standard() {
    return Set.copyOf(STANDARD.keySet());
  }

  static IntOption of(SocketOption<?> standard) {
    IntOption found = STANDARD.get(standard);
    if (found == null) {
      throw new UnsupportedOperationException("'" + standard + "' not supported");
    }
    return found;
  }

  static IntOption of(int number) throws SocketException {
    for (IntOption option : values()) {
      if (option.number == number) {
        return option;
      }
    }
    throw new SocketException("Unknown option " + number);
  }

  /** Sets the option of a descriptor to a value that {@link #toInt} has returned. */
  void set(int fd, int number) throws SocketException {
    SocketFailures.check(
        this == LINGER
            ? SocketCalls.setOption(fd, level, option, number < 0 ? 0 : 1, Math.max(number, 0))
            : SocketCalls.setOption(fd, level, option, number));
    if (this == TRAFFIC_CLASS) { // fails for a socket of IPv4
      long ignored = SocketCalls.setOption(fd, IPPROTO_IPV6, IPV6_TCLASS, number);
    }
  }

  /** Sets the option of a channel to a value that {@link #toInt} has returned. */
  void set(SocketChannel channel, int number) throws IOException {
    if (standard == null) {
      channel.socket().setOOBInline(number != 0);
    } else {
      set(channel, standard, isFlag() ? (Object) (number != 0) : (Object) number);
    }
  }

  @SuppressWarnings("unchecked") // the value has the option's class
  private static <T> void set(SocketChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    var ignored = channel.setOption(option, (T) value);
  }

  /**
   * Returns a value as a number; that of {@link #LINGER} is negative for none.
   *
   * @throws IllegalArgumentException if the option can't have that value
   */
  int toInt(@Nullable Object value) {
    if (value instanceof Boolean flag && (isFlag() || (this == LINGER && !flag))) {
      return this == LINGER ? -1 : (flag ? 1 : 0);
    }
    if (value instanceof Integer number && isInRange(number)) {
      return number;
    }
    throw new IllegalArgumentException("Bad value for " + this);
  }

  private boolean isInRange(int number) {
    return switch (this) {
      case SEND_BUFFER, RECEIVE_BUFFER -> number >= 0;
      case TRAFFIC_CLASS -> number >= 0 && number <= BYTE_MAX;
      default -> !isFlag();
    };
  }

  /** Returns the value as the JDK's sockets do: a Boolean or an Integer. */
  Object get(int fd) throws SocketException {
    long value = SocketCalls.option(fd, level, option);
    int first = (int) value;
    return switch (this) {
      case LINGER -> first == 0 ? -1 : (int) (value >> Integer.SIZE);
      case SEND_BUFFER, RECEIVE_BUFFER -> first / 2; // the system doubles what was set
      default -> isFlag() ? (Object) (first != 0) : (Object) first;
    };
  }

  /** Returns the value as the JDK's sockets do: a Boolean or an Integer. */
  Object get(SocketChannel channel) throws IOException {
    return standard == null ? channel.socket().getOOBInline() : channel.getOption(standard);
  }

  private boolean isFlag() {
    return switch (this) {
      case TCP_NODELAY, REUSE_ADDRESS, REUSE_PORT, KEEP_ALIVE, OOB_INLINE -> true;
      default -> false;
    };
  }
}
