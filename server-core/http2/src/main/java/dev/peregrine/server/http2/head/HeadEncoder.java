package dev.peregrine.server.http2.head;

import dev.peregrine.base.FieldBytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.parser.hpack.HpackWriter;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.exchange.text.CurrentDate;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.memory.OutboundQueue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the field blocks of responses (RFC 9113 section 8.3.2, RFC 7541) into an array; from there
 * they are copied to outbound memory at once, followed by short content. One per event loop.
 */
public final class HeadEncoder {
  /** In place of a length: the response declares none. */
  public static final long UNDECLARED = -1;

  /** In place of content: it follows the head. */
  public static final byte[] FOLLOWS = {};

  // Indices of the static table (RFC 7541 appendix A).
  private static final int STATUS = 8;
  private static final int CONTENT_LENGTH = 28;
  private static final int CONTENT_TYPE = 31;
  private static final int DATE = 33;
  private static final int SERVER = 54;
  private static final int[] STATUS_INDEXED = {200, 204, 206, 304, 400, 404, 500};

  private static final int NAME_PREFIX = 4;
  private static final int STRING_PREFIX = 7;
  private static final int DECIMAL = 10;
  private static final int STATUS_DIGITS = 3;
  private static final int LENGTH_DIGITS_MAX = 19;
  private static final int LINE_BYTES_INITIAL = 2048;

  // More than a frame head, sizes of the table, a status, a date, and the begins of all fields.
  private static final int FIXED_PARTS_BYTES = 128;
  private static final int COLON_SPACE = 2;
  private static final int CRLF = 2;

  private final CurrentDate date;
  private final byte[] server; // empty without a name
  private byte[] line = new byte[LINE_BYTES_INITIAL];

  public HeadEncoder(CurrentDate date, String serverName) {
    this.date = date;
    this.server = serverName.getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Writes the head of a response, and content after it. C2 compiles it apart, because it is too
   * long to be inlined.
   *
   * @param stream the identifier
   * @param length the content's length in bytes, or {@link #UNDECLARED}
   * @param content short content that ends the stream: as many of the array's first bytes as {@code
   *     length} says; null if the head ends the stream, {@link #FOLLOWS} if content follows
   */
  public void head(
      HeadTarget target,
      int stream,
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      byte @Nullable [] content) {
    HeadTable table = target.table();
    boolean hasFields = fields.length() > 0;
    ensure(0, FIXED_PARTS_BYTES + server.length);
    int at = status(table.update(line, Frame.HEAD_BYTES), status);
    if (server.length > 0 && !(hasFields && fields.has(HeaderName.SERVER))) {
      int index = table.server();
      if (index != 0) {
        at = HpackWriter.indexed(line, at, index);
      } else {
        if (table.isUsed()) {
          table.insertServer(HeaderName.SERVER.length(), server.length);
        }
        at = value(begin(at, table, SERVER), server);
      }
    }
    if (!hasFields || !fields.has(HeaderName.DATE)) {
      boolean ignored = date.refresh();
      int index = table.date(date.second());
      if (index != 0) {
        at = HpackWriter.indexed(line, at, index);
      } else {
        byte[] value = date.value();
        if (table.isUsed()) {
          table.insertDate(HeaderName.DATE.length(), value.length, date.second());
        }
        at = value(begin(at, table, DATE), value);
      }
    }
    if (type != null) {
      at = type(at, table, type);
    }
    if (hasFields) {
      at = fields(at, fields);
    }
    if (length >= 0) {
      at = length(at, length);
    }
    write(target.out(), stream, at, content == null);
    if (content != null && content.length > 0) {
      writeContent(target.out(), stream, content, (int) length);
    }
  }

  private int status(int at, int status) {
    for (int i = 0; i < STATUS_INDEXED.length; i++) {
      if (STATUS_INDEXED[i] == status) {
        return HpackWriter.indexed(line, at, STATUS + i);
      }
    }
    int end = HpackWriter.literal(line, at, STATUS, false);
    line[end++] = STATUS_DIGITS;
    return decimal(end, status, STATUS_DIGITS);
  }

  private int type(int from, HeadTable table, ContentType type) {
    int index = table.type(type);
    if (index != 0) {
      return HpackWriter.indexed(line, from, index);
    }
    int lineBytes = FieldBytes.length(type);
    int at = ensure(from, 2 * lineBytes);
    int value = at + lineBytes + HeaderName.CONTENT_TYPE.length() + COLON_SPACE;
    int valueEnd = at + 2 * lineBytes - CRLF;
    FieldBytes.copy(type, line, at + lineBytes); // after the room for the encoded field
    if (table.isUsed()) {
      table.insertType(HeaderName.CONTENT_TYPE.length(), valueEnd - value, type);
    }
    return HpackWriter.string(line, begin(at, table, CONTENT_TYPE), line, value, valueEnd);
  }

  /** Begins a field that is inserted if the table is used. */
  private int begin(int at, HeadTable table, int nameIndex) {
    return table.isUsed()
        ? HpackWriter.literalIndexed(line, at, nameIndex)
        : HpackWriter.literal(line, at, nameIndex, false);
  }

  private int value(int at, byte[] value) {
    return HpackWriter.string(line, at, value, 0, value.length);
  }

  private int length(int from, long length) {
    int at = ensure(from, LENGTH_DIGITS_MAX + HpackWriter.INTEGER_MAX);
    at = HpackWriter.integer(line, at, NAME_PREFIX, 0, CONTENT_LENGTH);
    int digits = 1;
    for (long rest = length; rest >= DECIMAL; rest /= DECIMAL) {
      digits++;
    }
    line[at++] = (byte) digits;
    return decimal(at, length, digits);
  }

  private int decimal(int at, long value, int digits) {
    long rest = value;
    for (int i = at + digits - 1; i >= at; i--) {
      line[i] = (byte) ('0' + rest % DECIMAL);
      rest /= DECIMAL;
    }
    return at + digits;
  }

  /** Writes fields that the application has set, without those of a connection. */
  private int fields(int from, FieldLines fields) {
    byte[] lines = fields.array();
    int at = from;
    int start = 0;
    while (start < fields.length()) {
      int colon = indexOf(lines, ':', start);
      int end = indexOf(lines, '\r', colon);
      if (!ConnectionFields.isOne(lines, start, colon)) {
        at = field(at, lines, start, colon, end);
      }
      start = end + CRLF;
    }
    return at;
  }

  private int field(int from, byte[] lines, int start, int colon, int end) {
    int at = ensure(from, end - start + 3 * HpackWriter.INTEGER_MAX);
    at = HpackWriter.literal(line, at, 0, false);
    at = HpackWriter.integer(line, at, STRING_PREFIX, 0, colon - start);
    for (int i = start; i < colon; i++) {
      byte letter = lines[i];
      line[at++] = letter >= 'A' && letter <= 'Z' ? (byte) (letter | 0x20) : letter;
    }
    int value = colon + 1;
    int valueEnd = end;
    while (value < valueEnd && isBlank(lines[value])) {
      value++;
    }
    while (valueEnd > value && isBlank(lines[valueEnd - 1])) {
      valueEnd--;
    }
    return HpackWriter.string(line, at, lines, value, valueEnd);
  }

  private static boolean isBlank(byte value) {
    return value == ' ' || value == '\t';
  }

  private static int indexOf(byte[] bytes, char wanted, int from) {
    int at = from;
    while (bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  /** Writes an interim response (RFC 9110 section 15.2). */
  public void interim(HeadTarget target, int stream, int status, FieldLines fields) {
    int at = status(target.table().update(line, Frame.HEAD_BYTES), status);
    write(target.out(), stream, fields(at, fields), false);
  }

  /** Writes the trailer section, which ends the stream. */
  public void trailers(HeadTarget target, int stream, FieldLines fields) {
    int at = target.table().update(line, Frame.HEAD_BYTES);
    write(target.out(), stream, fields(at, fields), true);
  }

  /** Writes the block that ends at an index, in as many frames as it needs. */
  private void write(OutboundQueue out, int stream, int to, boolean ends) {
    int length = to - Frame.HEAD_BYTES;
    int endFlag = ends ? Frame.END_STREAM : 0;
    if (length <= Frame.PAYLOAD_BYTES_MAX) {
      int flags = Frame.END_HEADERS | endFlag;
      int ignored = Frame.head(line, 0, length, Frame.HEADERS, flags, stream);
      out.appendCopy(line, 0, to);
      return;
    }
    byte[] head = new byte[Frame.HEAD_BYTES];
    for (int at = Frame.HEAD_BYTES; at < to; at += Frame.PAYLOAD_BYTES_MAX) {
      boolean first = at == Frame.HEAD_BYTES;
      int bytes = Math.min(to - at, Frame.PAYLOAD_BYTES_MAX);
      int flags = (first ? endFlag : 0) | (at + bytes == to ? Frame.END_HEADERS : 0);
      int type = first ? Frame.HEADERS : Frame.CONTINUATION;
      int ignored = Frame.head(head, 0, bytes, type, flags, stream);
      out.appendCopy(head, 0, head.length);
      out.appendCopy(line, at, bytes);
    }
  }

  private void writeContent(OutboundQueue out, int stream, byte[] content, int length) {
    int at = Frame.head(line, 0, length, Frame.DATA, Frame.END_STREAM, stream);
    System.arraycopy(content, 0, line, at, length);
    out.appendCopy(line, 0, at + length);
  }

  /** Makes room for more bytes at an index, which is returned. */
  private int ensure(int at, int bytes) {
    if (at + bytes > line.length) {
      line = Arrays.copyOf(line, Math.max(at + bytes, 2 * line.length));
    }
    return at;
  }
}
