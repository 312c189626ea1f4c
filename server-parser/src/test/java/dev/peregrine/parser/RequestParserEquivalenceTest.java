package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.corpus.RandomHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scanner against the scalar one, with random heads and at every alignment. */
class RequestParserEquivalenceTest {
  private static final int HEADS = 12_000;
  private static final int CACHE_LINE = 64;
  private static final String GARBAGE = "a:\r\n \t\u0000\u00ff";

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void agreesOnRandomAndDamagedHeadsInAnyPieces(ParserVariant variant) {
    RequestParser parser = variant.strict();
    RequestParser reference = ParserVariant.reference().strict();
    var heads = new RandomHeads(1);
    int accepted = 0;
    for (int i = 0; i < HEADS; i++) {
      String text = heads.next();
      byte[] head = Segments.latin1(i % 2 == 0 ? text : heads.damaged(text));
      Outcome expected = Feeding.whole(reference, head);
      int shift = heads.below(CACHE_LINE);
      byte garbage = (byte) GARBAGE.charAt(heads.below(GARBAGE.length()));
      MemorySegment segment = Segments.aligned(head, shift, heads.below(3) * 50, garbage);
      assertThat(Feeding.whole(parser, head, segment, shift)).isEqualTo(expected);
      assertThat(Feeding.inPieces(parser, head, heads.cuts(head.length))).isEqualTo(expected);
      accepted += expected.result() > 0 ? 1 : 0;
    }
    assertThat(accepted).as("heads accepted").isBetween(HEADS / 5, HEADS * 4 / 5);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void agreesAtEveryAlignmentWithAndWithoutSlack(ParserVariant variant) {
    RequestParser parser = variant.strict();
    ValidHeads.all()
        .forEach(
            (name, text) -> {
              byte[] head = Segments.latin1(text);
              Outcome expected = Feeding.whole(ParserVariant.reference().strict(), head);
              for (int shift = 0; shift < CACHE_LINE; shift++) {
                byte garbage = (byte) GARBAGE.charAt(shift % GARBAGE.length());
                for (int slack : new int[] {0, shift, CACHE_LINE}) {
                  MemorySegment segment = Segments.aligned(head, shift, slack, garbage);
                  assertThat(Feeding.whole(parser, head, segment, shift))
                      .as("%s at %d, slack %d", name, shift, slack)
                      .isEqualTo(expected);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void agreesWhenLenient(ParserVariant variant) {
    var heads = new RandomHeads(2);
    for (int i = 0; i < HEADS / 4; i++) {
      byte[] head = Segments.latin1(heads.damaged(heads.next()));
      assertThat(Feeding.inPieces(variant.lenient(), head, heads.cuts(head.length)))
          .isEqualTo(Feeding.whole(ParserVariant.reference().lenient(), head));
    }
  }
}
