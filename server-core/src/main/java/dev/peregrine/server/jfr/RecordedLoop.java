package dev.peregrine.server.jfr;

import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.memory.BufferPool;

/** The parts of an event loop that events are recorded of. */
public record RecordedLoop(ConnectionGroup connections, ExchangeContext exchanges) {
  String name() {
    return connections.loop().thread().getName();
  }

  BufferPool pool() {
    return connections.loop().bufferPool();
  }
}
