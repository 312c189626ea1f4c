package dev.peregrine.bench.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorpusTest {
  @ParameterizedTest
  @EnumSource
  void everyHeadIsParsedWithItsLinesAndTarget(ScannerKind scanner) {
    RequestParser parser = new RequestParser(ParserLimits.DEFAULT, scanner);
    RequestHead head = new RequestHead();
    Stream.concat(FixedHeads.all().stream(), Stream.of(VariedHeads.corpus()))
        .forEach(
            corpus -> {
              NativeHeads bytes = NativeHeads.of(corpus.bytes());
              int at = 0;
              for (String text : corpus.heads()) {
                int length = parser.parse(bytes.segment(), at, bytes.length(), head);
                assertThat(length).as(text).isEqualTo(text.length());
                assertThat(ExpectedHead.of(bytes.segment(), at, head))
                    .isEqualTo(ExpectedHead.of(text));
                at += length;
              }
              assertThat(at).isEqualTo(bytes.length());
            });
  }

  @Test
  void variedHeadsDiffer() {
    List<String> heads = VariedHeads.corpus().heads();

    assertThat(heads).hasSizeGreaterThanOrEqualTo(2000);
    assertThat(new HashSet<>(heads)).hasSameSizeAs(heads);
  }

  /**
   * Figures of different days must be of the same bytes; an intended change of the heads changes
   * this number.
   */
  @Test
  void variedHeadsAreTheSameEverywhere() {
    CRC32 sum = new CRC32();
    sum.update(VariedHeads.corpus().bytes());

    assertThat(sum.getValue()).isEqualTo(1_862_637_414L);
  }

  @Test
  void variedHeadsHoldWhatIsRareInRealisticShares() {
    List<String> heads = VariedHeads.corpus().heads();

    assertThat(percent(heads, head -> head.contains("\t"))).isBetween(2.0, 6.0);
    assertThat(percent(heads, head -> head.chars().anyMatch(c -> c >= 0x80))).isBetween(1.0, 4.0);
    assertThat(percent(heads, CorpusTest::hasUnderscoredName)).isBetween(3.0, 8.0);
    assertThat(percent(heads, head -> head.contains("Authorization: Bearer ")))
        .isBetween(10.0, 50.0);
  }

  private static boolean hasUnderscoredName(String head) {
    return ExpectedHead.of(head).names().stream().anyMatch(name -> name.contains("_"));
  }

  private static double percent(List<String> heads, Predicate<String> predicate) {
    return 100.0 * heads.stream().filter(predicate).count() / heads.size();
  }
}
