package dev.peregrine.parser.hpack;

import static dev.peregrine.parser.hpack.BlockBytes.INSERTED;
import static dev.peregrine.parser.hpack.BlockBytes.NOT_INDEXED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.Allocations;
import dev.peregrine.parser.GuardedPage;
import dev.peregrine.parser.Segments;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a decoded section, and the memory that decoding takes. */
class HpackLimitsTest {
  private static final int TABLE_BYTES = 4096;
  private static final int FIRST_DYNAMIC = StaticTable.COUNT + 1;

  private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES);

  @ParameterizedTest
  @ValueSource(ints = {75, 76, 77})
  void keepsFieldsUpToTheLimitOfBytes(int bytesMax) {
    var fields = new DecodedFields(bytesMax, 10);
    boolean kept = bytesMax >= 42 + 34;
    List<BlockBytes> blocks =
        List.of(
            new BlockBytes().literal(NOT_INDEXED, 2, "GET").literal(INSERTED, "a", "b"),
            new BlockBytes().raw(NOT_INDEXED).huffman("a").huffman("b").indexed(2),
            new BlockBytes().indexed(2).raw(NOT_INDEXED).huffman("a").huffman("b"),
            new BlockBytes().indexed(2).indexed(FIRST_DYNAMIC),
            new BlockBytes().indexed(2).literal(NOT_INDEXED, FIRST_DYNAMIC, "b"));
    for (BlockBytes block : blocks) {
      assertThat(decode(block, fields)).isTrue();
      assertThat(fields.isTooLarge()).isEqualTo(!kept);
      assertThat(fields.count()).isEqualTo(kept ? 2 : 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void keepsFieldsUpToTheirLimit(int fieldsMax) {
    var fields = new DecodedFields(1000, fieldsMax);
    assertThat(decode(new BlockBytes().indexed(2).literal(NOT_INDEXED, "a", "b"), fields)).isTrue();
    assertThat(fields.isTooLarge()).isEqualTo(fieldsMax < 2);
    assertThat(fields.count()).isEqualTo(Math.min(2, fieldsMax));
    assertThat(decode(new BlockBytes().indexed(2), fields)).isTrue();
    assertThat(fields.isTooLarge()).as("for the next section").isFalse();
  }

  @Test
  void keepsNoFieldAfterOneThatIsTooLarge() {
    var fields = new DecodedFields(80, 10);
    assertThat(
            decode(new BlockBytes().literal(NOT_INDEXED, "a", "b".repeat(50)).indexed(2), fields))
        .isTrue();
    assertThat(fields.isTooLarge()).isTrue();
    assertThat(fields.count()).isZero();
  }

  @Test
  void keepsTheTableInStepWhileFieldsAreTooLarge() {
    var fields = new DecodedFields(36, 10);
    var larger = new DecodedFields(1000, 10);
    String value = "b".repeat(4000);
    assertThat(
            decode(
                new BlockBytes()
                    .literal(INSERTED, "Name", "1")
                    .literal(INSERTED, FIRST_DYNAMIC, "2 ")
                    .raw(INSERTED)
                    .huffman("a")
                    .huffman("3"),
                fields))
        .isTrue();
    assertThat(fields.isTooLarge()).isTrue();
    assertThat(fields.fault()).as("of the fields that were kept").isNull();
    assertThat(decoder.tableSize()).isEqualTo(37 + 38 + 34);
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC), fields)).isTrue();
    assertThat(DecodedBlock.of(fields, 0).fields())
        .containsExactly(new DecodedBlock.Field("a", "3"));
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC + 1), larger)).isTrue();
    assertThat(larger.fault()).isEqualTo(Rejection.FIELD_NAME_UPPER_CASE);
    assertThat(decode(new BlockBytes().literal(INSERTED, "c", value), fields)).isTrue();
    assertThat(decoder.tableSize()).isEqualTo(34 + 1 + 4000 + 32);
    assertThat(decode(new BlockBytes().literal(INSERTED, "c", value.repeat(2)), fields)).isTrue();
    assertThat(decoder.tableSize()).as("after a field that is larger than the table").isZero();
  }

  @Test
  void findsErrorsInFieldsThatAreTooLarge() {
    var fields = new DecodedFields(0, 10);
    assertThat(decode(new BlockBytes().raw(NOT_INDEXED).plain("a").huffman("b"), fields)).isTrue();
    assertThat(decode(new BlockBytes().raw(NOT_INDEXED, 1, 'a', 0x81, 0x18), fields)).isFalse();
    assertThat(decode(new BlockBytes().raw(NOT_INDEXED, 0x81, 0x18, 1, 'a'), fields)).isFalse();
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC), fields)).isFalse();
  }

  @Test
  void copiesNoMoreOfManyReferencesThanTheLimit() {
    int bytesMax = 20_000;
    var fields = new DecodedFields(bytesMax, 1000);
    var block = new BlockBytes().literal(INSERTED, "a", "b".repeat(4000));
    for (int i = 0; i < 100_000; i++) {
      block.indexed(FIRST_DYNAMIC);
    }
    assertThat(decode(block, fields)).isTrue();
    assertThat(fields.isTooLarge()).isTrue();
    assertThat(fields.count()).isEqualTo(bytesMax / 4033);
    assertThat(fields.textLength()).isEqualTo(4001 * fields.count());
    assertThat(fields.text().length).isLessThanOrEqualTo(bytesMax + DecodedFields.SLACK);
  }

  @Test
  void growsTheTextOnlyToTheLimit() {
    for (int bytesMax : List.of(100, 3000, 5000)) {
      var fields = new DecodedFields(bytesMax, 1000);
      int length = bytesMax - 33;
      assertThat(decode(new BlockBytes().raw(0).plain("a").huffman("0".repeat(length)), fields))
          .isTrue();
      assertThat(fields.textLength()).isEqualTo(length + 1);
      assertThat(fields.text().length).isLessThanOrEqualTo(bytesMax + DecodedFields.SLACK);
      assertThat(decode(new BlockBytes().raw(0).plain("a").huffman("0".repeat(length + 1)), fields))
          .isTrue();
      assertThat(fields.isTooLarge()).isTrue();
      assertThat(fields.text().length).isLessThanOrEqualTo(bytesMax + DecodedFields.SLACK);
    }
  }

  @Test
  void rejectsImpossibleLimits() {
    assertThatThrownBy(() -> new DecodedFields(-1, 1)).hasMessageContaining("bytesMax is -1");
    assertThatThrownBy(() -> new DecodedFields(DecodedFields.BYTES_MAX + 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DecodedFields(1, -1)).hasMessageContaining("fieldsMax is -1");
  }

  @Test
  void allocatesNothingForAnyBlockOnceTheTableHasGrown() {
    var blocks = new ArrayList<MemorySegment>();
    var random = new RandomBlocks(1);
    for (int i = 0; i < 500; i++) {
      blocks.add(Segments.exact(random.next(4)));
    }
    MemorySegment[] all = blocks.toArray(MemorySegment[]::new);
    var fields = new DecodedFields(3000, 100);
    assertThat(
            Allocations.least(
                () -> {
                  for (MemorySegment block : all) {
                    decoder.decode(block, 0, block.byteSize(), fields);
                  }
                }))
        .isZero();
  }

  @Test
  void takesLittleMemoryUntilAnEntryIsInserted() {
    var fields = new DecodedFields(3000, 100);
    MemorySegment block =
        Segments.exact(new BlockBytes().indexed(2).literal(NOT_INDEXED, "a", "b").bytes());
    var decoders = new HpackDecoder[1];
    long bytes =
        Allocations.least(
            () -> {
              decoders[0] = new HpackDecoder(TABLE_BYTES);
              decoders[0].decode(block, 0, block.byteSize(), fields);
            });
    assertThat(bytes).isBetween(16L, 100L);
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the guarded page is made by Linux calls")
  void staysInMemoryThatStartsOrEndsWithAPage() {
    var page = new GuardedPage();
    var random = new RandomBlocks(2);
    var fields = new DecodedFields(3000, 100);
    for (int i = 0; i < 3000; i++) {
      byte[] block = random.next(2);
      if (block.length <= 4096) {
        int length = random.below(block.length + 1);
        byte[] piece = Arrays.copyOf(block, length);
        boolean valid = new HpackDecoder(TABLE_BYTES).decode(page.atEnd(piece), 0, length, fields);
        assertThat(new HpackDecoder(TABLE_BYTES).decode(page.atStart(piece), 0, length, fields))
            .isEqualTo(valid);
      }
    }
  }

  private boolean decode(BlockBytes block, DecodedFields fields) {
    MemorySegment bytes = Segments.exact(block.bytes());
    return decoder.decode(bytes, 0, bytes.byteSize(), fields);
  }
}
