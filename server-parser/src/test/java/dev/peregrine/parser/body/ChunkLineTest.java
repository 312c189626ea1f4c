package dev.peregrine.parser.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.Segments;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ChunkLineTest {
  private final ChunkLine whole = new ChunkLine(ParserLimits.DEFAULT);
  private final ChunkLine bytes = new ChunkLine(ParserLimits.DEFAULT);

  @Test
  void takesAWholeLineAsItsBytesInTurn() {
    for (String digits :
        new String[] {"", "0", "7f", "A0b", "00Ff", "98aBc", "fedCBA", "1234567"}) {
      byte[] line = Segments.latin1((digits + "\r\n\r\n12345678").substring(0, Long.BYTES));
      for (int at = 0; at < line.length; at++) {
        byte before = line[at];
        for (int value = 0; value <= 0xFF; value++) {
          line[at] = (byte) value;
          expectSame(line);
        }
        line[at] = before;
      }
    }
  }

  @Test
  void takesEverySizeOfUpToFourDigitsInEitherCase() {
    for (int size = 0; size <= 0xFFFF; size++) {
      expectTaken(String.format("%x", size), size);
      expectTaken(String.format("%04X", size), size);
    }
    expectTaken("ffffff", 0xFFFFFF);
  }

  @Test
  void leavesALineThatHasBegun() {
    whole.begin();
    assertThat(whole.accept((byte) '1')).isNull();
    assertThat(whole.acceptWhole(Memory.word("2\r\nabcde"))).isZero();
    assertThat(whole.accept((byte) '2')).isNull();
    assertThat(whole.accept((byte) ';')).isNull();
    assertThat(whole.acceptWhole(Memory.word("2\r\nabcde"))).isZero();
    assertThat(whole.size()).isEqualTo(0x12);
    assertThat(whole.isComplete()).isFalse();
  }

  private void expectTaken(String digits, long size) {
    whole.begin();
    int length = whole.acceptWhole(Memory.word((digits + "\r\nxxxxxxx").substring(0, Long.BYTES)));
    assertThat(length).as(digits).isEqualTo(digits.length() + 2);
    assertThat(whole.size()).as(digits).isEqualTo(size);
    assertThat(whole.isComplete()).isTrue();
  }

  /**
   * Checks that a line gives the same result as a word and byte by byte. A line that isn't taken as
   * a word has an extension, an error, or no end within the word.
   */
  private void expectSame(byte[] line) {
    whole.begin();
    bytes.beginBody();
    int taken = whole.acceptWhole(Memory.longAt(MemorySegment.ofArray(line), 0));
    int length = 0;
    boolean digitsAlone = true;
    Rejection wrong = null;
    while (length < line.length && wrong == null && !bytes.isComplete()) {
      digitsAlone &= line[length] != ';' && line[length] != ' ' && line[length] != '\t';
      wrong = bytes.accept(line[length++]);
    }
    boolean expected = wrong == null && bytes.isComplete() && digitsAlone;
    assertThat(taken).as(() -> Arrays.toString(line)).isEqualTo(expected ? length : 0);
    if (expected) {
      assertThat(whole.size()).isEqualTo(bytes.size());
    }
    assertThat(whole.isComplete()).isEqualTo(expected);
  }
}
