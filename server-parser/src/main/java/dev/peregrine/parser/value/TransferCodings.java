package dev.peregrine.parser.value;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The transfer codings of a request: exactly {@code chunked}, once (RFC 9112 sections 6.1 to 6.3).
 * If the body's end is in doubt, for example because chunked isn't last, the status is 400. For an
 * unknown coding before chunked it is 501. Empty list elements, which RFC 9110 section 5.6.1
 * permits a recipient to skip, are rejected: two recipients that read them differently see
 * different bodies.
 */
public final class TransferCodings {
  private TransferCodings() {}

  /** Returns the reason why the codings are rejected, or null if the body is chunked. */
  public static @Nullable Rejection check(
      MemorySegment bytes, long base, FieldLines lines, FramingFields framing) {
    boolean unknown = false;
    boolean chunked = false;
    int line = framing.first(FramingFields.TRANSFER_ENCODING);
    while (line < lines.count()) {
      int start = lines.valueStart(bytes, base, line);
      long at = base + start;
      long end = base + lines.valueEnd(bytes, base, line, start);
      while (true) {
        long elementEnd = ListElements.end(bytes, at, end);
        if (!isCoding(bytes, at, elementEnd)) {
          return Rejection.TRANSFER_ENCODING_INVALID;
        }
        if (chunked) {
          return Rejection.TRANSFER_ENCODING_NOT_CHUNKED_LAST;
        }
        chunked = ListElements.equal(bytes, at, elementEnd, "chunked");
        unknown |= !chunked;
        at = behindComma(bytes, elementEnd, end);
        if (at < 0) {
          break;
        }
      }
      line = framing.next(FramingFields.TRANSFER_ENCODING, bytes, base, lines, line);
    }
    if (!chunked) {
      return Rejection.TRANSFER_ENCODING_NOT_CHUNKED_LAST;
    }
    return unknown ? Rejection.TRANSFER_CODING_UNKNOWN : null;
  }

  /** Returns true for a token, which parameters may follow except after chunked. */
  private static boolean isCoding(MemorySegment bytes, long start, long end) {
    long at = start;
    while (at < end && CharClass.TOKEN.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    boolean parameters = at < end;
    return at > start && (!parameters || !ListElements.equal(bytes, start, at, "chunked"));
  }

  /** Returns the start of the next element, which may be empty; -1 if no comma follows this one. */
  private static long behindComma(MemorySegment bytes, long elementEnd, long end) {
    long at = elementEnd;
    while (at < end && Memory.byteAt(bytes, at) != ',') {
      at++;
    }
    if (at == end) {
      return -1;
    }
    at++;
    while (at < end && Ascii.isBlank(Memory.byteAt(bytes, at))) {
      at++;
    }
    return at;
  }
}
