package dev.peregrine.server.http1;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;

/**
 * The protocol of one secured connection that is to be shed, until its handshake is complete. Only
 * then can its client read a response, and is the version known that the client speaks.
 */
final class ShedAfterHandshake implements Protocol {
  private final Refusal refusal;
  private final int connectionsMax;
  private final boolean isHttp2Only;

  ShedAfterHandshake(Refusal refusal, int connectionsMax, boolean isHttp2Only) {
    this.refusal = refusal;
    this.connectionsMax = connectionsMax;
    this.isHttp2Only = isHttp2Only;
  }

  @Override
  public void onOpen(Connection connection) {
    connection.output().await();
  }

  @Override
  public void onWritable(Connection connection) {
    if (isHandshakeComplete(connection)) {
      refusal.shed(connection, connectionsMax, isHttp2Only);
    }
  }

  /** The handshake has failed if it isn't complete; the read that follows throws the exception. */
  private static boolean isHandshakeComplete(Connection connection) {
    return connection.facts().tls() != null;
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) {
    in.consumeAll();
  }

  /** A client that has ended its stream right after its request still reads the response. */
  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) {
    if (isHandshakeComplete(connection)) {
      refusal.shed(connection, connectionsMax, isHttp2Only);
    } else {
      connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
    }
  }

  @Override
  public void onHandshakeFailed(Connection connection, LayerFailedException failure) {
    refusal.reportPlain(connection, failure);
  }
}
