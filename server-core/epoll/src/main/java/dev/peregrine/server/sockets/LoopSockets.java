package dev.peregrine.server.sockets;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.ServerFacts;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.epoll.EpollWatch;
import dev.peregrine.server.transport.nio.NioWatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the loops of a server be those in which the sockets of {@link LoopSocketFactory} wait. Create
 * it before the first connection pool, because the factory creates plain sockets until then.
 *
 * <pre>{@code
 * HttpServer.builder().with(Epoll.create()).with(LoopSockets.create())
 * }</pre>
 *
 * <p>It needs event loops that carry blocking handlers ({@code --add-opens java.base/java.lang=…}),
 * and that have other threads for handlers that keep them ({@code leftHandlersMax} isn't 0).
 * Without these, the log says so, and the factory creates plain sockets. Where system calls may be
 * made, the server links them at its start, not later.
 *
 * <p>A socket waits in loops of one transport. One that is created before the first server starts
 * waits in those on epoll, or in those on {@code java.nio} where no system calls may be made. So
 * with {@code TransportKind.NIO}, create connection pools after the server.
 */
@SuppressWarnings("exports") // what the server sees of it
public final class LoopSockets extends Feature {
  private final List<EventLoop> loops; // of one server

  private LoopSockets(List<EventLoop> loops) {
    this.loops = loops;
  }

  /** Returns the part for a server. */
  public static LoopSockets create() {
    Loops.announce();
    return new LoopSockets(List.of());
  }

  @Override
  protected Feature forServer() {
    if (Linux.problem() == null) {
      LinuxMemory
          .prepare(); // so that the server begins on epoll: sockets can't follow a loop there
    }
    return new LoopSockets(new ArrayList<>());
  }

  @Override
  protected void begin(ServerFacts facts, List<EventLoop> started) {
    Poller poller = started.getFirst().poller();
    if (facts.limits().leftHandlersMax() == 0) {
      // A thread that can't be unmounted would keep the loop that has to resume it.
      Loops.refuse("a server whose leftHandlersMax is 0");
    } else if (NioWatch.isPossible(poller)) {
      loops.addAll(started);
      Loops.NIO.add(loops);
    } else if (Linux.problem() == null && EpollWatch.isPossible(poller)) {
      loops.addAll(started);
      Loops.EPOLL.add(loops);
    } else {
      Loops.refuse("a server without sockets");
    }
  }

  @Override
  protected void close() {
    Loops.remove(loops);
  }
}
