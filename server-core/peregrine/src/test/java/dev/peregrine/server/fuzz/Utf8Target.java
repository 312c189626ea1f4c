package dev.peregrine.server.fuzz;

import dev.peregrine.parser.websocket.Utf8Validator;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks that the validator of text finds the same first impossible byte, and the same unfinished
 * character at the end, as a plain reader, for every cut. Text is also checked after other text
 * that isn't ASCII, so that it is long enough for vectors.
 */
final class Utf8Target {
  private static final byte[] BEFORE = "ä€\uD83D\uDE00".repeat(20).getBytes(StandardCharsets.UTF_8);
  private static final int CODE_POINT_MAX = 0x10FFFF;
  private static final int SURROGATE_MIN = 0xD800;
  private static final int SURROGATE_MAX = 0xDFFF;

  private Utf8Target() {}

  static List<byte[]> seeds() {
    return Stream.of(
            "Käse €5 \uD83D\uDE00",
            "日本語 текст",
            "plain text of more than eight bytes",
            "\u0000\u007f")
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  static void run(byte[] data) {
    check(data);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(BEFORE);
    text.writeBytes(data);
    check(text.toByteArray());
    text.writeBytes(BEFORE);
    check(text.toByteArray());
  }

  private static void check(byte[] text) {
    String expected = readPlainly(text);
    try (Arena arena = Arena.ofConfined()) {
      // the text ends with the memory
      MemorySegment bytes = arena.allocate(Math.max(1, text.length)).asSlice(0, text.length);
      bytes.copyFrom(MemorySegment.ofArray(text));
      check(expected, read(bytes, Cuts.single(text)), text);
      String whole = expected.startsWith("invalid") ? "invalid" : expected;
      for (List<byte[]> pieces : List.of(List.of(text), Cuts.random(text))) {
        check(whole, read(bytes, pieces).replaceAll("invalid.*", "invalid"), text);
        check(
            whole,
            read(MemorySegment.ofArray(text), pieces).replaceAll("invalid.*", "invalid"),
            text);
      }
    }
  }

  private static String read(MemorySegment bytes, List<byte[]> pieces) {
    Utf8Validator validator = new Utf8Validator();
    long at = 0;
    for (byte[] piece : pieces) {
      if (!validator.accept(bytes, at, at + piece.length)) {
        return "invalid at " + at;
      }
      at += piece.length;
    }
    return validator.isComplete() ? "complete" : "incomplete";
  }

  /** Compares the code points that a character can still become with those that it may be. */
  private static String readPlainly(byte[] text) {
    int length = 1;
    int left = 0;
    int codePoint = 0;
    for (int i = 0; i < text.length; i++) {
      int value = text[i] & 0xFF;
      if (left == 0) {
        length = Math.max(1, Integer.numberOfLeadingZeros(~value << 24));
        boolean continues = (value & 0xC0) == 0x80;
        if (continues || length > 4) {
          return "invalid at " + i;
        }
        left = length - 1;
        codePoint = length == 1 ? value : value & (0x7F >> length);
      } else if ((value & 0xC0) == 0x80) {
        left--;
        codePoint = codePoint << 6 | (value & 0x3F);
      } else {
        return "invalid at " + i;
      }
      int lowest = codePoint << (6 * left);
      int highest = lowest | ((1 << (6 * left)) - 1);
      if (!canBeValid(lowest, highest, length)) {
        return "invalid at " + i;
      }
    }
    return left == 0 ? "complete" : "incomplete";
  }

  private static boolean canBeValid(int lowest, int highest, int length) {
    int first = length == 1 ? 0 : length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000;
    boolean onlySurrogates = lowest >= SURROGATE_MIN && highest <= SURROGATE_MAX;
    return highest >= first && lowest <= CODE_POINT_MAX && !onlySurrogates;
  }

  private static void check(String expected, String actual, byte[] text) {
    if (!expected.equals(actual)) {
      throw new AssertionError(
          actual + ", not " + expected + ": " + HexFormat.of().formatHex(text));
    }
  }
}
