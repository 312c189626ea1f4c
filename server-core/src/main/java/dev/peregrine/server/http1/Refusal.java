package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.Errors;
import dev.peregrine.server.exchange.FieldLines;
import dev.peregrine.server.exchange.KnownError;
import dev.peregrine.server.observe.CloseReason;

/** Writes error responses without a request, and has their connections closed. */
final class Refusal {
  private final ResponseEncoder encoder;
  private final Errors errors;
  private final FieldLines fields = new FieldLines();

  Refusal(ResponseEncoder encoder, Errors errors) {
    this.encoder = encoder;
    this.errors = errors;
  }

  /**
   * Responds to bytes that are not a request, or to a connection without any, and closes the
   * connection. Returns the number of bytes of the content.
   */
  int answer(Connection connection, KnownError error, CloseReason reason) {
    ErrorContent content = errors.render(error);
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
    connection.closeAfterFlush(reason);
    return content.bytes().length;
  }
}
