package dev.peregrine.parser.body;

import static dev.peregrine.protocol.grammar.Ascii.CR;
import static dev.peregrine.protocol.grammar.Ascii.LF;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a chunked body in place and in any pieces (RFC 9112 section 7.1), strictly, bounded and
 * without allocation. Belongs to one connection at a time.
 *
 * <p>
 *
 * {@snippet :
 * var decoder = new ChunkedDecoder(ParserLimits.DEFAULT);
 * while (decoder.next(bytes, from, to) == ChunkedDecoder.DATA) {
 *   consume(bytes, decoder.dataStart(), decoder.dataEnd());
 *   from = decoder.position();
 * }
 * }
 *
 * <pre>
 *    ┌────────────────── LF ──────────────────┐
 *    ▼                                        │
 *  LINE ── size > 0 ──▶ DATA ──▶ DATA_CR ──▶ DATA_LF
 *    └──── size = 0 ──▶ TRAILERS ──▶ END
 * </pre>
 */
public final class ChunkedDecoder {
  /** All bytes up to {@link #position} are used; call again with more. */
  public static final int NEED_MORE = 0;

  /** {@link #dataStart} to {@link #dataEnd} is the next part of the body. */
  public static final int DATA = 1;

  /** The body and its trailers are complete. */
  public static final int END = 2;

  /** The body was rejected; {@link #rejection} has the reason. */
  public static final int REJECTED = -1;

  private enum State {
    LINE,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILERS,
    END,
    REJECTED
  }

  private final ChunkLine line;
  private final Trailers trailers;
  private State state = State.LINE;
  private long remaining;
  private int position;
  private int dataStart;
  private int dataEnd;
  private @Nullable Rejection rejection;

  /** Creates a decoder at the start of a body. */
  public ChunkedDecoder(ParserLimits limits) {
    line = new ChunkLine(limits);
    trailers = new Trailers(limits);
    reset();
  }

  /** Starts a new body. */
  public void reset() {
    line.beginBody();
    state = State.LINE;
    rejection = null;
    trailers.clear();
  }

  /**
   * Continues with the bytes in {@code [from, to)}, which start with the first byte not used so
   * far.
   *
   * @return {@link #DATA}, {@link #NEED_MORE}, {@link #END} or {@link #REJECTED}
   * @throws IndexOutOfBoundsException if the range is not in the segment
   */
  public int next(MemorySegment bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    position = from;
    while (true) {
      switch (state) {
        case END -> {
          return END;
        }
        case REJECTED -> {
          return REJECTED;
        }
        case TRAILERS -> {
          return onTrailers(bytes, to);
        }
        default -> {
          if (position == to) {
            return NEED_MORE;
          }
        }
      }
      if (state == State.DATA) {
        return onData(to);
      }
      Rejection wrong = state == State.LINE ? onLine(bytes, to) : onDataEnd(bytes, to);
      if (wrong != null) {
        return reject(wrong);
      }
    }
  }

  /** Returns the first index that was not used: from here on the bytes must be presented again. */
  public int position() {
    return position;
  }

  /** Returns the index of the first body byte, after {@link #DATA}. */
  public int dataStart() {
    return dataStart;
  }

  /** Returns the index after the last body byte, after {@link #DATA}. */
  public int dataEnd() {
    return dataEnd;
  }

  /** Returns the number of bytes of the current chunk that are still to arrive. */
  public long chunkRemaining() {
    return remaining;
  }

  /** Returns the reason why the body was rejected, or null. */
  public @Nullable Rejection rejection() {
    return rejection;
  }

  /**
   * Returns the number of trailer fields, after {@link #END}. Fields that RFC 9110 section 6.5.1
   * forbids in trailers are not among them.
   */
  public int trailerCount() {
    return trailers.count();
  }

  /**
   * Returns the index of the name in the segment that the call which returned {@link #END} was
   * given.
   */
  public int nameStart(int trailer) {
    return trailers.nameStart(trailer);
  }

  public int nameEnd(int trailer) {
    return trailers.nameEnd(trailer);
  }

  /** Returns the index of the value in the same segment, without the whitespace around it. */
  public int valueStart(int trailer) {
    return trailers.valueStart(trailer);
  }

  public int valueEnd(int trailer) {
    return trailers.valueEnd(trailer);
  }

  /** Returns the trailer's name if it is a known one. */
  public @Nullable KnownHeader knownName(int trailer) {
    return trailers.knownName(trailer);
  }

  private @Nullable Rejection onLine(MemorySegment bytes, int to) {
    int length = to - position >= Long.BYTES ? line.acceptWhole(Memory.longAt(bytes, position)) : 0;
    if (length > 0) {
      position += length;
      beginChunk();
      return null;
    }
    while (position < to) {
      Rejection wrong = line.accept(Memory.byteAt(bytes, position));
      if (wrong != null) {
        return wrong;
      }
      position++;
      if (line.isComplete()) {
        beginChunk();
        break;
      }
    }
    return null;
  }

  private void beginChunk() {
    remaining = line.size();
    line.begin();
    if (remaining > 0) {
      state = State.DATA;
    } else {
      state = State.TRAILERS;
      trailers.begin();
    }
  }

  private int onData(int to) {
    dataStart = position;
    dataEnd = (int) Math.min(to, position + Math.min(remaining, Integer.MAX_VALUE));
    remaining -= dataEnd - dataStart;
    position = dataEnd;
    if (remaining == 0) {
      state = State.DATA_CR;
    }
    return DATA;
  }

  private @Nullable Rejection onDataEnd(MemorySegment bytes, int to) {
    boolean first = state == State.DATA_CR;
    if (first && position + 1 < to && Memory.shortAt(bytes, position) == Ascii.CRLF) {
      position += 2;
      state = State.LINE;
      return null;
    }
    if (Memory.byteAt(bytes, position) != (first ? CR : LF)) {
      return Rejection.CHUNK_DATA_NOT_ENDED;
    }
    position++;
    state = first ? State.DATA_LF : State.LINE;
    return null;
  }

  private int onTrailers(MemorySegment bytes, int to) {
    int length = trailers.advance(bytes, position, to);
    if (length > 0) {
      position += length;
      state = State.END;
      return END;
    }
    Rejection wrong = trailers.rejection();
    return wrong == null ? NEED_MORE : reject(wrong);
  }

  private int reject(Rejection wrong) {
    rejection = wrong;
    state = State.REJECTED;
    return REJECTED;
  }
}
