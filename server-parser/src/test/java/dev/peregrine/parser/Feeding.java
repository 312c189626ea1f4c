package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Ways to give a head's bytes to a parser. */
public final class Feeding {
  /** Enough bytes for every load of a parser. */
  private static final int SLACK_BYTES = 128;

  private Feeding() {}

  /**
   * Parses all bytes at once, in a segment that ends with the last byte, and in a longer one, where
   * more can be loaded at a time. The outcome must be the same.
   */
  public static Outcome whole(RequestParser parser, byte[] bytes) {
    Outcome outcome = whole(parser, bytes, Segments.exact(bytes), 0);
    MemorySegment longer = Segments.aligned(bytes, 0, SLACK_BYTES, (byte) 'o');
    assertThat(whole(parser, bytes, longer, 0)).isEqualTo(outcome);
    return outcome;
  }

  /** Parses all bytes at once, from an index of a segment. */
  public static Outcome whole(RequestParser parser, byte[] bytes, MemorySegment segment, int from) {
    var head = new RequestHead();
    return Outcome.of(parser.parse(segment, from, from + bytes.length, head), segment, from, head);
  }

  /**
   * Parses the bytes up to each of the cuts, then all, each time in other memory. The first result
   * other than NEED_MORE is the outcome.
   */
  public static Outcome inPieces(RequestParser parser, byte[] bytes, int... cuts) {
    var head = new RequestHead();
    Outcome outcome = null;
    int[] ends = Arrays.copyOf(cuts, cuts.length + 1);
    ends[cuts.length] = bytes.length;
    for (int i = 0; i < ends.length; i++) {
      byte[] soFar = Arrays.copyOf(bytes, ends[i]);
      MemorySegment segment = Segments.aligned(soFar, i % 7, i % 3 * 33, (byte) '\n');
      outcome =
          Outcome.of(parser.parse(segment, i % 7, i % 7 + ends[i], head), segment, i % 7, head);
      if (outcome.result() != RequestParser.NEED_MORE) {
        break;
      }
    }
    return requireNonNull(outcome);
  }

  public static Outcome byteByByte(RequestParser parser, byte[] bytes) {
    int[] cuts = new int[Math.max(0, bytes.length - 1)];
    Arrays.setAll(cuts, i -> i + 1);
    return inPieces(parser, bytes, cuts);
  }
}
