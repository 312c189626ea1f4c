package dev.peregrine.server.http1;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.layer.ApplicationProtocols;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way from HTTP/1 to HTTP/2: a client that begins with the preface of HTTP/2 speaks that from
 * there on (RFC 9113 section 3.3), over TLS only if it was agreed on (section 3.2). No request of
 * HTTP/1 is like the preface, so it is looked for only in bytes that the parser has rejected. The
 * code of HTTP/2 is loaded for the first such client.
 */
final class Http2Door {
  /** The first line of the preface; HTTP/2 checks all of it. */
  private static final byte[] PREFACE_LINE =
      "PRI * HTTP/2.0\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Empty SETTINGS, then GOAWAY with HTTP_1_1_REQUIRED and without a stream. */
  private static final byte[] HTTP_1_1_REQUIRED = {
    0, 0, 0, 4, 0, 0, 0, 0, 0, //
    0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13
  };

  /** Empty SETTINGS, then GOAWAY with NO_ERROR and without a stream. */
  private static final byte[] NONE_HANDLED = {
    0, 0, 0, 4, 0, 0, 0, 0, 0, //
    0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  };

  private final Supplier<? extends Protocol> source;
  private @Nullable Protocol protocol; // null until a client speaks it
  private long drainNanos = -1; // the idle time of a drain that has begun

  Http2Door(Supplier<? extends Protocol> source) {
    this.source = source;
  }

  /** Returns true if the unconsumed bytes begin with the preface. */
  static boolean isPreface(InboundBuffer in) {
    if (in.to() - in.from() < PREFACE_LINE.length) {
      return false;
    }
    for (int i = 0; i < PREFACE_LINE.length; i++) {
      if (in.segment().get(ValueLayout.JAVA_BYTE, in.from() + (long) i) != PREFACE_LINE[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Has a connection speak HTTP/2 from here on, or refuses that.
   *
   * @param door null if clients can't begin with HTTP/2
   */
  static void enter(@Nullable Http2Door door, Connection connection, InboundBuffer in)
      throws IOException {
    if (door == null || !isOpenTo(connection)) {
      connection.out().appendCopy(HTTP_1_1_REQUIRED, 0, HTTP_1_1_REQUIRED.length);
      connection.closeAfterFlush(CloseReason.REQUEST_REJECTED);
      return;
    }
    Protocol next = door.protocol();
    connection.switchTo(next);
    next.onInput(connection, in);
  }

  /** Tells a client of HTTP/2 that has sent nothing yet to send its requests elsewhere. */
  static void sendGoaway(Connection connection) {
    connection.out().appendCopy(NONE_HANDLED, 0, NONE_HANDLED.length);
  }

  private static boolean isOpenTo(Connection connection) {
    return connection.facts().tls() == null || isAgreedOn(connection);
  }

  /** Returns true if ALPN has agreed on HTTP/2. */
  static boolean isAgreedOn(Connection connection) {
    TlsInfo tls = connection.facts().tls();
    return tls != null && ApplicationProtocols.HTTP_2.equals(tls.applicationProtocol());
  }

  private Protocol protocol() {
    Protocol known = protocol;
    if (known == null) {
      known = source.get();
      if (drainNanos >= 0) {
        known.onDrain(drainNanos);
      }
      protocol = known;
    }
    return known;
  }

  /** The server has begun to shut down. */
  void drain(long idleNanos) {
    drainNanos = idleNanos;
    if (protocol != null) {
      protocol.onDrain(idleNanos);
    }
  }
}
