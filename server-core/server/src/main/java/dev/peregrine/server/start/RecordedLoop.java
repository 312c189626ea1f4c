package dev.peregrine.server.start;

import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.memory.BufferPool;

/** The parts of an event loop that events are recorded of. */
public record RecordedLoop(ConnectionGroup connections, ExchangeContext exchanges) {
  /** Returns the name of its thread. */
  public String name() {
    return connections.loop().thread().getName();
  }

  /** Returns its memory. */
  public BufferPool pool() {
    return connections.loop().bufferPool();
  }
}
