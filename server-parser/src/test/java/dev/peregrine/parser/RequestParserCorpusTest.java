package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.corpus.InvalidHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole corpus on every scanner: whole, split everywhere, byte by byte, cut short. */
class RequestParserCorpusTest {
  private static final String NEXT_REQUEST = "GET /next HTTP/1.1\r\nHost: next\r\n\r\n";

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void acceptsEveryValidHeadAsTheReferenceDoes(ParserVariant variant) {
    ValidHeads.all()
        .forEach(
            (name, text) -> {
              byte[] head = Segments.latin1(text);
              Outcome outcome = Feeding.whole(variant.strict(), head);
              assertThat(outcome.result()).as(name + outcome).isEqualTo(head.length);
              assertThat(outcome)
                  .as(name)
                  .isEqualTo(Feeding.whole(ParserVariant.reference().strict(), head));
            });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void leavesTheNextRequestAlone(ParserVariant variant) {
    ValidHeads.all()
        .forEach(
            (name, text) -> {
              Outcome alone = Feeding.whole(variant.strict(), Segments.latin1(text));
              Outcome followed =
                  Feeding.whole(variant.strict(), Segments.latin1(text + NEXT_REQUEST));
              assertThat(followed).as(name).isEqualTo(alone);
            });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void acceptsEveryValidHeadSplitAnywhere(ParserVariant variant) {
    RequestParser parser = variant.strict();
    ValidHeads.all()
        .forEach(
            (name, text) -> {
              byte[] head = Segments.latin1(text);
              Outcome whole = Feeding.whole(parser, head);
              assertThat(Feeding.byteByByte(parser, head)).as(name).isEqualTo(whole);
              for (int cut = 0; cut < head.length; cut += step(cut)) {
                assertThat(Feeding.inPieces(parser, head, cut))
                    .as("%s cut at %d", name, cut)
                    .isEqualTo(whole);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void wantsMoreAfterEveryStrictPrefix(ParserVariant variant) {
    RequestParser parser = variant.strict();
    ValidHeads.all()
        .forEach(
            (name, text) -> {
              byte[] head = Segments.latin1(text);
              for (int length = 0; length < head.length; length += step(length)) {
                Outcome outcome = Feeding.whole(parser, Arrays.copyOf(head, length));
                assertThat(outcome.result())
                    .as("%s, first %d", name, length)
                    .isEqualTo(RequestParser.NEED_MORE);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("variants")
  void rejectsEveryInvalidHeadForTheSameReasonSplitAnywhere(ParserVariant variant) {
    RequestParser parser = variant.strict();
    for (InvalidHeads.Invalid invalid : InvalidHeads.all()) {
      byte[] head = Segments.latin1(invalid.head());
      Outcome whole = Feeding.whole(parser, head);
      assertThat(whole.rejection()).as(invalid.name() + whole).isEqualTo(invalid.reason());
      assertThat(whole.rejectedAt()).as(invalid.name()).isBetween(0, head.length - 1);
      assertThat(Feeding.byteByByte(parser, head)).as(invalid.name()).isEqualTo(whole);
      for (int cut = 0; cut < head.length; cut++) {
        assertThat(Feeding.inPieces(parser, head, cut))
            .as("%s cut at %d", invalid.name(), cut)
            .isEqualTo(whole);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void startsAgainAfterEveryOutcome(ParserVariant variant) {
    RequestParser parser = variant.strict();
    var head = new RequestHead();
    for (InvalidHeads.Invalid invalid : InvalidHeads.all()) {
      byte[] bad = Segments.latin1(invalid.head());
      parser.parse(Segments.exact(bad), 0, bad.length, head);
      byte[] good = Segments.latin1(NEXT_REQUEST);
      var segment = Segments.exact(good);
      assertThat(Outcome.of(parser.parse(segment, 0, good.length, head), segment, 0, head))
          .isEqualTo(Feeding.whole(parser, good));
    }
  }

  /** Returns the step to the next split: every split of short heads, every 13th of long ones. */
  private static int step(int at) {
    return at < 400 ? 1 : 13;
  }
}
