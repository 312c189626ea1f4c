package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.arriving.PacedContent;
import dev.peregrine.parser.multipart.Delimiter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes multipart content apart (RFC 2046 section 5.1.1), in any pieces. The caller gives it a
 * piece of {@link #input}, then takes events until {@link Event#MORE}. Used by one thread at a
 * time.
 *
 * <pre>
 *   PREAMBLE ──delimiter──▶ LINE ──CR LF──▶ HEADER ──empty line──▶ CONTENT ──delimiter──▶ LINE
 *                            └── "--" ──▶ LAST_LINE ──CR LF──▶ EPILOGUE
 * </pre>
 *
 * <p>Nothing is copied except the header of a part. The bytes of a delimiter that a piece cuts are
 * only counted, because they are known: if others follow than the rest of the delimiter, they come
 * from the delimiter itself.
 */
final class MultipartDecoder implements PacedContent.Divider {
  /** The result of a step. */
  enum Event {
    /** The input is used up. */
    MORE,
    /** A part begins: {@link #head}. */
    PART,
    /** Some bytes of the part, {@link #dataFrom} to {@link #dataTo} of {@link #data}. */
    DATA,
    /** The part is complete. */
    PART_END
  }

  private enum State {
    PREAMBLE,
    /** After a delimiter, of which {@code line} has the bytes that matter. */
    LINE,
    HEADER,
    CONTENT,
    /** After the last delimiter and its two hyphens. */
    LAST_LINE,
    EPILOGUE
  }

  /** The most white space after a boundary (transport padding). */
  static final int PADDING_BYTES_MAX = 64;

  private static final byte CR = '\r';
  private static final byte LF = '\n';
  private static final byte HYPHEN = '-';
  private static final byte NOTHING = 0;

  /** The line end before a delimiter, which the begin of the content stands for too. */
  private static final int LINE_END_BYTES = 2;

  /** The hyphens before a boundary. */
  private static final int HYPHENS = 2;

  private static final int HEADER_BYTES = 256;

  private final Delimiter delimiter;
  private final byte[] dashBoundary;
  private final MultipartLimits limits;
  private State state = State.PREAMBLE;
  private MemorySegment input = MemorySegment.NULL;
  private long at;
  private long to;

  private int held = LINE_END_BYTES; // bytes of a delimiter that the input ended with
  private int implied = LINE_END_BYTES; // those of them that were no bytes of the content
  private byte before = NOTHING; // the byte that decides about the next one in a line
  private int padding;
  private byte[] header = new byte[HEADER_BYTES];
  private int headerLength;
  private int lineFrom;
  private long contentBytes; // that were given as input, without those above the limit
  private boolean exceeded; // there are bytes above it: the failure once all before are used up
  private long partBytes;
  private int parts;
  private long ignoredBytes;
  private int hyphens; // of the first bytes of a preamble

  private @Nullable PartHead head;
  private MemorySegment data = MemorySegment.NULL;
  private long dataFrom;
  private long dataTo;
  private @Nullable HttpException failure;

  MultipartDecoder(Delimiter delimiter, MultipartLimits limits) {
    this.delimiter = delimiter;
    this.limits = limits;
    byte[] line = delimiter.segment().toArray(ValueLayout.JAVA_BYTE);
    this.dashBoundary = Arrays.copyOfRange(line, LINE_END_BYTES, line.length);
  }

  /**
   * Creates a decoder for the content of a request, and prepares the request's body.
   *
   * @throws HttpException 415 if the content is of another type, 400 if the boundary is missing or
   *     malformed, 413 if the declared length is too large
   */
  static MultipartDecoder of(Request request, MultipartLimits limits) {
    Delimiter delimiter = Boundary.delimiterOf(request);
    if (request.body().length() > limits.contentBytesMax()) {
      throw tooLarge(limits);
    }
    request.body().maxBytes(Long.MAX_VALUE); // because the decoder counts them
    return new MultipartDecoder(delimiter, limits);
  }

  private static HttpException tooLarge(MultipartLimits limits) {
    return MultipartFault.tooLarge("content", limits.contentBytesMax(), "bytes", "contentBytesMax");
  }

  /** Adds a piece, which must stay readable until it is used up. */
  @Override
  public void input(MemorySegment bytes, long from, long end) {
    long count = Math.min(end - from, limits.contentBytesMax() - contentBytes);
    input = bytes;
    at = from;
    to = from + count;
    contentBytes += count;
    exceeded |= to < end;
    SearchWarmUp.onPiece(end - from);
  }

  /** Returns true if a part of the input is left. */
  @Override
  public boolean hasInput() {
    return at < to;
  }

  /** Copies what is left of the input, because its memory won't stay readable. */
  @Override
  public void keepInput() {
    byte[] rest = input.asSlice(at, to - at).toArray(ValueLayout.JAVA_BYTE);
    input = MemorySegment.ofArray(rest);
    at = 0;
    to = rest.length;
  }

  /**
   * Returns the next event of the input.
   *
   * @throws HttpException 400 if the content is malformed, 413 if it exceeds a limit; every later
   *     call throws the same
   */
  Event next() {
    if (failure != null) {
      throw failure;
    }
    try {
      Event event = step();
      if (event == Event.MORE && exceeded) {
        throw tooLarge(limits);
      }
      return event;
    } catch (HttpException malformed) {
      failure = malformed;
      throw malformed;
    }
  }

  /**
   * Checks that the content is complete, after all of it was used up.
   *
   * @throws HttpException 400 if it isn't
   */
  void end() {
    if (failure != null) {
      throw failure;
    }
    if (state != State.EPILOGUE && (state != State.LAST_LINE || before == CR)) {
      failure = MultipartFault.malformed("it ends before its last boundary");
      throw failure;
    }
  }

  /** Returns the head of the part that has begun last. */
  PartHead head() {
    if (head == null) {
      throw new IllegalStateException("no part has begun");
    }
    return head;
  }

  /** Returns the memory of the bytes that the last event has brought. */
  MemorySegment data() {
    return data;
  }

  long dataFrom() {
    return dataFrom;
  }

  long dataTo() {
    return dataTo;
  }

  private Event step() {
    while (at < to) {
      switch (state) {
        case PREAMBLE -> {
          if (seek()) {
            beginLine();
          } else {
            checkPreamble();
            ignore(dataTo - dataFrom, "a preamble", limits.preambleBytesMax(), "preambleBytesMax");
          }
        }
        case LINE -> endDelimiter();
        case HEADER -> {
          if (collectHeader()) {
            beginPart();
            return Event.PART;
          }
        }
        case CONTENT -> {
          if (seek()) {
            beginLine();
            return Event.PART_END;
          }
          if (dataFrom < dataTo) {
            countPart(dataTo - dataFrom);
            return Event.DATA;
          }
        }
        case LAST_LINE -> endLastLine();
        case EPILOGUE -> {
          ignore(to - at, "an epilogue", limits.epilogueBytesMax(), "epilogueBytesMax");
          at = to;
        }
      }
    }
    return Event.MORE;
  }

  /**
   * Takes the bytes up to the next delimiter as data, or else the delimiter. Returns true after a
   * whole delimiter.
   */
  private boolean seek() {
    dataFrom = 0;
    dataTo = 0;
    if (held > 0) {
      return seekHeld();
    }
    long found = delimiter.indexOf(input, at, to);
    if (found > at) {
      data = input;
      dataFrom = at;
      dataTo = found;
      at = found;
      return false;
    }
    if (to - at >= delimiter.length()) {
      at += delimiter.length();
      return true;
    }
    held = (int) (to - at);
    at = to;
    return false;
  }

  private boolean seekHeld() {
    int matching = delimiter.matching(input, at, to, held);
    if (held + matching == delimiter.length()) {
      at += matching;
      held = 0;
      implied = 0;
      return true;
    }
    if (at + matching == to) {
      held += matching;
      at = to;
      return false;
    }
    data = delimiter.segment();
    dataFrom = implied;
    dataTo = held;
    held = 0;
    implied = 0;
    return false;
  }

  /**
   * Rejects content that begins like a boundary but with another one: the part after it would be
   * ignored as a preamble.
   */
  private void checkPreamble() {
    for (long i = dataFrom; i < dataTo && ignoredBytes + i - dataFrom < HYPHENS; i++) {
      if (data.get(ValueLayout.JAVA_BYTE, i) == HYPHEN && ++hyphens == HYPHENS) {
        throw MultipartFault.malformed("it begins with another boundary than its Content-Type has");
      }
    }
  }

  private void ignore(long bytes, String what, int max, String option) {
    ignoredBytes += bytes;
    if (ignoredBytes > max) {
      throw MultipartFault.tooLarge(what, max, "bytes", option);
    }
  }

  private void countPart(long bytes) {
    partBytes += bytes;
    if (partBytes > limits.partBytesMax()) {
      throw MultipartFault.tooLarge("a part", limits.partBytesMax(), "bytes", "partBytesMax");
    }
  }

  private void beginLine() {
    state = State.LINE;
    before = NOTHING;
    padding = 0;
  }

  /** Takes a byte of the line of a delimiter: padding, the line end, or the first two hyphens. */
  private void endDelimiter() {
    byte next = take();
    if (before == HYPHEN && next == HYPHEN) {
      if (parts == 0 && ignoredBytes > 0) { // an empty form has nothing before its only boundary
        throw MultipartFault.malformed("its first boundary is the last one");
      }
      state = State.LAST_LINE;
      before = NOTHING;
    } else if (before == CR && next == LF) {
      beginHeader();
    } else if (before == NOTHING && (next == CR || (next == HYPHEN && padding == 0))) {
      before = next;
    } else {
      pad(next);
    }
  }

  /** Takes a byte of the line of the last delimiter: padding, or the line end. */
  private void endLastLine() {
    byte next = take();
    if (before == CR && next == LF) {
      state = State.EPILOGUE;
      ignoredBytes = 0;
    } else if (before == NOTHING && next == CR) {
      before = CR;
    } else {
      pad(next);
    }
  }

  private void pad(byte next) {
    if (before != NOTHING || !ParameterizedValue.isBlank(next)) {
      throw MultipartFault.malformed("bytes after a boundary");
    }
    if (++padding > PADDING_BYTES_MAX) {
      throw MultipartFault.malformed(
          "more than " + PADDING_BYTES_MAX + " bytes of white space after a boundary");
    }
  }

  private void beginHeader() {
    if (parts == limits.partsMax()) {
      throw MultipartFault.tooLarge("a form", limits.partsMax(), "parts", "partsMax");
    }
    parts++;
    state = State.HEADER;
    headerLength = 0;
    lineFrom = 0;
  }

  /** Takes bytes of a header. Returns true after its empty line. */
  private boolean collectHeader() {
    while (at < to) {
      byte next = take();
      if (headerLength == limits.headerBytesMax()) {
        throw MultipartFault.tooLarge(
            "a header", limits.headerBytesMax(), "bytes", "headerBytesMax");
      }
      if (headerLength == header.length) {
        header = Arrays.copyOf(header, Math.min(2 * headerLength, limits.headerBytesMax()));
      }
      boolean afterCr = headerLength > 0 && header[headerLength - 1] == CR;
      if (afterCr != (next == LF)) {
        throw MultipartFault.malformed("a CR or an LF alone in the header of a part");
      }
      header[headerLength++] = next;
      if (next == LF) {
        if (headerLength - lineFrom == LINE_END_BYTES) {
          return true;
        }
        lineFrom = headerLength;
      }
    }
    return false;
  }

  private void beginPart() {
    head = PartHeadReader.read(header, headerLength, dashBoundary, limits);
    state = State.CONTENT;
    partBytes = 0;
    // the empty line may be the line end of the delimiter, for a part without content
    held = LINE_END_BYTES;
    implied = LINE_END_BYTES;
  }

  private byte take() {
    return input.get(ValueLayout.JAVA_BYTE, at++);
  }
}
