package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Heads that a loop parses while its parser is compared with another, and replaced. */
final class CountedParserTest {
  private static final String HEAD =
      "GET /a?b HTTP/1.1\r\nHost: example.org\r\nX-Name: value\r\n\r\n";
  private static final int HEADS = 2 * ParserTrial.COMPARISONS * ParserTrial.HEADS_PER_TURN;

  private final RequestParser present = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
  private final RequestParser other = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SCALAR);
  private final RequestHead head = new RequestHead();
  private final MemorySegment bytes = direct(HEAD);
  private final List<Integer> wins = new ArrayList<>();

  private static MemorySegment direct(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer buffer = ByteBuffer.allocateDirect(encoded.length + 64);
    buffer.put(encoded);
    return MemorySegment.ofBuffer(buffer.clear());
  }

  /** A trial in which each parse takes that long, by the number of its turn. */
  private ParserTrial trial(IntUnaryOperator nanosOfTurn) {
    int[] reads = {0};
    long[] now = {0};
    return new ParserTrial(
        present,
        other,
        wins::add,
        () -> {
          int read = reads[0]++;
          if (read % 2 == 1) {
            now[0] += nanosOfTurn.applyAsInt(read / 2 / ParserTrial.HEADS_PER_TURN);
          }
          return now[0];
        });
  }

  private void parseAll(ParserTrial trial) {
    for (int i = 1; i <= HEADS; i++) {
      assertThat(wins).isEmpty();
      head.reset();
      assertThat(trial.parse(bytes, 0, HEAD.length(), head)).isEqualTo(HEAD.length());
    }
    assertThat(wins).hasSize(1);
  }

  private int parse(CountedParser parser, int to) {
    return parser.parse(bytes, 0, to, head);
  }

  @Test
  void countsTheComparisonsInWhichTheOtherWasFaster() {
    parseAll(trial(turn -> turn % 2 == 1 ? 99 : 100));

    assertThat(wins).containsExactly(ParserTrial.COMPARISONS);
  }

  @Test
  void countsNoneIfBothTakeAsLong() {
    parseAll(trial(turn -> 100));

    assertThat(wins).containsExactly(0);
  }

  /** The thread has lost the processor in a turn of each parser. */
  @Test
  void losesOneComparisonByALongTurn() {
    parseAll(trial(turn -> turn == 7 || turn == 10 ? 1_000_000 : turn % 2 == 1 ? 99 : 100));

    assertThat(wins).containsExactly(ParserTrial.COMPARISONS - 1);
  }

  @Test
  void parsesOnAfterItsEnd() {
    ParserTrial trial = trial(turn -> 100);
    parseAll(trial);
    for (int i = 0; i < HEADS; i++) {
      head.reset();
      assertThat(trial.parse(bytes, 0, HEAD.length(), head)).isEqualTo(HEAD.length());
    }

    assertThat(wins).hasSize(1);
  }

  @Test
  void comparesUntilOneIsUsed() {
    CountedParser parser = new CountedParser(present);
    parser.tryOut(other, wins::add);
    for (int i = 0; i < HEADS; i++) {
      head.reset();
      assertThat(parse(parser, HEAD.length())).isEqualTo(HEAD.length());
    }
    assertThat(wins).hasSize(1);

    parser.tryOut(present, wins::add);
    parser.use(other);
    for (int i = 0; i < HEADS; i++) {
      head.reset();
      assertThat(parse(parser, HEAD.length())).isEqualTo(HEAD.length());
    }
    assertThat(wins).hasSize(1);
  }

  /** Each head arrives byte by byte, so both parsers have a part of many of them. */
  @Test
  void finishesHeadsThatTheOtherParserBegan() {
    CountedParser parser = new CountedParser(present);
    parser.tryOut(other, wins::add);
    while (wins.isEmpty()) {
      head.reset();
      for (int to = 1; to < HEAD.length(); to++) {
        assertThat(parse(parser, to)).isEqualTo(RequestParser.NEED_MORE);
      }
      assertThat(parse(parser, HEAD.length())).isEqualTo(HEAD.length());
      assertThat(head.fieldCount()).isEqualTo(2);
    }
  }

  @Test
  void runsAnActionOnceInTheTurnOfItsHead() {
    CountedParser parser = new CountedParser(present);
    int[] runs = {0};
    parser.after(3, () -> runs[0]++);
    int[] expected = {0, 0, 1, 1, 1};
    for (int count : expected) {
      head.reset();
      assertThat(parse(parser, HEAD.length())).isEqualTo(HEAD.length());
      assertThat(runs[0]).isEqualTo(count);
    }
  }

  /** Another loop's heads have begun the comparison. */
  @Test
  void forgetsAnActionWhenItCompares() {
    CountedParser parser = new CountedParser(present);
    parser.after(
        1,
        () -> {
          throw new AssertionError();
        });
    parser.tryOut(other, wins::add);
    parser.use(other);

    assertThat(parse(parser, HEAD.length())).isEqualTo(HEAD.length());
  }
}
