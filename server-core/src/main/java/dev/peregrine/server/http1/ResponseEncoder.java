package dev.peregrine.server.http1;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.OutboundQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes response heads and chunk framing straight into outbound memory (RFC 9112 sections 4 and
 * 7.1). One per event loop.
 */
final class ResponseEncoder {
  /** In place of a length: the content is sent in chunks. */
  static final long CHUNKED = -1;

  /** In place of a length: the content ends with the connection. */
  static final long TO_CLOSE = -2;

  /** In place of a length: the response has no content and says nothing about one. */
  static final long NO_CONTENT = -3;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort PAIR =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long CONTENT_ = word("Content-");
  private static final long LENGTH_ = word("Length: ");
  private static final short CRLF = (short) ('\r' | '\n' << 8);
  private static final byte[] CHUNKED_LINE = ascii("Transfer-Encoding: chunked\r\n");
  private static final byte[] CLOSE_LINE = ascii("Connection: close\r\n");
  private static final byte[] KEEP_ALIVE_LINE = ascii("Connection: keep-alive\r\n");
  private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final byte[][] STATUS_LINES = new byte[600][];

  // More than the longest of everything that isn't counted one by one.
  private static final int FIXED_PARTS_BYTES = 256;
  private static final int DIGITS_MAX = 19;
  private static final int CHUNK_HEAD_BYTES_MAX = 18;
  private static final int DECIMAL = 10;

  static {
    for (int code = 0; code < STATUS_LINES.length; code++) {
      HttpStatus known = HttpStatus.of(code);
      STATUS_LINES[code] =
          ascii("HTTP/1.1 " + code + " " + (known == null ? "" : known.reason()) + "\r\n");
    }
  }

  private final ResponsePreamble preamble;

  ResponseEncoder(ResponsePreamble preamble) {
    this.preamble = preamble;
  }

  /**
   * Writes a head.
   *
   * @param length the content's length, or one of the constants above
   * @param close whether the connection ends after this response
   * @param keepAlive whether to say that it doesn't, as HTTP/1.0 needs
   */
  void head(
      OutboundQueue out,
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long length,
      boolean close,
      boolean keepAlive) {
    preamble.refresh();
    int typeBytes = type == null ? 0 : type.fieldLineBytes();
    Block block = out.reserve(preamble.length() + typeBytes + fields.length() + FIXED_PARTS_BYTES);
    MemorySegment target = block.stores();
    long start = block.storeIndex(out.writeIndex());
    long p = begin(target, start, status, fields);
    if (type != null) {
      type.copyFieldLine(target, p);
      p += typeBytes;
    }
    if (fields.length() > 0) {
      p = put(target, p, fields.array(), fields.length());
    }
    if (length >= 0) {
      target.set(WORD, p, CONTENT_);
      target.set(WORD, p + 8, LENGTH_);
      p = line(target, decimal(target, p + 16, length));
    } else if (length == CHUNKED) {
      p = put(target, p, CHUNKED_LINE);
    }
    if (close) {
      p = put(target, p, CLOSE_LINE);
    } else if (keepAlive) {
      p = put(target, p, KEEP_ALIVE_LINE);
    }
    out.advance((int) (line(target, p) - start));
  }

  /** Writes the interim response that asks the client for its content (RFC 9110 section 15.2.1). */
  void continueInterim(OutboundQueue out) {
    out.append(CONTINUE, 0, CONTINUE.length);
  }

  /** Writes the size line of a chunk; its bytes and {@link #chunkEnd} follow. */
  void chunkHead(OutboundQueue out, long bytes) {
    Block block = out.reserve(CHUNK_HEAD_BYTES_MAX);
    MemorySegment target = block.stores();
    long start = block.storeIndex(out.writeIndex());
    long p = start;
    int digits = (Long.SIZE - Long.numberOfLeadingZeros(bytes) + 3) / 4;
    for (int i = digits - 1; i >= 0; i--) {
      target.set(
          ValueLayout.JAVA_BYTE,
          p++,
          (byte) Character.forDigit((int) (bytes >>> (4 * i)) & 0xF, 16));
    }
    out.advance((int) (line(target, p) - start));
  }

  void chunkEnd(OutboundQueue out) {
    Block block = out.reserve(2);
    line(block.stores(), block.storeIndex(out.writeIndex()));
    out.advance(2);
  }

  /** Writes the last chunk and the trailer section. */
  void lastChunk(OutboundQueue out, FieldLines trailers) {
    Block block = out.reserve(trailers.length() + CHUNK_HEAD_BYTES_MAX);
    MemorySegment target = block.stores();
    long start = block.storeIndex(out.writeIndex());
    target.set(ValueLayout.JAVA_BYTE, start, (byte) '0');
    long p = line(target, start + 1);
    p = put(target, p, trailers.array(), trailers.length());
    out.advance((int) (line(target, p) - start));
  }

  private long begin(MemorySegment target, long start, int status, FieldLines fields) {
    boolean ownServer = fields.length() > 0 && fields.has("Server");
    boolean ownDate = fields.length() > 0 && fields.has("Date");
    if (status == 200 && !ownServer && !ownDate) {
      return preamble.copy(target, start);
    }
    long p = put(target, start, statusLine(status));
    if (!ownServer) {
      p = put(target, p, preamble.serverLine());
    }
    return ownDate ? p : put(target, p, preamble.dateLine());
  }

  private static long put(MemorySegment target, long at, byte[] bytes) {
    return put(target, at, bytes, bytes.length);
  }

  private static long put(MemorySegment target, long at, byte[] bytes, int length) {
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, at, length);
    return at + length;
  }

  private static long line(MemorySegment target, long at) {
    target.set(PAIR, at, CRLF);
    return at + 2;
  }

  private static long decimal(MemorySegment target, long at, long value) {
    if (value < DECIMAL * DECIMAL && value >= DECIMAL) {
      long units = '0' + value % DECIMAL;
      target.set(PAIR, at, (short) ('0' + value / DECIMAL + (units << Byte.SIZE)));
      return at + 2;
    }
    long end = at + digits(value);
    long rest = value;
    for (long p = end - 1; p >= at; p--) {
      target.set(ValueLayout.JAVA_BYTE, p, (byte) ('0' + rest % DECIMAL));
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

  private static byte[] statusLine(int code) {
    return STATUS_LINES[code];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static long word(String text) {
    return MemorySegment.ofArray(ascii(text)).get(WORD, 0);
  }
}
