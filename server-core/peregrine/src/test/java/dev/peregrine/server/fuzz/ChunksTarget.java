package dev.peregrine.server.fuzz;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.body.ChunkedDecoder;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** Checks that content, trailers and rejection are the same for every cut. */
final class ChunksTarget {
  private ChunksTarget() {}

  static void run(byte[] data) {
    String expected = decode(data, List.of(data));
    for (List<byte[]> pieces : List.of(Cuts.single(data), Cuts.random(data))) {
      String outcome = decode(data, pieces);
      if (!outcome.equals(expected)) {
        throw new AssertionError("in pieces: " + outcome + ", not " + expected);
      }
    }
  }

  private static String decode(byte[] data, List<byte[]> pieces) {
    ChunkedDecoder decoder = new ChunkedDecoder(ParserLimits.DEFAULT);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int from = 0;
    int to = 0;
    for (byte[] piece : pieces) {
      to += piece.length;
      MemorySegment bytes = MemorySegment.ofArray(Arrays.copyOf(data, to));
      boolean more = true;
      while (more) {
        int result = decoder.next(bytes, from, to);
        from = decoder.position();
        switch (result) {
          case ChunkedDecoder.DATA ->
              content.write(data, decoder.dataStart(), decoder.dataEnd() - decoder.dataStart());
          case ChunkedDecoder.END -> {
            return "ended at " + from + trailers(decoder) + content(content);
          }
          case ChunkedDecoder.REJECTED -> {
            return "rejected " + decoder.rejection() + content(content);
          }
          default -> more = false;
        }
      }
    }
    return "incomplete" + content(content);
  }

  private static String content(ByteArrayOutputStream content) {
    return " " + Arrays.toString(content.toByteArray());
  }

  private static String trailers(ChunkedDecoder decoder) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < decoder.trailerCount(); i++) {
      text.append(' ').append(decoder.nameStart(i)).append(' ').append(decoder.nameEnd(i));
      text.append(' ').append(decoder.valueStart(i)).append(' ').append(decoder.valueEnd(i));
    }
    return text.toString();
  }
}
