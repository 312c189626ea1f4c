package dev.peregrine.server.fuzz;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.parser.body.ChunkedDecoder;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** The same content, trailers and refusal from every scanner and for every cut. */
final class ChunksTarget {
  private static final List<ScannerKind> SCANNERS =
      Arrays.stream(ScannerKind.values())
          .filter(kind -> kind != ScannerKind.VECTOR || ScannerKind.vectorProblem() == null)
          .toList();

  private ChunksTarget() {}

  static void run(byte[] data) {
    String expected = null;
    for (ScannerKind scanner : SCANNERS) {
      for (List<byte[]> pieces : List.of(List.of(data), Cuts.single(data), Cuts.random(data))) {
        String outcome = decode(scanner, data, pieces);
        if (expected == null) {
          expected = outcome;
        } else if (!outcome.equals(expected)) {
          throw new AssertionError(scanner + " says " + outcome + ", not " + expected);
        }
      }
    }
  }

  private static String decode(ScannerKind scanner, byte[] data, List<byte[]> pieces) {
    ChunkedDecoder decoder = new ChunkedDecoder(ParserLimits.DEFAULT, scanner);
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
