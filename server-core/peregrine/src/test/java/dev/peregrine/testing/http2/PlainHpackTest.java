package dev.peregrine.testing.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tests' own HPACK, by the examples of RFC 7541, Appendix C. */
final class PlainHpackTest {
  private final PlainHpackDecoder decoder = new PlainHpackDecoder();

  @Test
  void decodesRequestsWithHuffmanCoding() {
    assertThat(decode("828684418cf1e3c2e5f23a6ba0ab90f4ff"))
        .containsExactly(
            new Field(":method", "GET"),
            new Field(":scheme", "http"),
            new Field(":path", "/"),
            new Field(":authority", "www.example.com"));
    assertThat(decode("828684be5886a8eb10649cbf"))
        .endsWith(
            new Field(":authority", "www.example.com"), new Field("cache-control", "no-cache"));
    assertThat(decode("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"))
        .containsExactly(
            new Field(":method", "GET"),
            new Field(":scheme", "https"),
            new Field(":path", "/index.html"),
            new Field(":authority", "www.example.com"),
            new Field("custom-key", "custom-value"));
  }

  @Test
  void evictsFromASmallTable() {
    decoder.allow(256);
    decoder.decode(PlainHpack.sizeUpdate(256));

    decode(
        "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff"
            + "6e919d29ad171863c78f0b97c8e9ae82ae43d3");

    assertThat(decode("4883640effc1c0bf"))
        .containsExactly(
            new Field(":status", "307"),
            new Field("cache-control", "private"),
            new Field("date", "Mon, 21 Oct 2013 20:13:21 GMT"),
            new Field("location", "https://www.example.com"));
  }

  @Test
  void decodesItsOwnBlocks() {
    Field field = new Field("a-name", "a value ".repeat(40));

    assertThat(decoder.decode(PlainHpack.block(List.of(field)))).containsExactly(field);
    assertThat(decoder.decode(PlainHpack.inserted("b", "c"))).contains(new Field("b", "c"));
    assertThat(decoder.decode(Requests.join(PlainHpack.indexed(62), PlainHpack.indexed(2))))
        .containsExactly(new Field("b", "c"), new Field(":method", "GET"));
  }

  @ParameterizedTest
  @CsvSource({
    "80, no entry 0",
    "be, no entry 62",
    "82 21, not at the start",
    "3fe21f, a table of 4097 bytes",
    "0084ffffffff, EOS",
    "008118, padding",
    "0082ff, cut short",
    "00ffffffffffff, bad integer"
  })
  void failsOnABadBlock(String hex, String reason) {
    assertThatThrownBy(() -> decode(hex.replace(" ", "")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(reason);
  }

  private List<Field> decode(String hex) {
    return decoder.decode(HexFormat.of().parseHex(hex));
  }
}
