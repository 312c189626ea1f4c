package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Swar;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digits in a word. */
class SwarTest {
  @ParameterizedTest
  @ValueSource(strings = {"0", "9", "10", "007", "4096", "65535", "123456", "9999999", "87654321"})
  void readsTheNumberOfTheFirstDigits(String digits) {
    long word = Memory.word(digits + "\r\n123456".substring(0, Long.BYTES - digits.length()));
    assertThat(Swar.number(word, digits.length())).isEqualTo(Integer.parseInt(digits));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void findsTheFirstByteThatIsNoDigitWhateverFollowsIt(int place) {
    for (int after : new int[] {0x00, '0', '9', ':', 0x7F, 0x80, 0xFF}) {
      for (int odd = 0; odd < 256; odd++) {
        boolean digit = odd >= '0' && odd <= '9';
        long word = 0;
        for (int at = Long.BYTES - 1; at >= 0; at--) {
          int value = at > place ? after : (at < place ? '0' + at : odd);
          word = (word << Byte.SIZE) | value;
        }
        int first = Swar.index(Swar.notDigits(word));
        if (digit) {
          assertThat(first).isGreaterThan(place);
        } else {
          assertThat(first).isEqualTo(place);
        }
      }
    }
  }
}
