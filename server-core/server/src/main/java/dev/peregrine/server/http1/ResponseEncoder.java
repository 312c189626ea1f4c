package dev.peregrine.server.http1;

import dev.peregrine.base.FieldBytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.OutboundQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes response heads and chunk framing (RFC 9112 sections 4 and 7.1): into an array. From there
 * they are copied to outbound memory at once, followed by short content. One per event loop.
 *
 * <p>Technique {@code response-head} of docs/TECHNIQUES.md, measured by {@code
 * ResponseHeadBenchmark}.
 */
public final class ResponseEncoder {
  /** In place of a length: the content is sent in chunks. */
  static final long CHUNKED = -1;

  /** In place of a length: the content ends with the connection. */
  static final long TO_CLOSE = -2;

  /** In place of a length: the response has no content and declares none. */
  static final long NO_CONTENT = -3;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle PAIR =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
  private static final long CONTENT_ = (long) WORD.get(CONTENT_LENGTH, 0);
  private static final long LENGTH_ = (long) WORD.get(CONTENT_LENGTH, Long.BYTES);
  private static final short CRLF = (short) ('\r' | '\n' << 8);
  private static final byte[] CHUNKED_LINE = ascii("Transfer-Encoding: chunked\r\n");
  private static final byte[] CLOSE_LINE = ascii("Connection: close\r\n");
  private static final byte[] KEEP_ALIVE_LINE = ascii("Connection: keep-alive\r\n");
  private static final byte[] CRLF_BYTES = ascii("\r\n");
  private static final byte[] LAST_CHUNK = ascii("0\r\n");
  private static final int STATUS_END = 600;

  // A longer content type, longer fields of the handler, and longer content are added separately.
  static final int PART_BYTES_MAX = HttpStream.COPIED_CONTENT_BYTES_MAX;
  private static final int PARTS = 3;

  // More than the sum of the parts that aren't counted one by one.
  private static final int FIXED_PARTS_BYTES = 256;
  private static final int DIGITS_MAX = 19;
  private static final int CHUNK_HEAD_BYTES_MAX = 18;
  private static final int DECIMAL = 10;

  private final ResponsePreamble preamble;

  // Begins with the preamble, as nearly every head does, followed by the last content type.
  private final byte[] line;
  private @Nullable ContentType typeInPlace;
  private int from; // the start of the bytes that aren't added yet
  private final byte[] chunkLine = new byte[CHUNK_HEAD_BYTES_MAX];

  /** By status; each is created for its first response, because all take a start 5 ms. */
  private final byte[] @Nullable [] statusLines = new byte[STATUS_END][];

  public ResponseEncoder(ResponsePreamble preamble) {
    this.preamble = preamble;
    this.line = new byte[2 * preamble.length() + FIXED_PARTS_BYTES + PARTS * PART_BYTES_MAX];
    preamble.copy(line);
  }

  /**
   * Writes a head, and content after it.
   *
   * @param length the content's length, or one of the constants above
   * @param content all of the content: as many of the array's first bytes as the length declares,
   *     not to be changed until they are sent; null without content, or if it follows separately
   * @param close whether the connection ends after this response
   * @param keepAlive whether to declare that it persists, which HTTP/1.0 needs
   */
  public void head(
      OutboundQueue out,
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      byte @Nullable [] content,
      boolean close,
      boolean keepAlive) {
    if (preamble.refresh()) {
      preamble.copy(line);
    }
    from = 0;
    int p = preamble.length();
    if (status != HttpStatus.OK.code() || replacesPreamble(fields)) {
      from = p;
      p = begin(p, status, fields);
    }
    p = type(out, p, type);
    if (fields.length() > 0) {
      p = part(out, p, fields.array(), fields.length());
    }
    if (length >= 0) {
      WORD.set(line, p, CONTENT_);
      WORD.set(line, p + Long.BYTES, LENGTH_);
      p = endLine(decimal(p + CONTENT_LENGTH.length, length));
    } else if (length == CHUNKED) {
      p = put(p, CHUNKED_LINE);
    }
    if (close) {
      p = put(p, CLOSE_LINE);
    } else if (keepAlive) {
      p = put(p, KEEP_ALIVE_LINE);
    }
    p = endLine(p);
    if (content != null && length <= PART_BYTES_MAX) {
      p = putShort(p, content, (int) length);
    }
    out.appendCopy(line, from, p - from);
    if (content != null && length > PART_BYTES_MAX) {
      out.append(content, 0, (int) length);
    }
  }

  private static boolean replacesPreamble(FieldLines fields) {
    return fields.length() > 0 && (fields.has(HeaderName.SERVER) || fields.has(HeaderName.DATE));
  }

  /** Writes the beginning of a head that doesn't begin with the preamble. */
  private int begin(int at, int status, FieldLines fields) {
    int p = put(at, statusLine(status));
    if (!fields.has(HeaderName.SERVER)) {
      p = put(p, preamble.serverLine());
    }
    return fields.has(HeaderName.DATE) ? p : put(p, preamble.dateLine());
  }

  private byte[] statusLine(int status) {
    byte @Nullable [] present = statusLines[status];
    if (present == null) {
      HttpStatus known = HttpStatus.of(status);
      present = ascii("HTTP/1.1 " + status + " " + (known == null ? "" : known.reason()) + "\r\n");
      statusLines[status] = present;
    }
    return present;
  }

  private int type(OutboundQueue out, int at, @Nullable ContentType type) {
    if (from == 0 && type != null && type.equals(typeInPlace)) {
      return at + FieldBytes.length(type);
    }
    typeInPlace = null; // the type is overwritten
    if (type == null) {
      return at;
    }
    int bytes = FieldBytes.length(type);
    if (bytes > PART_BYTES_MAX) {
      byte[] longLine = new byte[bytes];
      FieldBytes.copy(type, longLine, 0);
      return part(out, at, longLine, bytes);
    }
    FieldBytes.copy(type, line, at);
    typeInPlace = from == 0 ? type : null;
    return at + bytes;
  }

  /** Writes a part of any length. Before a long part, the bytes written so far are added. */
  private int part(OutboundQueue out, int at, byte[] bytes, int length) {
    if (length <= PART_BYTES_MAX) {
      System.arraycopy(bytes, 0, line, at, length);
      return at + length;
    }
    out.appendCopy(line, from, at - from);
    out.appendCopy(bytes, 0, length);
    from = at;
    return at;
  }

  /** Writes an interim response (RFC 9110 section 15.2). */
  void interim(OutboundQueue out, int status, FieldLines fields) {
    byte[] statusLine = statusLine(status);
    out.appendCopy(statusLine, 0, statusLine.length);
    out.appendCopy(fields.array(), 0, fields.length());
    out.appendCopy(CRLF_BYTES, 0, CRLF_BYTES.length);
  }

  /** Writes the size line of a chunk; its bytes and {@link #chunkEnd} follow. */
  void chunkHead(OutboundQueue out, long bytes) {
    int digits = (Long.SIZE - Long.numberOfLeadingZeros(bytes) + 3) / 4;
    for (int i = 0; i < digits; i++) {
      int digit = (int) (bytes >>> (4 * (digits - 1 - i))) & 0xF;
      chunkLine[i] = (byte) Character.forDigit(digit, 16);
    }
    PAIR.set(chunkLine, digits, CRLF);
    out.appendCopy(chunkLine, 0, digits + CRLF_BYTES.length);
  }

  void chunkEnd(OutboundQueue out) {
    out.appendCopy(CRLF_BYTES, 0, CRLF_BYTES.length);
  }

  /** Writes the last chunk and the trailer section. */
  void lastChunk(OutboundQueue out, FieldLines trailers) {
    out.appendCopy(LAST_CHUNK, 0, LAST_CHUNK.length);
    out.appendCopy(trailers.array(), 0, trailers.length());
    out.appendCopy(CRLF_BYTES, 0, CRLF_BYTES.length);
  }

  private int put(int at, byte[] bytes) {
    System.arraycopy(bytes, 0, line, at, bytes.length);
    return at + bytes.length;
  }

  /** Copies a few bytes by overlapping words, without the call of a stub. */
  private int putShort(int at, byte[] bytes, int length) {
    int last = length - Long.BYTES;
    if (last < 0 || last > 3 * Long.BYTES) {
      System.arraycopy(bytes, 0, line, at, length);
      return at + length;
    }
    putWord(at, bytes, 0);
    if (last > Long.BYTES) {
      putWord(at, bytes, Long.BYTES);
      putWord(at, bytes, last - Long.BYTES);
    }
    putWord(at, bytes, last);
    return at + length;
  }

  private void putWord(int at, byte[] bytes, int index) {
    WORD.set(line, at + index, (long) WORD.get(bytes, index));
  }

  private int endLine(int at) {
    PAIR.set(line, at, CRLF);
    return at + 2;
  }

  private int decimal(int at, long value) {
    if (value < DECIMAL * DECIMAL && value >= DECIMAL) {
      long units = '0' + value % DECIMAL;
      PAIR.set(line, at, (short) ('0' + value / DECIMAL + (units << Byte.SIZE)));
      return at + 2;
    }
    int end = at + digits(value);
    long rest = value;
    for (int p = end - 1; p >= at; p--) {
      line[p] = (byte) ('0' + rest % DECIMAL);
      rest /= DECIMAL;
    }
    return end;
  }

  private static int digits(long value) {
    long power = DECIMAL;
    for (int n = 1; n < DIGITS_MAX; n++) {
      if (value < power) {
        return n;
      }
      power *= DECIMAL;
    }
    return DIGITS_MAX;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
