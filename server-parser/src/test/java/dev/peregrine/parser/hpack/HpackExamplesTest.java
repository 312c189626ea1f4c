package dev.peregrine.parser.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Segments;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 7541 appendix C. */
class HpackExamplesTest {
  private static final String DATE = "Mon, 21 Oct 2013 20:13:21 GMT";
  private static final String LATER_DATE = "Mon, 21 Oct 2013 20:13:22 GMT";
  private static final String COOKIE = "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";

  private final DecodedFields fields = new DecodedFields(4096, 100);
  private HpackDecoder decoder = new HpackDecoder(4096);

  @Test
  void decodesEachKindOfField() { // C.2
    expect("400a637573746f6d2d6b65790d637573746f6d2d686561646572", 55, "custom-key: custom-header");
    decoder = new HpackDecoder(4096);
    expect("040c2f73616d706c652f70617468", 0, ":path: /sample/path");
    expect("100870617373776f726406736563726574", 0, "password: secret");
    expect("82", 0, ":method: GET");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decodesRequests(boolean huffman) { // C.3 and C.4
    expect(
        huffman ? "828684418cf1e3c2e5f23a6ba0ab90f4ff" : "828684410f7777772e6578616d706c652e636f6d",
        57,
        ":method: GET",
        ":scheme: http",
        ":path: /",
        ":authority: www.example.com");
    expect(
        huffman ? "828684be5886a8eb10649cbf" : "828684be58086e6f2d6361636865",
        110,
        ":method: GET",
        ":scheme: http",
        ":path: /",
        ":authority: www.example.com",
        "cache-control: no-cache");
    expect(
        huffman
            ? "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"
            : "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
        164,
        ":method: GET",
        ":scheme: https",
        ":path: /index.html",
        ":authority: www.example.com",
        "custom-key: custom-value");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decodesResponsesWithEviction(boolean huffman) { // C.5 and C.6
    decoder = new HpackDecoder(256);
    expect(
        huffman
            ? "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad1718"
                + "63c78f0b97c8e9ae82ae43d3"
            : "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120"
                + "474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d",
        222,
        ":status: 302",
        "cache-control: private",
        "date: " + DATE,
        "location: https://www.example.com");
    expect(
        huffman ? "4883640effc1c0bf" : "4803333037c1c0bf",
        222,
        ":status: 307",
        "cache-control: private",
        "date: " + DATE,
        "location: https://www.example.com");
    expect(
        huffman
            ? "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b3"
                + "35dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"
            : "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738"
                + "666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d616765"
                + "3d333630303b2076657273696f6e3d31",
        215,
        ":status: 200",
        "cache-control: private",
        "date: " + LATER_DATE,
        "location: https://www.example.com",
        "content-encoding: gzip",
        "set-cookie: " + COOKIE);
  }

  private void expect(String hex, int tableSize, String... lines) {
    MemorySegment bytes = Segments.exact(HexFormat.of().parseHex(hex));
    assertThat(decoder.decode(bytes, 0, bytes.byteSize(), fields)).isTrue();
    DecodedBlock block = DecodedBlock.of(fields, decoder.tableSize());
    assertThat(block.fields().stream().map(field -> field.name() + ": " + field.value()))
        .isEqualTo(List.of(lines));
    assertThat(block.tableSize()).isEqualTo(tableSize);
    assertThat(block.fault()).isNull();
    assertThat(block.tooLarge()).isFalse();
  }
}
