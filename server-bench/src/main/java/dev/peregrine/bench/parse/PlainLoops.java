package dev.peregrine.bench.parse;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The plain forms that {@link TextKernelBenchmark} compares with: byte by byte, in one pass for
 * each step.
 */
final class PlainLoops {
  private static final int ROOM = 128;
  private static final int HASH_FACTOR = 31;
  private static final int RADIX = 16;

  private final byte[] bytes = new byte[ROOM];
  private final int[] ends = new int[ROOM];
  private final int[] hashes = new int[ROOM];

  static boolean isFieldValue(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!CharClass.FIELD_VALUE.contains(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean isFieldValue(byte[] text) {
    for (byte b : text) {
      if (!CharClass.FIELD_VALUE.contains(b)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of data bytes of a whole body without extensions and trailers. */
  static long chunkData(MemorySegment body) {
    long data = 0;
    long at = 0;
    while (true) {
      long size = 0;
      int digit = Ascii.hexValue(Memory.byteAt(body, at));
      for (; digit >= 0; digit = Ascii.hexValue(Memory.byteAt(body, ++at))) {
        size = size << 4 | digit;
      }
      at = lineEnd(body, at) + size;
      data += size;
      at = lineEnd(body, at);
      if (size == 0) {
        return data;
      }
    }
  }

  private static long lineEnd(MemorySegment body, long at) {
    if (Memory.byteAt(body, at) != Ascii.CR || Memory.byteAt(body, at + 1) != Ascii.LF) {
      throw new IllegalArgumentException("no line end at " + at);
    }
    return at + 2;
  }

  /** Splits a path; returns the number of its segments. */
  int segments(MemorySegment path) {
    int length = (int) path.byteSize();
    MemorySegment.copy(path, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
    int count = 0;
    int start = 0;
    int to = 0;
    int hash = 0;
    for (int from = 1; from < length; from++) {
      byte b = bytes[from];
      if (b == '/') {
        end(count++, start, to, hash);
        start = to;
        hash = 0;
        continue;
      }
      if (b == '%') {
        b = octet(bytes, from);
        from += 2;
      }
      bytes[to++] = b;
      hash = HASH_FACTOR * hash + b;
    }
    end(count++, start, to, hash);
    return count;
  }

  private void end(int index, int start, int to, int hash) {
    if (bytes[start] == '.' || !isText(bytes, start, to)) {
      throw new IllegalArgumentException("segment " + index);
    }
    ends[index] = to;
    hashes[index] = hash;
  }

  /** Returns the names and values of a query's pairs, in turn. */
  static List<String> parameters(byte[] query) {
    List<String> parameters = new ArrayList<>();
    for (int from = 0; from < query.length; ) {
      int end = indexOf('&', query, from, query.length);
      int equals = indexOf('=', query, from, end);
      parameters.add(decoded(query, from, equals));
      parameters.add(decoded(query, Math.min(equals + 1, end), end));
      from = end + 1;
    }
    return parameters;
  }

  private static int indexOf(char wanted, byte[] query, int from, int end) {
    int i = from;
    while (i < end && query[i] != wanted) {
      i++;
    }
    return i;
  }

  private static String decoded(byte[] query, int from, int end) {
    byte[] decoded = new byte[end - from];
    int length = 0;
    for (int i = from; i < end; i++) {
      byte b = query[i];
      if (b == '+') {
        b = ' ';
      } else if (b == '%') {
        b = octet(query, i);
        i += 2;
      }
      decoded[length++] = b;
    }
    if (!isText(decoded, 0, length)) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return new String(decoded, 0, length, StandardCharsets.UTF_8);
  }

  private static byte octet(byte[] text, int percent) {
    return (byte)
        (Character.digit(text[percent + 1], RADIX) << 4
            | Character.digit(text[percent + 2], RADIX));
  }

  /** Returns true if the bytes are ASCII without NUL, or valid sequences of two bytes. */
  private static boolean isText(byte[] text, int from, int to) {
    int i = from;
    while (i < to) {
      boolean one = text[i] > 0;
      boolean two = (text[i] & 0xE0) == 0xC0 && i + 1 < to && (text[i + 1] & 0xC0) == 0x80;
      if (!one && !two) {
        return false;
      }
      i += one ? 1 : 2;
    }
    return true;
  }
}
