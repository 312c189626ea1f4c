package dev.peregrine.server.http2.frame;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.server.config.ServerLimits;

/**
 * The settings and windows of this server (RFC 9113 section 6.5.2).
 *
 * @param streamsMax requests of a connection that are served at a time
 * @param fieldsMax fields of a request, pseudo-header fields included
 * @param headerBytesMax the largest field list, with 32 bytes for each field
 * @param blockBytesMax the largest compressed field list
 * @param streamWindow bytes of content that a client may send before the application takes them
 * @param connectionWindow bytes of content on all streams that may be under way
 * @param windowMax the size up to which these windows grow
 */
public record LocalSettings(
    int streamsMax,
    int fieldsMax,
    int headerBytesMax,
    int blockBytesMax,
    int streamWindow,
    int connectionWindow,
    int windowMax) {

  private static final int CONNECTION_WINDOWS = 4;
  private static final int PSEUDO_FIELDS = 5;
  private static final int FIELDS_MAX = 1_000_000; // more than any limit of bytes permits
  private static final int FIELD_BYTES = 32; // that count for a field besides its text

  public static LocalSettings of(ServerLimits limits) {
    ParserLimits parser = limits.parser();
    int fieldsMax = Math.min(parser.fieldsMax(), FIELDS_MAX) + PSEUDO_FIELDS;
    long headBytes =
        (long) parser.requestLineBytesMax()
            + parser.headerBytesMax()
            + (long) FIELD_BYTES * fieldsMax;
    int headerBytes = (int) Math.min(headBytes, DecodedFields.BYTES_MAX);
    Http2Limits http2 = limits.http2();
    return new LocalSettings(
        http2.streamsMax(),
        fieldsMax,
        headerBytes,
        headerBytes + Frame.PAYLOAD_BYTES_MAX,
        Setting.WINDOW_DEFAULT,
        Math.min(CONNECTION_WINDOWS * Setting.WINDOW_DEFAULT, http2.windowBytesMax()),
        http2.windowBytesMax());
  }
}
