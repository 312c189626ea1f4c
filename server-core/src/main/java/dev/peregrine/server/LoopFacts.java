package dev.peregrine.server;

import dev.peregrine.server.observe.LoopInfo;

/** The facts of an event loop for listeners. */
record LoopFacts(Worker worker) implements LoopInfo {
  @Override
  public String name() {
    return worker.loop.name();
  }

  @Override
  public int connections() {
    return worker.connections.reserved();
  }

  @Override
  public long bytesReceived() {
    return worker.connections.bytesReceived();
  }

  @Override
  public long bytesSent() {
    return worker.connections.bytesSent();
  }

  @Override
  public long bufferBytesInUse() {
    return worker.loop.bufferPool().bytesInUse();
  }

  @Override
  public long bufferBytesReserved() {
    return worker.loop.bufferPool().bytesReserved();
  }

  @Override
  public long bufferBytesReturned() {
    return worker.loop.bufferPool().bytesReturned();
  }
}
