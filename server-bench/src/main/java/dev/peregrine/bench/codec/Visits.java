package dev.peregrine.bench.codec;

import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes each turn a whole connection: opened, its bytes received once, then the end of the stream.
 */
final class Visits implements ReadyHandler {
  private static final int READS_MAX = 8; // arbitrary: more than a visit needs

  private final ConnectionGroup connections;
  private final Protocol protocol;
  private final ScriptedSocket socket;
  private final ScriptedPoller poller;
  private @Nullable ReadyHandler connection; // whose visit isn't over

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
    ReadyHandler open = connection;
    if (open == null) {
      open = open();
    }
    for (int i = 0; i < READS_MAX && socket.isOpen(); i++) {
      open.onReady(Ready.READ);
    }
    if (socket.isOpen()) { // its turn took too long, and the rest waits for the loop
      connection = open;
      poller.repeatTurn();
    } else {
      connection = null;
    }
  }

  private ReadyHandler open() {
    socket.bringOnce();
    try {
      connections.open(socket, protocol);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    ReadyHandler open = Objects.requireNonNull(poller.told()); // set by the socket
    poller.tell(this);
    return open;
  }

  @Override
  public void onFailure(Throwable failure) {
    throw new IllegalStateException(failure);
  }
}
