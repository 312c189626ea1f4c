package dev.peregrine.bench.codec;

import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.loop.Ready;
import dev.peregrine.server.loop.ReadyHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Makes each turn a whole connection: opened, its bytes received once, then the end of the stream.
 */
final class Visits implements ReadyHandler {
  private final ConnectionGroup connections;
  private final Protocol protocol;
  private final ScriptedSocket socket;
  private final ScriptedPoller poller;

  Visits(
      ConnectionGroup connections,
      Protocol protocol,
      ScriptedSocket socket,
      ScriptedPoller poller) {
    this.connections = connections;
    this.protocol = protocol;
    this.socket = socket;
    this.poller = poller;
  }

  @Override
  public void onReady(int ops) {
    socket.bringOnce();
    try {
      connections.open(socket, protocol);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    ReadyHandler connection = Objects.requireNonNull(poller.told()); // set by the socket
    poller.tell(this);
    while (socket.isOpen()) {
      connection.onReady(Ready.READ);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    throw new IllegalStateException(failure);
  }
}
