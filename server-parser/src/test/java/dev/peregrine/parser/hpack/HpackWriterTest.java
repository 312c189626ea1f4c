package dev.peregrine.parser.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.Segments;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer against the examples of the RFC and against the reference decoder. */
class HpackWriterTest {
  private static final int ROUNDS = 5000;

  private final byte[] out = new byte[2000];

  @ParameterizedTest
  @CsvSource({
    "5, 10, 0a",
    "5, 1337, 1f9a0a",
    "8, 42, 2a",
    "5, 30, 1e",
    "5, 31, 1f00",
    "5, 158, 1f7f",
    "5, 159, 1f8001",
    "1, 0, 00",
    "1, 1, 0100",
    "7, 2147483647, 7f80ffffff07"
  })
  void writesIntegers(int prefixBits, int value, String expected) {
    assertThat(hex(HpackWriter.integer(out, 0, prefixBits, 0, value))).isEqualTo(expected);
  }

  @Test
  void writesIntegersAtTheirIndexWithTheirFlags() {
    int end = HpackWriter.integer(out, 3, 5, 0xE0, 1337);
    assertThat(HexFormat.of().formatHex(out, 0, end)).isEqualTo("000000ff9a0a");
  }

  @Test
  void writesEachKindOfField() {
    byte[] name = Segments.latin1("custom-key");
    byte[] value = Segments.latin1("custom-header");
    assertThat(hex(HpackWriter.literalIndexed(out, 0, 0, name, value)))
        .isEqualTo("400a637573746f6d2d6b65790d637573746f6d2d686561646572"); // C.2.1
    byte[] path = Segments.latin1("/sample/path");
    assertThat(hex(HpackWriter.literal(out, 0, 4, StaticTable.name(4), path, false)))
        .isEqualTo("040c2f73616d706c652f70617468"); // C.2.2
    byte[] secret = Segments.latin1("secret");
    assertThat(hex(HpackWriter.literal(out, 0, 0, Segments.latin1("password"), secret, true)))
        .isEqualTo("100870617373776f726406736563726574"); // C.2.3
    assertThat(hex(HpackWriter.indexed(out, 0, 2))).isEqualTo("82"); // C.2.4
    assertThat(hex(HpackWriter.tableSizeUpdate(out, 0, 256))).isEqualTo("3fe101");
    assertThat(hex(HpackWriter.literal(out, 0, 15, false))).isEqualTo("0f00");
    assertThat(hex(HpackWriter.literalIndexed(out, 0, 62))).isEqualTo("7e");
  }

  @ParameterizedTest
  @CsvSource({
    "www.example.com, f1e3c2e5f23a6ba0ab90f4ff",
    "no-cache, a8eb10649cbf",
    "custom-value, 25a849e95bb8e8b4bf",
    "302, 6402",
    "'Mon, 21 Oct 2013 20:13:21 GMT', d07abe941054d444a8200595040b8166e082a62d1bff"
  })
  void writesTheHuffmanCodesOfTheRfc(String text, String code) {
    byte[] bytes = Segments.latin1(text);
    int end = HpackWriter.stringHuffman(out, 0, bytes, 0, bytes.length);
    assertThat(hex(end)).isEqualTo("%02x".formatted(0x80 | code.length() / 2) + code);
    assertThat(HpackWriter.huffmanLength(bytes, 0, bytes.length)).isEqualTo(code.length() / 2);
  }

  @Test
  void writesTheHuffmanCodeOfEveryByteAndRange() {
    var random = new SplittableRandom(1);
    var bytes = new byte[300];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (round % 2 == 0 ? random.nextInt() : 'a' + random.nextInt(26));
      }
      int from = random.nextInt(bytes.length);
      int to = from + random.nextInt(bytes.length - from + 1);
      byte[] part = Arrays.copyOfRange(bytes, from, to);
      byte[] expected = new BlockBytes().huffman(Segments.text(part)).bytes();
      Arrays.fill(out, (byte) 0);
      int end = HpackWriter.stringHuffman(out, 5, bytes, from, to);
      assertThat(Arrays.copyOfRange(out, 5, end)).isEqualTo(expected);
      assertThat(out[end]).as("the byte after the code").isZero();
    }
  }

  @Test
  void writesBlocksThatTheReferenceDecoderReads() {
    var reference = new ReferenceHpackDecoder(4096, 100_000, 100);
    byte[] name = Segments.latin1("x-name");
    byte[] value = Segments.latin1("v".repeat(200));
    int at = HpackWriter.tableSizeUpdate(out, 0, 300);
    at = HpackWriter.literalIndexed(out, at, 0, name, value);
    at = HpackWriter.indexed(out, at, 62);
    at = HpackWriter.literal(out, at, 62, name, name, true);
    at = HpackWriter.literal(out, at, 0, false);
    at = HpackWriter.stringHuffman(out, at, name, 2, 6);
    at = HpackWriter.string(out, at, value, 0, 130);
    var expected = new DecodedBlock.Field("x-name", "v".repeat(200));
    assertThat(reference.decode(Arrays.copyOf(out, at)).fields())
        .containsExactly(
            expected,
            expected,
            new DecodedBlock.Field("x-name", "x-name"),
            new DecodedBlock.Field("name", "v".repeat(130)));
  }

  @Test
  void findsNamesAndFieldsInTheStaticTable() {
    assertThat(StaticTable.name(1)).isEqualTo(Segments.latin1(":authority"));
    assertThat(StaticTable.value(16)).isEqualTo(Segments.latin1("gzip, deflate"));
    assertThat(StaticTable.name(61)).isEqualTo(Segments.latin1("www-authenticate"));
    for (int i = 1; i <= StaticTable.COUNT; i++) {
      int index = StaticTable.indexOf(StaticTable.name(i));
      assertThat(StaticTable.name(index)).isEqualTo(StaticTable.name(i));
      assertThat(index).isLessThanOrEqualTo(i);
      byte[] value = StaticTable.value(i);
      assertThat(StaticTable.indexOf(index, value, 0, value.length)).isEqualTo(i);
    }
    assertThat(StaticTable.indexOf(Segments.latin1("xetagx"), 1, 5)).isEqualTo(34);
    assertThat(StaticTable.indexOf(8, Segments.latin1("x404"), 1, 4)).isEqualTo(13);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "Date", "dat", "datee", ":statux", "agf", "x-name", "vbry"})
  void findsNoOtherName(String name) {
    assertThat(StaticTable.indexOf(Segments.latin1(name))).isZero();
    assertThat(StaticTable.indexOf(0, Segments.latin1(name), 0, name.length())).isZero();
    assertThat(StaticTable.indexOf(8, Segments.latin1(name), 0, name.length())).isZero();
  }

  @Test
  void knowsTheIndicesOfThePeersTable() {
    var random = new SplittableRandom(2);
    for (int sizeMax : List.of(0, 31, 32, 100, 4096)) {
      var table = new EncoderTable(sizeMax);
      var peer = new DynamicTable(sizeMax);
      var numbers = new int[200];
      for (int i = 0; i < numbers.length; i++) {
        int length = random.nextInt(random.nextInt(10) == 0 ? 5000 : 60);
        numbers[i] = table.insert(1, length);
        peer.insert(new byte[length + 1], 0, FieldShape.of(1, length, i % 62, 1 + i / 62));
        if (random.nextInt(20) == 0) {
          int changed = random.nextInt(sizeMax + 1);
          table.resize(changed);
          peer.resize(changed);
        }
        assertThat(table.size()).isEqualTo(peer.size());
        assertThat(table.bytesMax()).isEqualTo(peer.sizeMax());
        for (int j = 0; j <= i; j++) {
          int index = table.indexOf(numbers[j]);
          long entry = index == 0 ? 0 : peer.entry(index - StaticTable.COUNT);
          assertThat(index == 0 ? j : number(entry)).isEqualTo(j);
        }
        assertThat(Arrays.stream(numbers, 0, i + 1).filter(n -> table.indexOf(n) != 0).count())
            .isEqualTo(entries(peer));
      }
    }
  }

  private static int number(long entry) {
    return TableEntry.nameId(entry) + 62 * (TableEntry.faults(entry) - 1);
  }

  private static long entries(DynamicTable table) {
    int count = 0;
    while (table.entry(count + 1) != 0) {
      count++;
    }
    return count;
  }

  @Test
  void rejectsNegativeSizes() {
    assertThatThrownBy(() -> new EncoderTable(-1)).isInstanceOf(IllegalArgumentException.class);
    var table = new EncoderTable(0);
    assertThatThrownBy(() -> table.resize(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  private String hex(int end) {
    return HexFormat.of().formatHex(out, 0, end);
  }
}
