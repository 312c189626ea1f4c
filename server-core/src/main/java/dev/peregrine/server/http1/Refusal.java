package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.exchange.FieldLines;
import dev.peregrine.server.exchange.KnownError;
import dev.peregrine.server.observe.CloseReason;

/** Writes error responses without a request, and has their connections closed. */
final class Refusal {
  private final ResponseEncoder encoder;
  private final ExchangeContext context;
  private final FieldLines fields = new FieldLines();

  Refusal(ResponseEncoder encoder, ExchangeContext context) {
    this.encoder = encoder;
    this.context = context;
  }

  /**
   * Responds to bytes that are not a request, or to a connection without any, and closes the
   * connection.
   */
  void answer(Connection connection, KnownError error, CloseReason reason) {
    ErrorContent content = context.errors().render(error);
    fields.reset();
    fields.add(content.headers());
    encoder.head(
        connection.out(),
        error.error().status(),
        content.type(),
        fields,
        content.bytes().length,
        content.bytes(),
        true,
        false);
    end(connection, error, reason, content.bytes().length);
  }

  /**
   * Closes a connection because there are too many. A client that is known to speak HTTP/2 gets
   * GOAWAY, any other one 503.
   */
  void shed(Connection connection, int connectionsMax, boolean isHttp2Only) {
    context.log().tooManyConnections(connection, connectionsMax);
    if (isHttp2Only || Http2Door.isAgreedOn(connection)) {
      Http2Door.sendGoaway(connection);
      end(connection, KnownError.TOO_MANY_CONNECTIONS, CloseReason.OVERLOADED, 0);
    } else {
      answer(connection, KnownError.TOO_MANY_CONNECTIONS, CloseReason.OVERLOADED);
    }
  }

  private void end(Connection connection, KnownError error, CloseReason reason, int contentBytes) {
    connection.closeAfterFlush(reason);
    context.reportRejected(connection, error, contentBytes);
  }
}
