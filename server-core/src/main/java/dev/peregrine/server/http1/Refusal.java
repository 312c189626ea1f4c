package dev.peregrine.server.http1;

import dev.peregrine.http.ContentType;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.connection.Protocol;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers 503 to connections above the limit, and closes them. Counts those that are to be answered
 * or still open.
 */
final class Refusal implements Protocol {
  private static final int SERVICE_UNAVAILABLE = 503;

  private final ResponseEncoder encoder;
  private final FieldLines noFields = new FieldLines();
  private final AtomicInteger count = new AtomicInteger();

  Refusal(ResponseEncoder encoder) {
    this.encoder = encoder;
  }

  AtomicInteger count() {
    return count;
  }

  @Override
  public void onOpen(Connection connection) {
    encoder.head(
        connection.out(),
        SERVICE_UNAVAILABLE,
        ContentType.TEXT_PLAIN_UTF_8,
        noFields,
        RefusalContent.TOO_MANY_CONNECTIONS.length,
        RefusalContent.TOO_MANY_CONNECTIONS,
        true,
        false);
    connection.closeAfterFlush(CloseReason.OVERLOADED);
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
