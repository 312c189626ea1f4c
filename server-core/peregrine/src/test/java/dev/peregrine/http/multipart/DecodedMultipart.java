package dev.peregrine.http.multipart;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import dev.peregrine.parser.multipart.Delimiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Content as the decoder takes it apart, in the form of {@link PlainMultipart}. */
final class DecodedMultipart {
  /** The memory that pieces lie in. */
  enum Kind {
    NATIVE,
    ARRAY
  }

  private DecodedMultipart() {}

  /** Returns the parts that are complete, and "end" or the status of the failure. */
  static List<String> read(
      List<byte[]> pieces, String boundary, MultipartLimits limits, Kind kind) {
    List<String> result = new ArrayList<>();
    MultipartDecoder decoder = new MultipartDecoder(new Delimiter(boundary), limits);
    StringBuilder part = new StringBuilder();
    try {
      for (byte[] piece : pieces) {
        try (Arena arena = Arena.ofConfined()) { // freed, so that nothing can be read later
          decoder.input(memory(piece, kind, arena), 0, piece.length);
          take(decoder, part, result);
        }
      }
      decoder.end();
      result.add("end");
    } catch (HttpException rejected) {
      result.add(String.valueOf(rejected.status()));
    }
    return result;
  }

  private static MemorySegment memory(byte[] piece, Kind kind, Arena arena) {
    MemorySegment array = MemorySegment.ofArray(piece);
    if (kind == Kind.ARRAY) {
      return array;
    }
    // ends with the piece
    MemorySegment exact = arena.allocate(Math.max(1, piece.length)).asSlice(0, piece.length);
    return exact.copyFrom(array);
  }

  private static void take(MultipartDecoder decoder, StringBuilder part, List<String> result) {
    for (Event event = decoder.next(); event != Event.MORE; event = decoder.next()) {
      switch (event) {
        case PART -> {
          part.setLength(0);
          PartHead head = decoder.head();
          part.append(latin1("[" + head.name() + "|" + head.filename() + "]"));
        }
        case DATA ->
            part.append(
                new String(
                    decoder
                        .data()
                        .asSlice(decoder.dataFrom(), decoder.dataTo() - decoder.dataFrom())
                        .toArray(ValueLayout.JAVA_BYTE),
                    StandardCharsets.ISO_8859_1));
        default -> result.add(part.toString());
      }
    }
  }

  /** Returns the bytes of a text as characters. */
  private static String latin1(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
