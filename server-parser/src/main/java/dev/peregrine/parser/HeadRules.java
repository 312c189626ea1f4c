package dev.peregrine.parser;

import static dev.peregrine.parser.KnownHeader.CONNECTION;
import static dev.peregrine.parser.KnownHeader.CONTENT_LENGTH;
import static dev.peregrine.parser.KnownHeader.EXPECT;
import static dev.peregrine.parser.KnownHeader.HOST;
import static dev.peregrine.parser.KnownHeader.TRANSFER_ENCODING;
import static dev.peregrine.parser.KnownHeader.UPGRADE;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;

/**
 * What the fields of a complete head mean for the connection: host (RFC 9112 section 3.2), body
 * length (section 6), persistence (section 9.3), expectation and upgrade (RFC 9110 sections 10.1.1
 * and 7.8). Looks only at the fields concerned, which the head's presence bits name.
 */
final class HeadRules {
  private static final long HOST_BIT = RequestNames.bit(HOST);
  private static final long LENGTH_BIT = RequestNames.bit(CONTENT_LENGTH);
  private static final long CODING_BIT = RequestNames.bit(TRANSFER_ENCODING);
  private static final long CONNECTION_BIT = RequestNames.bit(CONNECTION);
  private static final long EXPECT_BIT = RequestNames.bit(EXPECT);
  private static final long UPGRADE_BIT = RequestNames.bit(UPGRADE);

  private HeadRules() {}

  /** False if the head was refused. */
  static boolean check(MemorySegment bytes, int base, RequestHead head) {
    long present = head.lines().present();
    head.contentLength = RequestHead.NONE;
    head.chunked = false;
    head.keepAlive = head.minorVersion > 0;
    head.expectsContinue = false;
    head.upgrade = false;
    return checkHost(bytes, base, head)
        && ((present & (LENGTH_BIT | CODING_BIT)) == 0 || checkBody(bytes, base, present, head))
        && ((present & CONNECTION_BIT) == 0 || readConnection(bytes, base, present, head))
        && ((present & EXPECT_BIT) == 0 || checkExpect(bytes, base, head));
  }

  private static boolean checkHost(MemorySegment bytes, int base, RequestHead head) {
    FieldLines lines = head.lines();
    if ((lines.present() & HOST_BIT) == 0) {
      return head.minorVersion == 0 || head.reject(Rejection.HOST_MISSING, head.fields.at() - 1);
    }
    int line = lines.firstLine(RequestNames.id(HOST));
    int start = lines.valueStart(line);
    int end = lines.valueEnd(line);
    if ((lines.repeated() & HOST_BIT) != 0) {
      return head.reject(Rejection.HOST_REPEATED, start);
    }
    if (!Authority.isValid(bytes, base + start, base + end)) {
      return head.reject(Rejection.HOST_INVALID, start);
    }
    if (head.hostStart == RequestHead.NONE) {
      head.hostStart = start;
      head.hostEnd = end;
    }
    return true;
  }

  private static boolean checkBody(MemorySegment bytes, int base, long present, RequestHead head) {
    FieldLines lines = head.lines();
    if ((present & CODING_BIT) == 0) {
      return readLength(bytes, base, head);
    }
    int coding = lines.valueStart(lines.firstLine(RequestNames.id(TRANSFER_ENCODING)));
    if ((present & LENGTH_BIT) != 0) {
      return head.reject(Rejection.CONTENT_LENGTH_WITH_TRANSFER_ENCODING, coding);
    }
    if (head.minorVersion == 0) {
      return head.reject(Rejection.TRANSFER_ENCODING_IN_HTTP_1_0, coding);
    }
    Rejection wrong = TransferCodings.check(bytes, base, lines);
    head.chunked = true;
    return wrong == null || head.reject(wrong, coding);
  }

  private static boolean readLength(MemorySegment bytes, int base, RequestHead head) {
    FieldLines lines = head.lines();
    int line = lines.firstLine(RequestNames.id(CONTENT_LENGTH));
    int start = lines.valueStart(line);
    int end = lines.valueEnd(line);
    if ((lines.repeated() & LENGTH_BIT) != 0) {
      return head.reject(Rejection.CONTENT_LENGTH_REPEATED, start);
    }
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

  private static boolean readConnection(
      MemorySegment bytes, int base, long present, RequestHead head) {
    int options = ConnectionOptions.read(bytes, base, head.lines());
    boolean modern = head.minorVersion > 0;
    head.keepAlive =
        (options & ConnectionOptions.CLOSE) == 0
            && (modern || (options & ConnectionOptions.KEEP_ALIVE) != 0);
    head.upgrade =
        modern && (options & ConnectionOptions.UPGRADE) != 0 && (present & UPGRADE_BIT) != 0;
    return true;
  }

  /** HTTP/1.0 has no expectations; one there is ignored, as RFC 9110 section 10.1.1 asks. */
  private static boolean checkExpect(MemorySegment bytes, int base, RequestHead head) {
    if (head.minorVersion == 0) {
      return true;
    }
    FieldLines lines = head.lines();
    boolean expects = false;
    for (int line = lines.firstLine(RequestNames.id(EXPECT)); line < lines.count(); line++) {
      if (lines.nameId(line) != RequestNames.id(EXPECT)) {
        continue;
      }
      int end = base + lines.valueEnd(line);
      int at = ListElements.next(bytes, base + lines.valueStart(line), end);
      while (at < end) {
        int elementEnd = ListElements.end(bytes, at, end);
        if (!ListElements.equal(bytes, at, elementEnd, "100-continue")) {
          return head.reject(Rejection.EXPECTATION_UNKNOWN, at - base);
        }
        expects = true;
        at = ListElements.next(bytes, elementEnd, end);
      }
    }
    head.expectsContinue = expects;
    return true;
  }
}
