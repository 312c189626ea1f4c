package dev.peregrine.server.http1;

import dev.peregrine.base.Latin1;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.body.ChunkedDecoder;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.memory.InboundBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the content of a request among the bytes of its connection: by its length, or in chunks
 * (RFC 9112 sections 6 and 7.1).
 */
final class ContentFraming {
  private final ParserLimits limits;
  private boolean chunked;
  private long remaining; // of content with a length
  private int from; // this and to: the piece that was found last
  private int to;
  private @Nullable ChunkedDecoder decoder; // created for the first chunked content

  ContentFraming(ParserLimits limits) {
    this.limits = limits;
  }

  /** Begins with the content that a head declares, and returns its length. */
  long begin(RequestHead head) {
    chunked = head.isChunked();
    remaining = Math.max(head.contentLength(), 0);
    if (!chunked) {
      return remaining;
    }
    decoder().reset();
    return HttpStream.UNKNOWN_LENGTH;
  }

  boolean isChunked() {
    return chunked;
  }

  /** Returns the number of bytes that are still to arrive, as far as it is known. */
  long remaining() {
    return remaining;
  }

  /** Returns true once all bytes of content with a length have been found. */
  boolean isExhausted() {
    return remaining == 0 && !chunked;
  }

  /**
   * Consumes bytes up to the end of the next piece.
   *
   * @return a result of {@link ChunkedDecoder#next}
   */
  int next(InboundBuffer in) {
    if (chunked) {
      return nextChunk(in);
    }
    int part = (int) Math.min(remaining, in.to() - in.from());
    from = in.from();
    to = from + part;
    in.consumeTo(to);
    remaining -= part;
    return part == 0 ? ChunkedDecoder.NEED_MORE : ChunkedDecoder.DATA;
  }

  private int nextChunk(InboundBuffer in) {
    ChunkedDecoder chunks = decoder();
    int result = chunks.next(in.segment(), in.from(), in.to());
    in.consumeTo(chunks.position());
    if (result == ChunkedDecoder.DATA) {
      from = chunks.dataStart();
      to = chunks.dataEnd();
    }
    return result;
  }

  /** Returns the index of the first byte of the piece that was found, in the buffer's block. */
  int from() {
    return from;
  }

  /** Returns the index after the last byte of the piece that was found. */
  int to() {
    return to;
  }

  /** Returns the reason to reject the content. */
  Rejection rejection() {
    return Objects.requireNonNull(decoder().rejection());
  }

  /** Returns names and values of the trailer fields, in turn; at the end of chunked content. */
  List<String> trailers(MemorySegment bytes) {
    ChunkedDecoder chunks = decoder();
    int count = chunks.trailerCount();
    if (count == 0) {
      return List.of();
    }
    List<String> fields = new ArrayList<>(2 * count);
    for (int i = 0; i < count; i++) {
      fields.add(Latin1.string(bytes, chunks.nameStart(i), chunks.nameEnd(i)));
      fields.add(Latin1.string(bytes, chunks.valueStart(i), chunks.valueEnd(i)));
    }
    return fields;
  }

  private ChunkedDecoder decoder() {
    if (decoder == null) {
      decoder = new ChunkedDecoder(limits);
    }
    return decoder;
  }
}
