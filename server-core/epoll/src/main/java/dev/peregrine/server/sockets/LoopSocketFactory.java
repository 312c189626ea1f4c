package dev.peregrine.server.sockets;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.turn.CarryingLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Objects;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates sockets of TCP that wait in event loops: on a thread that a loop carries ({@code
 * Handlers.blocking}), a wait needs no other thread and no other processor. They work on all other
 * threads as well. A driver gets this class by its name, or an instance, in place of its own
 * factory.
 *
 * <p>Where sockets can't wait in loops, it creates those of the JDK; see {@link LoopSockets}.
 *
 * <p>The sockets behave like those of the JDK, except that they have no urgent data and only the
 * options of {@link java.net.StandardSocketOptions}. When all servers have ended, a socket still
 * works; a virtual thread then looks once a millisecond, on {@code java.nio} each thread.
 * Thread-safe.
 */
public final class LoopSocketFactory extends SocketFactory {
  private static final LoopSocketFactory DEFAULT = new LoopSocketFactory();

  /** Creates a factory, for drivers that do so by its name. */
  public LoopSocketFactory() {}

  /** Returns a factory, for libraries that expect this method. */
  public static SocketFactory getDefault() {
    return DEFAULT;
  }

  /**
   * Returns the name of the event loop that carries the calling thread; null on all other threads.
   * It is a key for pools: a connection that only one loop uses is watched by that loop once and
   * for all, and one that changes its loop costs two system calls each time. Loops are named after
   * their server. Without {@code HttpServerBuilder.name}, each server of a JVM has another name, so
   * one that is started again has other loops; the loops of servers with the same name have the
   * same names, which is harmless for a pool.
   */
  public static @Nullable String currentLoop() {
    Thread thread = Thread.currentThread();
    EventLoop loop = thread.isVirtual() ? CarryingLoop.of(thread) : null;
    return loop == null ? null : loop.name();
  }

  @Override
  public Socket createSocket() throws IOException {
    return Loops.areUsable() ? new LoopSocket(new LoopSocketImpl()) : new Socket();
  }

  @Override
  public Socket createSocket(@Nullable String host, int port) throws IOException {
    return connect(address(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connect(address(host, port), null);
  }

  @Override
  public Socket createSocket(@Nullable String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connect(address(host, port), new InetSocketAddress(localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connect(address(host, port), new InetSocketAddress(localHost, localPort));
  }

  /** Unlike {@link InetSocketAddress}, rejects null: it would connect to this machine. */
  private static InetSocketAddress address(InetAddress host, int port) {
    return new InetSocketAddress(Objects.requireNonNull(host, "host"), port);
  }

  /** Like the constructors of {@link Socket}, takes null for the loopback address. */
  private static InetSocketAddress address(@Nullable String host, int port) {
    return host != null
        ? new InetSocketAddress(host, port)
        : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private Socket connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException {
    Socket socket = createSocket();
    try {
      if (local != null) {
        socket.bind(local);
      }
      socket.connect(remote);
      return socket;
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  /** The public face of an implementation, by the constructor for subclasses. */
  private static final class LoopSocket extends Socket {
    LoopSocket(LoopSocketImpl impl) throws IOException {
      super(impl);
    }
  }
}
