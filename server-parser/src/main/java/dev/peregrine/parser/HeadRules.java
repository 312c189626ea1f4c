package dev.peregrine.parser;

import static dev.peregrine.parser.value.FramingFields.CONNECTION;
import static dev.peregrine.parser.value.FramingFields.CONTENT_LENGTH;
import static dev.peregrine.parser.value.FramingFields.EXPECT;
import static dev.peregrine.parser.value.FramingFields.HOST;
import static dev.peregrine.parser.value.FramingFields.TRANSFER_ENCODING;
import static dev.peregrine.parser.value.FramingFields.UPGRADE;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.parser.value.ConnectionOptions;
import dev.peregrine.parser.value.FramingFields;
import dev.peregrine.parser.value.ListElements;
import dev.peregrine.parser.value.TransferCodings;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/**
 * The meaning of a complete head's fields for the connection: host (RFC 9112 section 3.2), body
 * length (section 6), persistence (section 9.3), expectation and upgrade (RFC 9110 sections 10.1.1
 * and 7.8). Reads only the fields concerned.
 */
final class HeadRules {
  private HeadRules() {}

  /** Reads the framing fields that were found. Returns false if the head was rejected. */
  static boolean check(MemorySegment bytes, long base, RequestHead head) {
    FramingFields framing = head.framing;
    begin(head);
    return checkHost(bytes, base, head)
        && (framing.hasNone(CONTENT_LENGTH, TRANSFER_ENCODING) || checkBody(bytes, base, head))
        && (!framing.has(CONNECTION) || readConnection(bytes, base, head))
        && (!framing.has(EXPECT) || checkExpect(bytes, base, head));
  }

  /** Sets the values of a head without fields. */
  static void begin(RequestHead head) {
    head.contentLength = RequestHead.NONE;
    head.chunked = false;
    head.keepAlive = head.versionCode > 0;
    head.expectsContinue = false;
    head.upgrade = false;
  }

  private static boolean checkHost(MemorySegment bytes, long base, RequestHead head) {
    FramingFields framing = head.framing;
    if (!framing.has(HOST)) {
      return head.versionCode == 0 || head.reject(Rejection.HOST_MISSING, head.fields.at() - 1);
    }
    FieldLines lines = head.lines();
    int line = framing.first(HOST);
    int start = lines.valueStart(bytes, base, line);
    int end = lines.valueEnd(bytes, base, line, start);
    return framing.isRepeated(HOST)
        ? head.reject(Rejection.HOST_REPEATED, start)
        : readHost(bytes, base, start, end, head);
  }

  /** Checks the value of the only Host, and sets the head's host unless the target has set it. */
  static boolean readHost(MemorySegment bytes, long base, int start, int end, RequestHead head) {
    if (!Authority.isValid(bytes, base + start, base + end)) {
      return head.reject(Rejection.HOST_INVALID, start);
    }
    if (head.hostStart == RequestHead.NONE) {
      head.hostStart = start;
      head.hostEnd = end;
    }
    return true;
  }

  private static boolean checkBody(MemorySegment bytes, long base, RequestHead head) {
    FramingFields framing = head.framing;
    if (!framing.has(TRANSFER_ENCODING)) {
      return readLength(bytes, base, head);
    }
    int coding = head.lines().valueStart(bytes, base, framing.first(TRANSFER_ENCODING));
    if (framing.has(CONTENT_LENGTH)) {
      return head.reject(Rejection.CONTENT_LENGTH_WITH_TRANSFER_ENCODING, coding);
    }
    if (head.versionCode == 0) {
      return head.reject(Rejection.TRANSFER_ENCODING_IN_HTTP_1_0, coding);
    }
    Rejection wrong = TransferCodings.check(bytes, base, head.lines(), framing);
    head.chunked = true;
    return wrong == null || head.reject(wrong, coding);
  }

  private static boolean readLength(MemorySegment bytes, long base, RequestHead head) {
    FieldLines lines = head.lines();
    int line = head.framing.first(CONTENT_LENGTH);
    int start = lines.valueStart(bytes, base, line);
    int end = lines.valueEnd(bytes, base, line, start);
    return head.framing.isRepeated(CONTENT_LENGTH)
        ? head.reject(Rejection.CONTENT_LENGTH_REPEATED, start)
        : readLength(bytes, base, start, end, head);
  }

  /** Reads the value of the only Content-Length. */
  static boolean readLength(MemorySegment bytes, long base, int start, int end, RequestHead head) {
    long length = 0;
    for (int at = start; at < end; at++) {
      byte digit = Memory.byteAt(bytes, base + at);
      int value = digit - '0';
      if (!Ascii.isDigit(digit) || length > (Long.MAX_VALUE - value) / 10) {
        return head.reject(Rejection.CONTENT_LENGTH_INVALID, at);
      }
      length = 10 * length + value;
    }
    head.contentLength = length;
    return start < end || head.reject(Rejection.CONTENT_LENGTH_INVALID, start);
  }

  private static boolean readConnection(MemorySegment bytes, long base, RequestHead head) {
    if (ConnectionOptions.isKeepAliveAlone(bytes, base, head.lines(), head.framing)) {
      head.keepAlive = true;
      return true;
    }
    int options = ConnectionOptions.read(bytes, base, head.lines(), head.framing);
    boolean modern = head.versionCode > 0;
    head.keepAlive =
        (options & ConnectionOptions.CLOSE) == 0
            && (modern || (options & ConnectionOptions.KEEP_ALIVE) != 0);
    head.upgrade =
        modern && (options & ConnectionOptions.UPGRADE) != 0 && head.framing.has(UPGRADE);
    return true;
  }

  /** Checks Expect; an expectation in HTTP/1.0 is ignored (RFC 9110 section 10.1.1). */
  private static boolean checkExpect(MemorySegment bytes, long base, RequestHead head) {
    if (head.versionCode == 0) {
      return true;
    }
    FieldLines lines = head.lines();
    int line = head.framing.first(EXPECT);
    while (line < lines.count()) {
      int start = lines.valueStart(bytes, base, line);
      if (!readExpect(bytes, base, start, lines.valueEnd(bytes, base, line, start), head)) {
        return false;
      }
      line = head.framing.next(EXPECT, bytes, base, lines, line);
    }
    return true;
  }

  /** Reads the value of one Expect. */
  static boolean readExpect(MemorySegment bytes, long base, int start, int end, RequestHead head) {
    long to = base + end;
    long at = ListElements.next(bytes, base + start, to);
    while (at < to) {
      long elementEnd = ListElements.end(bytes, at, to);
      if (!ListElements.equal(bytes, at, elementEnd, "100-continue")) {
        return head.reject(Rejection.EXPECTATION_UNKNOWN, (int) (at - base));
      }
      head.expectsContinue = true;
      at = ListElements.next(bytes, elementEnd, to);
    }
    return true;
  }
}
