package dev.peregrine.server.websocket.deflate;

import dev.peregrine.testing.PlainInflater;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the compressed messages of a session are decompressed as a plain decoder does it, for
 * every division of their bytes, with and without a context; and that a message is accepted exactly
 * if it is within its limit.
 *
 * <p>The bytes of an input are messages, each after a byte with its length.
 */
public final class InflaterTarget {
  private static final int TARGET_BYTES = 512;
  private static final byte[] TEXT =
      "to be or not to be, that is the question ".repeat(3).getBytes(StandardCharsets.US_ASCII);
  private static final CompressionPool POOL =
      new CompressionPool(6, new CompressionBudget(Long.MAX_VALUE));

  /** The examples of RFC 7692 section 7.2.3, and others. */
  private static final String[] SEEDS = {
    "07f248cdc9c9070005f200110000",
    "0b000500faff48656c6c6f00",
    "08f348cdc9c9070000",
    "0df248050000 00ffffcac9c90700",
    "0100",
    "0101",
    "07f348cdc9c90700",
    "10f248cdc9c9070003000300f248cdc9c90700",
    "0cf248cdc9c907000000ffff01"
  };

  private InflaterTarget() {}

  /** Returns inputs that reach much of the code. */
  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (String seed : SEEDS) {
      seeds.add(HexFormat.of().parseHex(seed.replace(" ", "")));
    }
    DeflateParameters keeping = new DeflateParameters(false, false, 15, 15, false);
    try (SessionCompression session = Steps.open(POOL, keeping)) {
      byte[] first = Steps.deflate(session.deflater(), TEXT); // has dynamic codes
      byte[] second = Steps.deflate(session.deflater(), Arrays.copyOfRange(TEXT, 5, 70));
      byte[] all = new byte[first.length + second.length + 2];
      all[0] = (byte) first.length;
      System.arraycopy(first, 0, all, 1, first.length);
      all[first.length + 1] = (byte) second.length;
      System.arraycopy(second, 0, all, first.length + 2, second.length);
      seeds.add(all);
    }
    return seeds;
  }

  /** Checks one input. */
  public static void run(byte[] data) {
    List<byte[]> messages = messages(data);
    int longest = messages.stream().mapToInt(message -> message.length).max().orElse(0);
    for (boolean keepsContext : new boolean[] {true, false}) {
      List<byte @Nullable []> expected = decodePlainly(messages, keepsContext);
      for (int at = -1; at <= longest; at++) {
        checkDivision(messages, expected, keepsContext, at);
      }
    }
  }

  private static List<byte[]> messages(byte[] data) {
    List<byte[]> messages = new ArrayList<>();
    for (int at = 0; at < data.length; ) {
      int from = at + 1;
      at = Math.min(data.length, from + (data[at] & 0xFF));
      messages.add(Arrays.copyOfRange(data, from, at));
    }
    return messages;
  }

  /** Returns the messages; null in the place of the first invalid one, which is the last one. */
  private static List<byte @Nullable []> decodePlainly(
      List<byte[]> messages, boolean keepsContext) {
    PlainInflater plain = new PlainInflater();
    List<byte @Nullable []> decoded = new ArrayList<>();
    try {
      for (byte[] message : messages) {
        if (!keepsContext) {
          plain.forget();
        }
        decoded.add(plain.message(message));
      }
    } catch (PlainInflater.InvalidException invalid) {
      decoded.add(null);
    }
    return decoded;
  }

  /** Checks a division of each message at an index, or into single bytes if it is negative. */
  private static void checkDivision(
      List<byte[]> messages, List<byte @Nullable []> expected, boolean keepsContext, int at) {
    DeflateParameters parameters =
        new DeflateParameters(!keepsContext, !keepsContext, 15, 15, false);
    try (SessionCompression session = Steps.open(POOL, parameters)) {
      for (int i = 0; i < expected.size(); i++) {
        byte[] plain = expected.get(i);
        List<byte[]> parts = at < 0 ? bytesOf(messages.get(i)) : halves(messages.get(i), at);
        if (plain == null) {
          checkInvalid(session.inflater(), parts, keepsContext);
        } else {
          check(plain, inflate(session.inflater(), plain.length, parts), "message " + i);
        }
      }
      int last = expected.size() - 1;
      byte[] plain = last < 0 ? null : expected.get(last);
      if (plain != null && plain.length > 0 && !keepsContext) {
        byte[] tooLarge =
            inflate(session.inflater(), plain.length - 1L, List.of(messages.get(last)));
        check(null, tooLarge, "message above its limit");
      }
    }
  }

  /**
   * Checks that an invalid message fails. If a context is kept, it may also be invalid in that it
   * ends inside of a block, which zlib doesn't always report.
   */
  private static void checkInvalid(
      MessageInflater inflater, List<byte[]> parts, boolean keepsContext) {
    byte[] accepted = inflate(inflater, Long.MAX_VALUE, parts);
    if (accepted != null && !keepsContext) {
      throw new AssertionError("accepted " + HexFormat.of().formatHex(accepted));
    }
  }

  private static byte @Nullable [] inflate(
      MessageInflater inflater, long bytesMax, List<byte[]> parts) {
    try {
      return Steps.inflate(inflater, bytesMax, TARGET_BYTES, parts);
    } catch (Steps.FailedException failure) {
      return null;
    }
  }

  private static List<byte[]> bytesOf(byte[] message) {
    List<byte[]> parts = new ArrayList<>();
    for (byte one : message) {
      parts.add(new byte[] {one});
    }
    return parts;
  }

  private static List<byte[]> halves(byte[] message, int at) {
    int end = Math.min(at, message.length);
    return List.of(Arrays.copyOf(message, end), Arrays.copyOfRange(message, end, message.length));
  }

  private static void check(byte @Nullable [] expected, byte @Nullable [] actual, String what) {
    if (!Arrays.equals(expected, actual)) {
      throw new AssertionError(what + ": " + hex(actual) + ", not " + hex(expected));
    }
  }

  private static String hex(byte @Nullable [] bytes) {
    return bytes == null ? "invalid" : HexFormat.of().formatHex(bytes);
  }
}
