package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.corpus.InvalidHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No scanner loads a byte outside of the segment, although native loads are not checked. */
class MemoryBoundsTest {
  private static final int PAGE = 4096;

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the guarded page is made by Linux calls")
  void staysInASegmentThatStartsOrEndsWithAPage(ParserVariant variant) {
    RequestParser parser = variant.strict();
    var page = new GuardedPage();
    for (byte[] head : heads()) {
      Outcome expected = Feeding.whole(ParserVariant.reference().strict(), head);
      assertThat(Feeding.whole(parser, head, page.atEnd(head), 0)).isEqualTo(expected);
      assertThat(Feeding.whole(parser, head, page.atStart(head), 0)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the guarded page is made by Linux calls")
  void staysInThePageWithEveryPieceOfAHead(ParserVariant variant) {
    RequestParser parser = variant.strict();
    var page = new GuardedPage();
    for (byte[] bytes : heads()) {
      var grown = new RequestHead();
      int result = RequestParser.NEED_MORE;
      for (int length = 1; length <= bytes.length; length++) {
        byte[] piece = Arrays.copyOf(bytes, length);
        var begun = new RequestHead();
        int alone = parser.parse(page.atEnd(piece), 0, length, begun);
        if (result == RequestParser.NEED_MORE) {
          result = parser.parse(page.atEnd(piece), 0, length, grown);
          assertThat(alone).isEqualTo(result);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void rejectsMemoryThatWasFreed(ParserVariant variant) {
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(PAGE);
    }
    assertThatThrownBy(() -> variant.strict().parse(closed, 0, PAGE, new RequestHead()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static List<byte[]> heads() {
    return Stream.concat(
            ValidHeads.all().values().stream(), InvalidHeads.all().stream().map(bad -> bad.head()))
        .map(Segments::latin1)
        .filter(head -> head.length <= PAGE)
        .toList();
  }
}
