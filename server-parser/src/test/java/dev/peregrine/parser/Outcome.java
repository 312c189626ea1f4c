package dev.peregrine.parser;

import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All results of a parse, as values that can be compared. */
public record Outcome(
    int result, @Nullable Rejection rejection, int rejectedAt, @Nullable Accepted accepted) {

  /** The results for a complete head. */
  public record Accepted(
      HttpMethod method,
      String methodText,
      TargetForm targetForm,
      String target,
      String path,
      @Nullable String query,
      HttpVersion version,
      @Nullable String host,
      List<Field> fields,
      long contentLength,
      boolean chunked,
      boolean keepAlive,
      boolean expectsContinue,
      boolean upgrade,
      int length) {}

  /** One field line. */
  public record Field(@Nullable KnownHeader known, String name, String value) {}

  static Outcome of(int result, MemorySegment bytes, int from, RequestHead head) {
    if (result == RequestParser.REJECTED) {
      return new Outcome(result, head.rejection(), head.rejectedAt(), null);
    }
    return new Outcome(result, null, -1, result > 0 ? accepted(bytes, from, head) : null);
  }

  static Accepted accepted(MemorySegment bytes, int from, RequestHead head) {
    var fields = new ArrayList<Field>();
    head.index(bytes, from);
    for (int i = 0; i < head.fieldCount(); i++) {
      fields.add(
          new Field(
              head.knownName(i),
              text(bytes, from, head.nameStart(i), head.nameEnd(i)),
              text(bytes, from, head.valueStart(i), head.valueEnd(i))));
    }
    return new Accepted(
        head.method(),
        text(bytes, from, head.methodStart(), head.methodEnd()),
        head.targetForm(),
        text(bytes, from, head.targetStart(), head.targetEnd()),
        text(bytes, from, head.pathStart(), head.pathEnd()),
        head.queryStart() < 0 ? null : text(bytes, from, head.queryStart(), head.queryEnd()),
        head.version(),
        head.hostStart() < 0 ? null : text(bytes, from, head.hostStart(), head.hostEnd()),
        fields,
        head.contentLength(),
        head.isChunked(),
        head.isKeepAlive(),
        head.expectsContinue(),
        head.isUpgrade(),
        head.length());
  }

  static String text(MemorySegment bytes, int from, int start, int end) {
    byte[] copy = bytes.asSlice(from + start, end - start).toArray(ValueLayout.JAVA_BYTE);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }
}
