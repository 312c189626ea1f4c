package dev.peregrine.parser.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Segments;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decoder against the reference decoder, with random and damaged blocks. */
class HpackEquivalenceTest {
  private static final int CONNECTIONS = 1500;
  private static final int BLOCKS = 12;

  @ParameterizedTest
  @CsvSource({
    "4096, 1000000, 10000",
    "4096, 2000, 10000",
    "4096, 3000, 5",
    "0, 8000, 100",
    "100, 8000, 100",
    "65536, 300, 100",
    "4096, 0, 0"
  })
  void agreesOnRandomAndDamagedBlocks(int tableBytesMax, int bytesMax, int fieldsMax) {
    var blocks = new RandomBlocks(7541);
    var decoded = new DecodedFields(bytesMax, fieldsMax);
    int valid = 0;
    int count = 0;
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      var decoder = new HpackDecoder(tableBytesMax);
      var reference = new ReferenceHpackDecoder(tableBytesMax, bytesMax, fieldsMax);
      DecodedBlock expected = DecodedBlock.INVALID;
      for (int i = 0; i == 0 || (i < BLOCKS && expected.valid()); i++) {
        byte[] block = blocks.next(10);
        expected = reference.decode(block);
        assertThat(decode(decoder, block, decoded, blocks))
            .as("%s", HexFormat.of().formatHex(block))
            .isEqualTo(expected);
        valid += expected.valid() ? 1 : 0;
        count++;
      }
    }
    assertThat(valid).as("valid blocks").isBetween(count / 10, count - count / 50);
  }

  private static DecodedBlock decode(
      HpackDecoder decoder, byte[] block, DecodedFields decoded, RandomBlocks random) {
    int shift = random.below(16);
    MemorySegment bytes = Segments.aligned(block, shift, random.below(2) * 16, (byte) 0xFF);
    if (random.below(4) == 0) {
      bytes = MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
    return decoder.decode(bytes, shift, shift + block.length, decoded)
        ? DecodedBlock.of(decoded, decoder.tableSize())
        : DecodedBlock.INVALID;
  }
}
