package dev.peregrine.server.http1;

import dev.peregrine.http.ErrorContent;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.KnownError;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import java.lang.foreign.ValueLayout;

/** Writes error responses without a request, and has their connections closed. */
final class Refusal {
  private static final byte TLS_HANDSHAKE = 22; // RFC 8446 section 5.1
  private static final byte TLS_MAJOR_VERSION = 3;

  private final ResponseEncoder encoder;
  private final ExchangeContext context;
  private final FieldLines fields = new FieldLines();

  Refusal(ResponseEncoder encoder, ExchangeContext context) {
    this.encoder = encoder;
    this.context = context;
  }

  /** Logs why unconsumed bytes are not a request. */
  void log(Connection connection, InboundBuffer in, Rejection rejection) {
    if (isTls(in)) {
      context.log().rejectedTls(connection, rejection);
    } else {
      context.log().rejected(connection, rejection, in.to() - in.from());
    }
  }

  /** Returns true if the unconsumed bytes begin like a record with a ClientHello. */
  private static boolean isTls(InboundBuffer in) {
    return in.to() - in.from() >= 2
        && in.segment().get(ValueLayout.JAVA_BYTE, in.from()) == TLS_HANDSHAKE
        && in.segment().get(ValueLayout.JAVA_BYTE, in.from() + 1L) == TLS_MAJOR_VERSION;
  }

  /**
   * Responds to bytes that are not a request, or to a connection without any, and closes the
   * connection.
   *
   * @param isHead whether the request is known to be HEAD, whose response has no content
   */
  void answer(Connection connection, KnownError error, CloseReason reason, boolean isHead) {
    ErrorContent content = context.errors().render(error);
    fields.reset();
    fields.add(content.headers());
    encoder.head(
        connection.out(),
        error.error().status(),
        content.type(),
        fields,
        content.bytes().length,
        isHead ? null : content.bytes(),
        true,
        false);
    end(connection, error, reason, isHead ? 0 : content.bytes().length);
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
      answer(connection, KnownError.TOO_MANY_CONNECTIONS, CloseReason.OVERLOADED, false);
    }
  }

  /** Notifies listeners of the response that TLS has sent to a client that doesn't speak TLS. */
  void reportPlain(Connection connection, LayerFailedException failure) {
    FailedHandshake handshake = failure.handshake();
    if (handshake != null && handshake.reason() == HandshakeFailure.PLAIN_HTTP) {
      context.reportRejected(connection, KnownError.PLAIN_HTTP, failure.contentBytes());
    }
  }

  private void end(Connection connection, KnownError error, CloseReason reason, int contentBytes) {
    connection.closeAfterFlush(reason);
    context.reportRejected(connection, error, contentBytes);
  }
}
