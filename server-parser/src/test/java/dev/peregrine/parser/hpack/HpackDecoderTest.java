package dev.peregrine.parser.hpack;

import static dev.peregrine.parser.hpack.BlockBytes.INSERTED;
import static dev.peregrine.parser.hpack.BlockBytes.NEVER_INDEXED;
import static dev.peregrine.parser.hpack.BlockBytes.NOT_INDEXED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.Segments;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of the compression, faults of fields, limits, and the dynamic table. */
class HpackDecoderTest {
  private static final int TABLE_BYTES = 4096;
  private static final int FIRST_DYNAMIC = StaticTable.COUNT + 1;

  private DecodedFields fields = new DecodedFields(100_000, 1000);
  private HpackDecoder decoder = new HpackDecoder(TABLE_BYTES);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80", // index 0
        "be", // an index after the tables
        "ffffffffff07", // the same, and the largest integer
        "7f0061", // a name with an index after the tables
        "0f2f0161", // the same, without insertion
        "ff", // an integer without its end
        "ff80",
        "7f",
        "0fff",
        "ff808080808000", // an integer of seven octets
        "ffffffffff0f", // an integer of 32 bits
        "82ff80808080", // an integer that ends with the block
        "40", // a name is missing
        "4001", // a name is cut short
        "400261",
        "400161", // a value is missing
        "40016102", // a value is cut short
        "4001610162017f",
        "0001617f8001", // a value of 255 bytes
        "00016184ffffffff", // EOS
        "00016185fffffffffc", // EOS after the first bits of another code
        "000161821fff", // 11 bits of padding
        "00016181ff", // 8 bits of padding
        "0001618118", // padding with zeros
        "000161811e", // padding that ends with a zero
        "0001618191", // a code that the end cuts short
        "3fe21f", // a table of 4097 bytes
        "823fe11f", // a size update after a field
        "8220",
        "3f", // a size update without its end
      })
  void reportsErrorsOfTheCompression(String hex) {
    assertThat(decode(HexFormat.of().parseHex(hex))).isFalse();
    assertThat(
            new ReferenceHpackDecoder(TABLE_BYTES, 1000, 10).decode(HexFormat.of().parseHex(hex)))
        .isEqualTo(DecodedBlock.INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "20",
        "3fe11f",
        "203fe11f",
        "20202020823fe11f82",
      })
  void allowsSizeUpdatesOnlyBeforeTheFirstField(String hex) {
    assertThat(decode(HexFormat.of().parseHex(hex))).isEqualTo(!hex.endsWith("1f82"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00016180", // an empty string
        "0001618107", // five bits and three of padding
        "0001618201ff", // ten bits and six of padding
        "00016185294a5294a5", // eight codes of five bits, without padding
        "0001 6184 fffffff3", // a code of 30 bits and two of padding
      })
  void decodesCodesAtTheirLimits(String spaced) {
    byte[] block = HexFormat.of().parseHex(spaced.replace(" ", ""));
    DecodedBlock expected = new ReferenceHpackDecoder(TABLE_BYTES, 1000, 10).decode(block);
    assertThat(expected.valid()).isTrue();
    assertThat(decode(block)).isTrue();
    assertThat(decoded().fields()).isEqualTo(expected.fields());
  }

  @Test
  void decodesIntegersOfSixOctets() {
    // the length 127, with continuation octets that add nothing
    byte[] block =
        new BlockBytes()
            .raw(0x00, 0x01, 'a', 0x7F, 0x80, 0x80, 0x80, 0x80, 0x00)
            .raw(IntStream.range(0, 127).map(i -> 'v').toArray())
            .bytes();
    assertThat(decode(block)).isTrue();
    assertThat(decoded().fields()).containsExactly(new DecodedBlock.Field("a", "v".repeat(127)));
  }

  @Test
  void decodesEveryPairOfSymbols() {
    for (int first = 0; first < 256; first++) {
      var block = new BlockBytes();
      var reference = new ReferenceHpackDecoder(TABLE_BYTES, 100_000, 1000);
      for (int second = 0; second < 256; second++) {
        block.raw(NOT_INDEXED).plain("a").huffman("" + (char) first + (char) second);
      }
      assertThat(decode(block.bytes())).isTrue();
      assertThat(decoded().fields()).isEqualTo(reference.decode(block.bytes()).fields());
    }
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("", "a", Rejection.FIELD_NAME_EMPTY),
        Arguments.of("Accept", "a", Rejection.FIELD_NAME_UPPER_CASE),
        Arguments.of("accepT", "a", Rejection.FIELD_NAME_UPPER_CASE),
        Arguments.of("accept-accepT-accept", "a", Rejection.FIELD_NAME_UPPER_CASE),
        Arguments.of(":Path", "a", Rejection.FIELD_NAME_UPPER_CASE),
        Arguments.of(":", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("::path", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("a:b", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("a b", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of(" a", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("name\u0000", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("long-name\u0080", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("\u00e4", "a", Rejection.FIELD_NAME_INVALID),
        Arguments.of("a", "\u0000", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", "12345678\r", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", "12\n345678", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", "1234567\u001f8", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", "12345\u007f678", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", " \u007f", Rejection.FIELD_VALUE_INVALID),
        Arguments.of("a", " ", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("a", "\t", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("a", " a", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("a", "a ", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("a", "\ta", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("a", "12345678\t", Rejection.FIELD_VALUE_SPACE_AROUND),
        Arguments.of("Name", "\r", Rejection.FIELD_NAME_UPPER_CASE),
        Arguments.of("a", "", null),
        Arguments.of("a", "b\tc \u0080\u00ff~", null),
        Arguments.of("!#$%&'*+-.^_`|~09az", "\"(),/:;<=>?@[\\]{}", null),
        Arguments.of(":protocol", "websocket", null));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void reportsFaultsOfFields(String name, String value, Rejection expected) {
    assertThat(decode(new BlockBytes().literal(NOT_INDEXED, name, value))).isTrue();
    assertThat(fields.fault()).isEqualTo(expected);
    assertThat(decoded().fields()).containsExactly(new DecodedBlock.Field(name, value));
    assertThat(decode(new BlockBytes().raw(INSERTED).huffman(name).huffman(value))).isTrue();
    assertThat(fields.fault()).isEqualTo(expected);
    assertThat(decoded().fields()).containsExactly(new DecodedBlock.Field(name, value));
    assertThat(decode(new BlockBytes().indexed(2).indexed(FIRST_DYNAMIC))).isTrue();
    assertThat(fields.fault()).as("of the entry").isEqualTo(expected);
    assertThat(decode(new BlockBytes().indexed(2))).isTrue();
    assertThat(fields.fault()).as("of another section").isNull();
  }

  @Test
  void reportsTheFirstFaultAndDecodesToTheEnd() {
    assertThat(
            decode(
                new BlockBytes()
                    .literal(INSERTED, "a", " a")
                    .literal(NEVER_INDEXED, "B", "b")
                    .literal(INSERTED, "c", "c")))
        .isTrue();
    assertThat(fields.fault()).isEqualTo(Rejection.FIELD_VALUE_SPACE_AROUND);
    assertThat(fields.count()).isEqualTo(3);
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC))).isTrue();
    assertThat(decoded().fields()).containsExactly(new DecodedBlock.Field("c", "c"));
  }

  @Test
  void takesTheFaultOfANameFromItsEntryButNotThatOfItsValue() {
    decode(new BlockBytes().literal(INSERTED, "A", "a").literal(INSERTED, "b", "b "));
    decode(new BlockBytes().literal(NOT_INDEXED, FIRST_DYNAMIC, "c"));
    assertThat(fields.fault()).isNull();
    decode(new BlockBytes().literal(NOT_INDEXED, FIRST_DYNAMIC + 1, "c"));
    assertThat(fields.fault()).isEqualTo(Rejection.FIELD_NAME_UPPER_CASE);
  }

  @Test
  void keepsTheIdsOfNames() {
    decode(
        new BlockBytes()
            .indexed(3)
            .literal(NOT_INDEXED, 5, "/a")
            .literal(INSERTED, 32, "a")
            .literal(INSERTED, FIRST_DYNAMIC, "b")
            .indexed(FIRST_DYNAMIC)
            .literal(INSERTED, "cookie", "c")
            .literal(INSERTED, FIRST_DYNAMIC, "d")
            .literal(INSERTED, "x-name", "e"));
    int cookie = RequestNames.id(KnownHeader.COOKIE);
    assertThat(IntStream.range(0, fields.count()).map(fields::nameId))
        .containsExactly(
            RequestNames.METHOD,
            RequestNames.PATH,
            cookie,
            cookie,
            cookie,
            cookie,
            cookie,
            RequestNames.UNKNOWN);
  }

  @Test
  void takesANameFromTheEntryThatTheInsertionEvicts() {
    decoder = new HpackDecoder(100);
    decode(new BlockBytes().literal(INSERTED, "a-name-of-21-letters.", "v".repeat(40)));
    assertThat(decode(new BlockBytes().literal(INSERTED, FIRST_DYNAMIC, "w".repeat(47)))).isTrue();
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC))).isTrue();
    assertThat(decoded().fields())
        .containsExactly(new DecodedBlock.Field("a-name-of-21-letters.", "w".repeat(47)));
    assertThat(decoder.tableSize()).isEqualTo(100);
    assertThat(decode(new BlockBytes().literal(INSERTED, FIRST_DYNAMIC, "w".repeat(48)))).isTrue();
    assertThat(decoder.tableSize()).as("after a field that is too large").isZero();
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC))).isFalse();
  }

  @Test
  void evictsWhenTheTableBecomesSmaller() {
    decode(new BlockBytes().literal(INSERTED, "a", "1").literal(INSERTED, "b", "2"));
    assertThat(decode(new BlockBytes().sizeUpdate(67).indexed(FIRST_DYNAMIC))).isTrue();
    assertThat(decoded().fields()).containsExactly(new DecodedBlock.Field("b", "2"));
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC + 1))).isFalse();
    decoder = new HpackDecoder(TABLE_BYTES);
    decode(new BlockBytes().literal(INSERTED, "a", "1"));
    assertThat(decode(new BlockBytes().sizeUpdate(0).sizeUpdate(TABLE_BYTES))).isTrue();
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC))).isFalse();
  }

  @Test
  void insertsAFieldThatTheTableHasAlready() {
    var twice = new BlockBytes().literal(INSERTED, "a", "1").literal(INSERTED, "a", "1");
    assertThat(decode(twice)).isTrue();
    assertThat(decoder.tableSize()).isEqualTo(2 * 34);
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC).indexed(FIRST_DYNAMIC + 1))).isTrue();
    var field = new DecodedBlock.Field("a", "1");
    assertThat(decoded().fields()).containsExactly(field, field);
  }

  @Test
  void insertsNothingIntoATableWithoutSize() {
    decoder = new HpackDecoder(0);
    assertThat(decode(new BlockBytes().literal(INSERTED, "a", "1"))).isTrue();
    assertThat(fields.count()).isEqualTo(1);
    assertThat(decode(new BlockBytes().indexed(FIRST_DYNAMIC))).isFalse();
  }

  @Test
  void rejectsRangesOutsideOfTheSegmentAndFreedMemory() {
    MemorySegment bytes = Segments.exact(new byte[] {(byte) 0x82});
    assertThatThrownBy(() -> decoder.decode(bytes, 0, 2, fields))
        .isInstanceOf(IndexOutOfBoundsException.class);
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(TABLE_BYTES);
    }
    assertThatThrownBy(() -> decoder.decode(closed, 0, TABLE_BYTES, fields))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, HpackDecoder.TABLE_BYTES_MAX + 1})
  void rejectsImpossibleTables(int tableBytesMax) {
    assertThatThrownBy(() -> new HpackDecoder(tableBytesMax))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(tableBytesMax));
  }

  private boolean decode(BlockBytes block) {
    return decode(block.bytes());
  }

  private boolean decode(byte[] block) {
    MemorySegment bytes = Segments.exact(block);
    return decoder.decode(bytes, 0, block.length, fields);
  }

  private DecodedBlock decoded() {
    return DecodedBlock.of(fields, decoder.tableSize());
  }
}
