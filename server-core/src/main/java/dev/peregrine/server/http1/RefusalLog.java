package dev.peregrine.server.http1;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.BoundedLog;
import java.io.IOException;
import java.time.Duration;

/**
 * Says what was refused: to whom, why, after how many bytes, and which limit was exceeded. Bounded,
 * and nothing is made for a line that isn't written. One per event loop, in the connection's turn.
 */
final class RefusalLog {
  private final BoundedLog log;
  private final Http1Options options;
  private final ParserLimits limits;

  RefusalLog(BoundedLog log, Http1Options options, ParserLimits limits) {
    this.log = log;
    this.options = options;
    this.limits = limits;
  }

  void rejected(Connection connection, Rejection rejection, long bytes) {
    if (log.admits()) {
      String why = rejection.text() + " (" + rejection.rfcSection() + ")";
      refused(connection, rejection.status(), why + " within " + bytes + " bytes" + of(rejection));
    }
  }

  void contentTooLarge(Connection connection, long bytesMax, long bytes) {
    if (log.admits()) {
      refused(connection, 413, "content of more than " + bytesMax + " bytes, after " + bytes);
    }
  }

  void slowContent(Connection connection, long bytes) {
    if (log.admits()) {
      String rate = options.bodyBytesPerSecondMin() + " bytes per second, ";
      refused(connection, 408, "content came at less than " + rate + bytes + " bytes in all");
    }
  }

  void slowHead(Connection connection, long bytes) {
    if (log.admits()) {
      String time = Duration.ofNanos(options.requestHeadNanos()) + ", ";
      refused(connection, 408, "no complete request head within " + time + bytes + " bytes in all");
    }
  }

  void slowTaking(Connection connection) {
    if (log.admits()) {
      log.add(
          "closed "
              + remote(connection)
              + ", which took less than "
              + options.bodyBytesPerSecondMin()
              + " bytes per second of its response, "
              + connection.unsentBytes()
              + " bytes unsent");
    }
  }

  void tooManyConnections(Connection connection, int connectionsMax) {
    if (log.admits()) {
      refused(connection, 503, "more than " + connectionsMax + " connections");
    }
  }

  private void refused(Connection connection, int status, String why) {
    log.add("refused " + remote(connection) + " with " + status + ": " + why);
  }

  /** The limit that was exceeded, if it was one. */
  private String of(Rejection rejection) {
    return switch (rejection) {
      case REQUEST_LINE_TOO_LONG, METHOD_TOO_LONG ->
          "; the limit is " + limits.requestLineBytesMax() + " bytes";
      case HEADER_SECTION_TOO_LARGE -> "; the limit is " + limits.headerBytesMax() + " bytes";
      case TOO_MANY_FIELDS -> "; the limit is " + limits.fieldsMax() + " lines";
      case TOO_MANY_EMPTY_LINES -> "; the limit is " + limits.emptyLinesMax() + " lines";
      case CHUNK_EXTENSIONS_TOO_LARGE ->
          "; the limits are "
              + limits.chunkExtensionBytesMax()
              + " bytes for a chunk and "
              + limits.bodyExtensionBytesMax()
              + " for a body";
      case TRAILER_SECTION_TOO_LARGE -> "; the limit is " + limits.trailerBytesMax() + " bytes";
      case TOO_MANY_TRAILERS -> "; the limit is " + limits.trailerFieldsMax() + " lines";
      default -> "";
    };
  }

  private static String remote(Connection connection) {
    try {
      return String.valueOf(connection.remoteAddress());
    } catch (IOException closed) {
      return "a closed connection";
    }
  }
}
