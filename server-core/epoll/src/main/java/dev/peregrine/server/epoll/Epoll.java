package dev.peregrine.server.epoll;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.NativeTransport;
import dev.peregrine.server.transport.Transport;
import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.epoll.MappedMemory;
import org.jspecify.annotations.Nullable;

/**
 * Socket I/O by Linux system calls, for a server that may use it: {@code TransportKind.AUTO} and
 * {@code EPOLL}.
 *
 * <pre>{@code
 * HttpServer.builder().with(Epoll.create())
 * }</pre>
 */
@SuppressWarnings("exports") // what the server sees of it
public final class Epoll extends Feature {
  private Epoll() {}

  /** Returns the transport for a server. Loads no system call. */
  public static Epoll create() {
    return new Epoll();
  }

  /**
   * Returns why {@code TransportKind.EPOLL} can't be used in this VM, as one line that names what
   * to change; null if it can. The VM doesn't print a warning for this call.
   */
  public static @Nullable String problem() {
    return EpollTransport.problem();
  }

  /**
   * Returns why {@code TransportKind.EPOLL} can't be used in this VM as far as that is known
   * without a try; null if nothing is known. Unlike {@link #problem} it takes no time.
   */
  public static @Nullable String knownProblem() {
    return Linux.problem();
  }

  @Override
  protected NativeTransport nativeTransport() {
    return Calls.INSTANCE;
  }

  private static final class Calls implements NativeTransport {
    static final NativeTransport INSTANCE = new Calls();

    @Override
    public String name() {
      return "epoll";
    }

    @Override
    public @Nullable String knownProblem() {
      return Linux.problem();
    }

    @Override
    public @Nullable String problem() {
      return EpollTransport.problem();
    }

    @Override
    public boolean isLinked() {
      return Linux.isLinked();
    }

    @Override
    public void postponeLink() {
      Linux.postponeLink();
    }

    @Override
    public void link() {
      LinuxMemory.prepare();
    }

    @Override
    public Transport open() {
      return EpollTransport.open();
    }

    @Override
    public MemorySource memory() {
      return new MappedMemory();
    }

    @Override
    public void rehearseMove() {
      EpollTransport.rehearseMove();
    }

    @Override
    public void keepFrom(int descriptor) {
      Linux.keepFrom(descriptor);
    }
  }
}
