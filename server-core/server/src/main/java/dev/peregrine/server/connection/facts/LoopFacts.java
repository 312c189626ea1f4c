package dev.peregrine.server.connection.facts;

import dev.peregrine.server.observe.LoopInfo;

/** The facts of an event loop for listeners; one object for each loop that has any. */
public final class LoopFacts implements LoopInfo {
  private final LoopRecord record;

  LoopFacts(LoopRecord record) {
    this.record = record;
  }

  @Override
  public String name() {
    return record.loop.name();
  }

  @Override
  public boolean isOver() {
    return record.loop.isOver();
  }

  @Override
  public int connections() {
    return record.connections();
  }

  @Override
  public long bytesReceived() {
    return record.bytesReceived();
  }

  @Override
  public long bytesSent() {
    return record.bytesSent();
  }

  @Override
  public long bufferBytesInUse() {
    return record.loop.bufferPool().bytesInUse();
  }

  @Override
  public long bufferBytesReserved() {
    return record.loop.bufferPool().bytesReserved();
  }

  @Override
  public long bufferBytesReturned() {
    return record.loop.bufferPool().bytesReturned();
  }
}
