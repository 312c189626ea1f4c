package dev.peregrine.parser;

import static dev.peregrine.parser.RequestHead.NONE;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.parser.field.TrailerNames;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.parser.value.ListElements;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fills request heads from the decoded fields of HTTP/2 (RFC 9113 sections 8.1 to 8.3, 8.5), by the
 * rules of {@link RequestParser} and without allocation. Immutable and thread-safe.
 *
 * <p>The head's offsets are those of the fields' text, so it is used with {@link
 * DecodedSection#segment} from 0 on. Its field lines are the fields after the pseudo-header fields,
 * and already indexed.
 */
public final class Http2HeadReader {
  private static final long CONTENT_LENGTH = RequestNames.bit(KnownHeader.CONTENT_LENGTH);
  private static final long COOKIE = RequestNames.bit(KnownHeader.COOKIE);
  private static final long EXPECT = RequestNames.bit(KnownHeader.EXPECT);
  private static final long HOST = RequestNames.bit(KnownHeader.HOST);
  private static final byte[] HOST_NAME = {'h', 'o', 's', 't'};
  private static final long TE = RequestNames.bit(KnownHeader.TE);

  /** The fields for the connection, which HTTP/2 excludes (RFC 9113 section 8.2.2). */
  private static final long CONNECTION_FIELDS =
      RequestNames.bits(
          KnownHeader.CONNECTION,
          KnownHeader.KEEP_ALIVE,
          KnownHeader.PROXY_CONNECTION,
          KnownHeader.TRANSFER_ENCODING,
          KnownHeader.UPGRADE);

  /** The fields whose values are read for each request. */
  private static final long INTERPRETED = CONNECTION_FIELDS | CONTENT_LENGTH | EXPECT | HOST | TE;

  /** The bytes of a field line of HTTP/1 besides name and value. */
  private static final int LINE_OVERHEAD = ": \r\n".length();

  private final ParserLimits limits;
  private final PseudoFields pseudoFields;

  /**
   * Creates a reader that accepts the given violations.
   *
   * @param acceptsExtendedConnect whether CONNECT can have a protocol (RFC 8441)
   */
  public Http2HeadReader(
      ParserLimits limits, Set<Leniency> leniencies, boolean acceptsExtendedConnect) {
    this.limits = limits;
    pseudoFields = new PseudoFields(limits, leniencies, acceptsExtendedConnect);
  }

  /**
   * Fills a head. Returns false if the request is malformed; {@link RequestHead#rejection} then has
   * the reason.
   *
   * @param fields all fields of a header section. If several of them are Cookie, they become one
   *     field line, whose value is after the text.
   */
  public boolean read(DecodedSection fields, RequestHead head) {
    head.begin();
    head.versionCode = RequestHead.HTTP_2;
    int first = pseudoFields.read(fields, head); // also for the method of a rejected request
    Rejection fault = fields.fault();
    if (fields.isTooLarge()) {
      fault = fields.isFull() ? Rejection.TOO_MANY_FIELDS : Rejection.HEADER_SECTION_TOO_LARGE;
    }
    if (fault != null) {
      return head.reject(fault, 0);
    }
    if (first == NONE) {
      return false;
    }
    HeadRules.begin(head);
    head.upgrade = head.protocolStart != NONE;
    return takeLines(fields, first, head)
        && (head.hostStart != NONE || head.reject(Rejection.HOST_MISSING, 0));
  }

  /** Takes the fields from an index on as field lines, and completes the head. */
  private boolean takeLines(DecodedSection fields, int from, RequestHead head) {
    int count = fields.count() - from;
    int start = from == 0 ? 0 : fields.valueEnd(from - 1);
    if (count > limits.fieldsMax()) {
      return head.reject(Rejection.TOO_MANY_FIELDS, start);
    }
    if (fields.textLength() - start + count * LINE_OVERHEAD > limits.headerBytesMax()) {
      return head.reject(Rejection.HEADER_SECTION_TOO_LARGE, start);
    }
    FieldLines lines = head.fields.lines();
    lines.beginIndexed(count + 1); // and Host
    long repeated = 0;
    int nameStart = start;
    for (int i = from; i < fields.count(); i++) {
      int id = fields.nameId(i);
      int valueEnd = fields.valueEnd(i);
      if (id >= RequestNames.PSEUDO) {
        return head.reject(Rejection.PSEUDO_FIELD_LATE, nameStart);
      }
      repeated |=
          lines.addIndexed(id, nameStart, fields.nameEnd(i), fields.valueStart(i), valueEnd);
      nameStart = valueEnd;
    }
    int end = fields.textLength();
    if ((repeated & COOKIE) != 0) {
      end = CookieCrumbs.join(fields, from, lines);
    }
    boolean isPlain = (lines.present() & INTERPRETED) == 0;
    if ((lines.present() & HOST) == 0 && head.hostStart != NONE) {
      end = addHost(fields, end, head);
    }
    head.complete(end);
    return isPlain || interpret(fields.segment(), repeated, head);
  }

  /**
   * Adds Host with the value of :authority (RFC 9113 section 8.3.1), because that is where
   * applications read it. Its name is put after the text.
   *
   * @return the end of the text
   */
  private static int addHost(DecodedSection fields, int end, RequestHead head) {
    int nameEnd = end + HOST_NAME.length;
    byte[] text = fields.textWithRoom(nameEnd - fields.textLength());
    System.arraycopy(HOST_NAME, 0, text, end, HOST_NAME.length);
    long ignored =
        head.fields
            .lines()
            .addIndexed(
                RequestNames.id(KnownHeader.HOST), end, nameEnd, head.hostStart, head.hostEnd);
    return nameEnd;
  }

  private static boolean interpret(MemorySegment bytes, long repeated, RequestHead head) {
    FieldLines lines = head.fields.lines();
    for (int line = 0; line < lines.count(); line++) {
      long name = 1L << lines.nameId(line);
      if ((name & INTERPRETED) != 0) {
        int start = lines.valueStart(line);
        int end = lines.valueEnd(line);
        if ((repeated & name & (HOST | CONTENT_LENGTH)) != 0) {
          return head.reject(
              name == HOST ? Rejection.HOST_REPEATED : Rejection.CONTENT_LENGTH_REPEATED, start);
        }
        if (!interpret(name, bytes, start, end, head)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Checks the value of a field by the bit of its name. */
  private static boolean interpret(
      long name, MemorySegment bytes, int start, int end, RequestHead head) {
    if (name == CONTENT_LENGTH) {
      return HeadRules.readLength(bytes, 0, start, end, head);
    }
    if (name == HOST) {
      if (start == end) { // as an empty :authority
        return head.reject(Rejection.HOST_INVALID, start);
      }
      return HeadRules.readHost(bytes, 0, start, end, head)
          && (Authority.areEqual(bytes, start, end, head.hostStart, head.hostEnd)
              || head.reject(Rejection.HOST_CONFLICTING, start));
    }
    if (name == EXPECT) {
      return HeadRules.readExpect(bytes, 0, start, end, head);
    }
    return name == TE
        ? ListElements.equal(bytes, start, end, "trailers")
            || head.reject(Rejection.TE_INVALID, start)
        : head.reject(Rejection.CONNECTION_FIELD, start);
  }

  /**
   * Reads a trailer section (RFC 9113 section 8.1). Drops the fields that a trailer section can't
   * have, as HTTP/1 does.
   *
   * @param namesAndValues takes a name, then its value, for each field
   * @return the reason why the request is malformed, or null
   */
  public @Nullable Rejection readTrailers(DecodedSection fields, List<String> namesAndValues) {
    int sectionBytes = fields.textLength() + fields.count() * LINE_OVERHEAD;
    if (fields.isTooLarge() || sectionBytes > limits.trailerBytesMax()) {
      return Rejection.TRAILER_SECTION_TOO_LARGE;
    }
    if (fields.fault() != null) {
      return fields.fault();
    }
    if (fields.count() > limits.trailerFieldsMax()) {
      return Rejection.TOO_MANY_TRAILERS;
    }
    for (int i = 0; i < fields.count(); i++) {
      int id = fields.nameId(i);
      if (id >= RequestNames.PSEUDO) {
        return Rejection.PSEUDO_FIELD_IN_TRAILERS;
      }
      if ((1L << id & CONNECTION_FIELDS) != 0) {
        return Rejection.CONNECTION_FIELD;
      }
      if (TrailerNames.isPermitted(RequestNames.header(id))) {
        namesAndValues.add(string(fields, fields.nameStart(i), fields.nameEnd(i)));
        namesAndValues.add(string(fields, fields.valueStart(i), fields.valueEnd(i)));
      }
    }
    return null;
  }

  private static String string(DecodedSection fields, int start, int end) {
    return new String(fields.text(), start, end - start, StandardCharsets.ISO_8859_1);
  }
}
