package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.facts.ConnectionCount;
import dev.peregrine.server.connection.facts.LoopRecord;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LeaseCalls;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.memory.OutboundQueues;
import dev.peregrine.server.pace.ClientClock;
import dev.peregrine.server.pace.DataRate;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** The parts that the connections of an event loop share. On the loop's thread. */
final class ConnectionContext {
  final EventLoop loop;
  final ServerLimits limits;
  final long lingerNanos;
  final DataRate takingRate;
  final ClientClock clock;
  final ConnectionTable<?> connections;
  final ConnectionCount count;
  final LoopRecord record;
  final InboundBuffer inbound;
  final OutboundQueues outbound;

  /**
   * Creates the context of a loop that isn't running yet.
   *
   * @param onGap called when bytes of a response are missing, as {@code OutboundQueue} does
   */
  ConnectionContext(
      EventLoop loop,
      ServerLimits limits,
      ClientClock clock,
      ConnectionTable<?> connections,
      ConnectionCount count,
      Consumer<Throwable> onGap) {
    this.loop = loop;
    this.limits = limits;
    this.clock = clock;
    this.connections = connections;
    this.count = count;
    this.lingerNanos = limits.lingerTime().toNanos();
    this.takingRate = DataRate.ofTaking(limits);
    this.record = new LoopRecord(loop, count);
    LeaseCalls.serve(loop);
    this.inbound = new InboundBuffer(loop.bufferPool());
    this.outbound = new OutboundQueues(loop.bufferPool(), onGap);
  }

  /** Closes a socket; failures are logged. */
  void close(StreamSocket socket, boolean withReset) {
    try {
      if (withReset) {
        socket.reset();
      }
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.SOCKET_RESET_FAILED, failure);
    } catch (Throwable failure) {
      loop.report(Incident.SOCKET_RESET_FAILED, failure);
    }
    try {
      socket.close();
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.SOCKET_CLOSE_FAILED, failure);
    } catch (Throwable failure) {
      loop.report(Incident.SOCKET_CLOSE_FAILED, failure);
    }
  }
}
