package dev.peregrine.server.connection;

import dev.peregrine.server.observe.LoopInfo;

/** The facts of an event loop for listeners; one object for each loop that has any. */
public final class LoopFacts implements LoopInfo {
  private final ConnectionGroup connections;

  LoopFacts(ConnectionGroup connections) {
    this.connections = connections;
  }

  @Override
  public String name() {
    return connections.loop.name();
  }

  @Override
  public boolean isOver() {
    return connections.loop.isOver();
  }

  @Override
  public int connections() {
    return connections.reserved();
  }

  @Override
  public long bytesReceived() {
    return connections.bytesReceived();
  }

  @Override
  public long bytesSent() {
    return connections.bytesSent();
  }

  @Override
  public long bufferBytesInUse() {
    return connections.loop.bufferPool().bytesInUse();
  }

  @Override
  public long bufferBytesReserved() {
    return connections.loop.bufferPool().bytesReserved();
  }

  @Override
  public long bufferBytesReturned() {
    return connections.loop.bufferPool().bytesReturned();
  }
}
