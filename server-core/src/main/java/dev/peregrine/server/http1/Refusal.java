package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.Errors;
import dev.peregrine.server.exchange.FieldLines;
import dev.peregrine.server.exchange.KnownError;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers 503 to connections above the limit, and closes them. Counts those that are to be answered
 * or still open.
 */
final class Refusal implements Protocol {
  private final ResponseEncoder encoder;
  private final Errors errors;
  private final FieldLines fields = new FieldLines();
  private final AtomicInteger count = new AtomicInteger();

  Refusal(ResponseEncoder encoder, Errors errors) {
    this.encoder = encoder;
    this.errors = errors;
  }

  AtomicInteger count() {
    return count;
  }

  /** Responds to bytes that are not a request, or to none, and closes the connection. */
  void answer(Connection connection, KnownError error, CloseReason reason) {
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
  }

  @Override
  public void onOpen(Connection connection) {
    answer(connection, KnownError.TOO_MANY_CONNECTIONS, CloseReason.OVERLOADED);
  }

  @Override
  public void onClose(Connection connection, CloseReason reason) {
    count.decrementAndGet();
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) {
    in.consumeAll();
  }

  @Override
  public void onInputEnd(Connection connection, InboundBuffer in) {}

  @Override
  public void onWritable(Connection connection) {}

  @Override
  public void onDeadline(Connection connection, Deadline deadline) {}
}
