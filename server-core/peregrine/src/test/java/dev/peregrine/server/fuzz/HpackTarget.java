package dev.peregrine.server.fuzz;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.parser.hpack.HpackDecoder;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.http2.PlainHpackDecoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the field blocks of a connection decode as a plain decoder decodes them; and that a
 * decoder with small limits accepts the same blocks, and keeps the first of the same fields.
 *
 * <p>The bytes of an input are blocks, each after a byte with its length.
 */
final class HpackTarget {
  private static final int TABLE_BYTES = 4096; // that of the plain decoder
  private static final DecodedFields ALL = new DecodedFields(1 << 20, 1 << 16);
  private static final DecodedFields FEW = new DecodedFields(500, 5);

  /** A field block of each of a few requests, RFC 7541 appendix C.4 and others. */
  private static final String[] SEEDS = {
    "11828684418cf1e3c2e5f23a6ba0ab90f4ff0c828684be5886a8eb10649cbf"
        + "18828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
    "013f",
    "023fe1",
    "033fe11f",
    "0720202082be4003",
    "098400016184fffffff3",
    "0a40016101624001620163be",
    "0c00014101620001620363200a",
    "0641001080be00",
    "057fff808000"
  };

  private HpackTarget() {}

  static List<byte[]> seeds() {
    return Arrays.stream(SEEDS).map(HexFormat.of()::parseHex).toList();
  }

  static void run(byte[] data) {
    PlainHpackDecoder plain = new PlainHpackDecoder();
    HpackDecoder all = new HpackDecoder(TABLE_BYTES);
    HpackDecoder few = new HpackDecoder(TABLE_BYTES);
    int at = 0;
    boolean valid = true;
    while (at < data.length && valid) {
      int from = at + 1;
      at = Math.min(data.length, from + (data[at] & 0xFF));
      byte[] block = Arrays.copyOfRange(data, from, at);
      List<Field> expected = decodePlainly(plain, block);
      valid = expected != null;
      check(valid, all.decode(MemorySegment.ofArray(block), 0, block.length, ALL), "valid");
      check(valid, decodeNative(few, block), "valid with small limits");
      if (expected != null) {
        check(expected, fields(ALL), "the fields");
        check(expected.subList(0, FEW.count()), fields(FEW), "the first fields");
        check(FEW.count() < expected.size(), FEW.isTooLarge(), "too large");
      }
    }
  }

  private static @Nullable List<Field> decodePlainly(PlainHpackDecoder decoder, byte[] block) {
    try {
      return decoder.decode(block);
    } catch (AssertionError | ArithmeticException invalid) {
      return null;
    }
  }

  private static boolean decodeNative(HpackDecoder decoder, byte[] block) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(block.length + 1L);
      MemorySegment.copy(MemorySegment.ofArray(block), 0, bytes, 1, block.length);
      return decoder.decode(bytes, 1, block.length + 1L, FEW);
    }
  }

  private static List<Field> fields(DecodedFields decoded) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < decoded.count(); i++) {
      fields.add(
          new Field(
              text(decoded, decoded.nameStart(i), decoded.nameEnd(i)),
              text(decoded, decoded.valueStart(i), decoded.valueEnd(i))));
    }
    return fields;
  }

  private static String text(DecodedFields decoded, int from, int to) {
    return new String(decoded.text(), from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static void check(Object expected, Object actual, String what) {
    if (!expected.equals(actual)) {
      throw new AssertionError(what + ": " + actual + ", not " + expected);
    }
  }
}
