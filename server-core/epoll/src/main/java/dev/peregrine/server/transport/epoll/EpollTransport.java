package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Socket I/O by Linux system calls, where the VM may make them; see {@link #problem}. */
public final class EpollTransport implements Transport {
  private EpollTransport() {}

  /**
   * Returns the transport.
   *
   * @throws UnsupportedOperationException if there is a {@link #problem}
   */
  public static EpollTransport open() {
    String problem = problem();
    if (problem != null) {
      throw new UnsupportedOperationException("the epoll transport can't be used: " + problem);
    }
    return new EpollTransport();
  }

  /**
   * Returns why this transport can't be used in this VM, as one line that names what to change;
   * null if it can. The VM doesn't print a warning for this call.
   */
  public static @Nullable String problem() {
    return Probe.PROBLEM;
  }

  /** Loads what a loop first uses when its sockets move here, so that they don't wait for that. */
  public static void rehearseMove() {
    try {
      MethodHandles.Lookup own = MethodHandles.lookup();
      for (Class<?> used : List.of(ListeningSocket.class, EpollListener.class, EpollSocket.class)) {
        Class<?> ignored = own.ensureInitialized(used);
      }
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String name() {
    return "epoll";
  }

  @Override
  public MemorySource memory() {
    return new MappedMemory();
  }

  @Override
  public Poller openPoller() throws IOException {
    return new EpollPoller(new Adopting());
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort)
      throws IOException {
    return EpollListener.listen(address, backlog, reusePort);
  }

  @Override
  public Listener listen(UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog)
      throws IOException {
    return EpollListener.listen(bound, known, backlog);
  }

  @Override
  public Listener adopt(int descriptor, @Nullable SocketAddress known, int backlog)
      throws IOException {
    return EpollListener.adopt(descriptor, known, backlog);
  }

  /** Not a lambda, to start sooner: see docs/ARCHITECTURE.md. */
  private static final class Adopting implements EpollPoller.Adoptions {
    @Override
    public Adoption open() throws IOException {
      return new EpollAdoption();
    }
  }

  /** The result of the check, which is made at the first use. */
  private static final class Probe {
    static final @Nullable String PROBLEM = find();

    private Probe() {}

    private static @Nullable String find() {
      String problem = Linux.problem();
      return problem != null ? problem : tryOut();
    }

    private static @Nullable String tryOut() {
      try (EpollPoller poller = new EpollPoller(new Adopting())) {
        return poller.works() ? null : "system calls don't do here what they should";
      } catch (IOException | RuntimeException | LinkageError failure) {
        return "trying it out failed: " + failure;
      }
    }
  }
}
