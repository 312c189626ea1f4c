package dev.peregrine.server.exchange.state;

import dev.peregrine.base.TimeText;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Logs rejected requests: the client, the reason, the number of bytes, and the exceeded limit with
 * the name of its option. The number of lines is bounded, and a line that isn't written costs no
 * text. One per event loop, in the connection's turn.
 */
public final class RefusalLog {
  private final BoundedLog log;
  private final ServerLimits limits;

  RefusalLog(BoundedLog log, ServerLimits limits) {
    this.log = log;
    this.limits = limits;
  }

  public void rejected(Connection connection, Rejection rejection, long bytes) {
    if (log.reserve()) {
      String why = rejection.text() + " (" + rejection.rfcSection() + ")";
      refused(connection, rejection.status(), why + " within " + bytes + " bytes" + of(rejection));
    }
  }

  /** The client speaks TLS, and the endpoint doesn't. */
  public void rejectedTls(Connection connection, Rejection rejection) {
    if (log.reserve()) {
      refused(connection, rejection.status(), "TLS on a port without TLS");
    }
  }

  public void contentTooLarge(Connection connection, long bytesMax, long bytes) {
    if (log.reserve()) {
      String option = bytesMax == limits.bodyBytesMax() ? " bytes (bodyBytesMax)" : " bytes";
      refused(connection, 413, "content of more than " + bytesMax + option + ", after " + bytes);
    }
  }

  public void slowContent(Connection connection, long bytes) {
    if (log.reserve()) {
      String rate =
          limits.requestBytesPerSecondMin() + " bytes per second (requestBytesPerSecondMin), ";
      refused(connection, 408, "content arrived at less than " + rate + bytes + " bytes in all");
    }
  }

  public void slowHead(Connection connection, long bytes) {
    if (log.reserve()) {
      String time = TimeText.of(limits.requestHeadTime()) + " (requestHeadTime), ";
      refused(connection, 408, "no complete request head within " + time + bytes + " bytes in all");
    }
  }

  public void slowTaking(Connection connection) {
    if (log.reserve()) {
      log.add(
          "closed "
              + remote(connection)
              + ", which took less than "
              + limits.responseBytesPerSecondMin()
              + " bytes per second (responseBytesPerSecondMin) of its response, "
              + connection.output().unsentBytes()
              + " bytes unsent");
    }
  }

  /**
   * The connection ends for a fault of the client that concerns all of it.
   *
   * @param limit the exceeded limit with its unit, if it is one
   */
  public void closed(Connection connection, String why, @Nullable String limit) {
    if (log.reserve()) {
      String text = "closed " + remote(connection) + ": " + why;
      log.add(limit == null ? text : text + "; the limit is " + limit);
    }
  }

  public void tooManyConnections(Connection connection, int connectionsMax) {
    if (log.reserve()) {
      refused(connection, 503, "more than " + connectionsMax + " connections (connectionsMax)");
    }
  }

  private void refused(Connection connection, int status, String why) {
    log.add("rejected " + remote(connection) + " with " + status + ": " + why);
  }

  /** Returns the text about the exceeded limit; empty if the rejection isn't about a limit. */
  private String of(Rejection rejection) {
    ParserLimits parser = limits.parser();
    return switch (rejection) {
      case REQUEST_LINE_TOO_LONG, METHOD_TOO_LONG ->
          "; the limit is " + parser.requestLineBytesMax() + " bytes (parser.requestLineBytesMax)";
      case HEADER_SECTION_TOO_LARGE ->
          "; the limit is " + parser.headerBytesMax() + " bytes (parser.headerBytesMax)";
      case TOO_MANY_FIELDS -> "; the limit is " + parser.fieldsMax() + " lines (parser.fieldsMax)";
      case TOO_MANY_EMPTY_LINES ->
          "; the limit is " + parser.emptyLinesMax() + " lines (parser.emptyLinesMax)";
      case CHUNK_EXTENSIONS_TOO_LARGE ->
          "; the limits are "
              + parser.chunkExtensionBytesMax()
              + " bytes for a chunk (parser.chunkExtensionBytesMax) and "
              + parser.bodyExtensionBytesMax()
              + " for a body (parser.bodyExtensionBytesMax)";
      case TRAILER_SECTION_TOO_LARGE ->
          "; the limit is " + parser.trailerBytesMax() + " bytes (parser.trailerBytesMax)";
      case TOO_MANY_TRAILERS ->
          "; the limit is " + parser.trailerFieldsMax() + " lines (parser.trailerFieldsMax)";
      default -> "";
    };
  }

  /** Returns the text for the client of a connection. */
  public static String remote(Connection connection) {
    try {
      SocketAddress remote = connection.facts().remoteAddress();
      return remote.equals(StreamSocket.UNNAMED)
          ? "a client of " + connection.facts().localAddress()
          : remote.toString();
    } catch (IOException closed) {
      return "a closed connection";
    }
  }
}
