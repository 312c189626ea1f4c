package dev.peregrine.parser.body;

import dev.peregrine.parser.Segments;
import dev.peregrine.protocol.Rejection;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All results of a decoder for a chunked body, as values that can be compared. */
record DecodedBody(
    int result, String body, int consumed, List<List<String>> trailers, @Nullable Rejection why) {

  /** Gives the bytes up to each of the cuts, then all; unused bytes are presented again. */
  static DecodedBody decode(ChunkedDecoder decoder, byte[] bytes, int... cuts) {
    decoder.reset();
    var body = new ByteArrayOutputStream();
    int[] ends = Arrays.copyOf(cuts, cuts.length + 1);
    ends[cuts.length] = bytes.length;
    int used = 0;
    int result = ChunkedDecoder.NEED_MORE;
    List<List<String>> trailers = List.of();
    for (int i = 0; i < ends.length && result == ChunkedDecoder.NEED_MORE; i++) {
      int shift = i % 5;
      MemorySegment segment =
          Segments.aligned(Arrays.copyOfRange(bytes, used, ends[i]), shift, i % 3 * 40, (byte) 0xA);
      int to = shift + ends[i] - used;
      int from = shift;
      while ((result = decoder.next(segment, from, to)) == ChunkedDecoder.DATA) {
        body.writeBytes(copy(segment, decoder.dataStart(), decoder.dataEnd()));
        from = decoder.position();
      }
      used += decoder.position() - shift;
      trailers = result == ChunkedDecoder.END ? trailers(decoder, segment) : List.of();
    }
    return new DecodedBody(
        result, body.toString(StandardCharsets.ISO_8859_1), used, trailers, decoder.rejection());
  }

  static DecodedBody byteByByte(ChunkedDecoder decoder, byte[] bytes) {
    int[] cuts = new int[Math.max(0, bytes.length - 1)];
    Arrays.setAll(cuts, i -> i + 1);
    return decode(decoder, bytes, cuts);
  }

  private static List<List<String>> trailers(ChunkedDecoder decoder, MemorySegment segment) {
    var trailers = new ArrayList<List<String>>();
    for (int i = 0; i < decoder.trailerCount(); i++) {
      trailers.add(
          List.of(
              text(segment, decoder.nameStart(i), decoder.nameEnd(i)),
              text(segment, decoder.valueStart(i), decoder.valueEnd(i))));
    }
    return trailers;
  }

  private static String text(MemorySegment segment, int from, int to) {
    return new String(copy(segment, from, to), StandardCharsets.ISO_8859_1);
  }

  private static byte[] copy(MemorySegment segment, int from, int to) {
    return segment.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
  }
}
