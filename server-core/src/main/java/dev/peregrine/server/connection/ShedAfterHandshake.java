package dev.peregrine.server.connection;

/**
 * The protocol of one secured connection that is to be shed, until its handshake is complete. Only
 * then can its client read a response, and is the version known that the client speaks.
 */
final class ShedAfterHandshake implements Protocol {
  private final Protocol spoken;
  private final int connectionsMax;

  ShedAfterHandshake(Protocol spoken, int connectionsMax) {
    this.spoken = spoken;
    this.connectionsMax = connectionsMax;
  }

  @Override
  public void onOpen(Connection connection) {
    connection.awaited = true; // a socket can't be written before its handshake is complete
  }

  @Override
  public void onWritable(Connection connection) {
    connection.switchTo(spoken);
    spoken.onOverload(connection, connectionsMax);
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) {
    in.consumeAll();
  }
}
