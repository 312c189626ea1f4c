package dev.peregrine.parser.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.Segments;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChunkedDecoderTest {
  private static final ChunkedDecoder DECODER = new ChunkedDecoder(ParserLimits.DEFAULT);

  /** Encoded bodies with their content (RFC 9112 section 7.1). */
  private static final Map<String, String> VALID =
      Map.ofEntries(
          Map.entry("0\r\n\r\n", ""),
          Map.entry("000\r\n\r\n", ""),
          Map.entry("0000000000000001\r\nx\r\n0\r\n\r\n", "x"),
          Map.entry("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
          Map.entry("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"),
          Map.entry("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
          Map.entry("1;a\r\nx\r\n0;b\r\n\r\n", "x"),
          Map.entry("1;a=b;c=\"d;\\\"\\\\\t\u00e9\";e\r\nx\r\n0\r\n\r\n", "x"),
          Map.entry("1 ; a = b ;c= \"\"\t;d\r\nx\r\n0\r\n\r\n", "x"),
          Map.entry("0\r\nA: b\r\nc:d\r\n\r\n", ""),
          Map.entry(
              "1\r\nx\r\n0\r\nContent-Length: 5\r\nA: \tb \r\nHost: c\r\nx_y: 1\r\n\r\n", "x"));

  private static final Map<String, Rejection> INVALID =
      Map.ofEntries(
          Map.entry("\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("g\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("+5\r\nhello\r\n0\r\n\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("-1\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("0x5\r\nhello\r\n0\r\n\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("5_0\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry(" 5\r\nhello\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("5,\r\nhello\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry(";a\r\n", Rejection.CHUNK_SIZE_INVALID),
          Map.entry("5 \r\nhello\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("5 5\r\nhello\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("8000000000000000\r\n", Rejection.CHUNK_SIZE_TOO_LARGE),
          Map.entry("FFFFFFFFFFFFFFFF1\r\n", Rejection.CHUNK_SIZE_TOO_LARGE),
          Map.entry("FFFFFFFFFFFFFFFF\r\n", Rejection.CHUNK_SIZE_TOO_LARGE),
          Map.entry("00000000000000001\r\nx\r\n", Rejection.CHUNK_SIZE_TOO_LARGE),
          Map.entry("2;a\nxx\r\n0\r\n\r\n", Rejection.BARE_LINE_FEED),
          Map.entry("2\nxx\r\n0\r\n\r\n", Rejection.BARE_LINE_FEED),
          Map.entry("2;\nxx\r\n0\r\n\r\n", Rejection.BARE_LINE_FEED),
          Map.entry("2\rxx\r\n0\r\n\r\n", Rejection.BARE_CARRIAGE_RETURN),
          Map.entry("2;a\rX\r\nxx\r\n", Rejection.BARE_CARRIAGE_RETURN),
          Map.entry("2\r\r\nxx\r\n", Rejection.BARE_CARRIAGE_RETURN),
          Map.entry(
              "1;ext=\"val\r\nX\r\n0\r\n\r\nGET /smuggled", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;ext=\"val\\\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a;;b\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a \r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=b \r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=\"b\" \r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=\"b\"c\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=b=c\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a b\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;\u0000a\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;a=\"\u007f\"\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("1;bad[=x\r\nX\r\n", Rejection.CHUNK_EXTENSION_INVALID),
          Map.entry("5\r\nhelloXX0\r\n\r\n", Rejection.CHUNK_DATA_NOT_ENDED),
          Map.entry("5\r\nhello\n0\r\n\r\n", Rejection.CHUNK_DATA_NOT_ENDED),
          Map.entry("5\r\nhello\r0\r\n\r\n", Rejection.CHUNK_DATA_NOT_ENDED),
          Map.entry("5\r\nhello0\r\n\r\n", Rejection.CHUNK_DATA_NOT_ENDED),
          Map.entry("0\r\n\n", Rejection.FIELD_COLON_MISSING),
          Map.entry("0\r\n\rX", Rejection.BARE_CARRIAGE_RETURN),
          Map.entry("0\r\nA: b\n\r\n", Rejection.BARE_LINE_FEED),
          Map.entry("0\r\nA : b\r\n\r\n", Rejection.FIELD_SPACE_BEFORE_COLON),
          Map.entry("0\r\n A: b\r\n\r\n", Rejection.FIELD_SPACE_BEFORE_FIRST),
          Map.entry("0\r\nA: b\r\n c\r\n\r\n", Rejection.FIELD_LINE_FOLDED),
          Map.entry("0\r\nA: \u0000\r\n\r\n", Rejection.FIELD_VALUE_INVALID),
          Map.entry("0\r\n: b\r\n\r\n", Rejection.FIELD_NAME_EMPTY),
          Map.entry("0\r\nGET / HTTP/1.1\r\n\r\n", Rejection.FIELD_SPACE_BEFORE_COLON));

  @Test
  void decodesEveryValidBodySplitAnywhere() {
    VALID.forEach(
        (wire, text) -> {
          byte[] bytes = Segments.latin1(wire);
          DecodedBody whole = DecodedBody.decode(DECODER, bytes);
          assertThat(whole.result()).as(wire + whole).isEqualTo(ChunkedDecoder.END);
          assertThat(whole.body()).isEqualTo(text);
          assertThat(whole.consumed()).isEqualTo(bytes.length);
          assertThat(DecodedBody.byteByByte(DECODER, bytes)).isEqualTo(whole);
          for (int cut = 0; cut < bytes.length; cut++) {
            assertThat(DecodedBody.decode(DECODER, bytes, cut))
                .as("%s cut at %d", wire, cut)
                .isEqualTo(whole);
            assertThat(DecodedBody.decode(DECODER, Arrays.copyOf(bytes, cut)).result())
                .isEqualTo(ChunkedDecoder.NEED_MORE);
          }
        });
  }

  @Test
  void rejectsEveryInvalidBodyForTheSameReasonSplitAnywhere() {
    INVALID.forEach(
        (wire, reason) -> {
          byte[] bytes = Segments.latin1(wire);
          DecodedBody whole = DecodedBody.decode(DECODER, bytes);
          assertThat(whole.why()).as(wire + whole).isEqualTo(reason);
          DecodedBody drip = DecodedBody.byteByByte(DECODER, bytes);
          assertThat(drip.why()).isEqualTo(reason);
          assertThat(drip.body()).isEqualTo(whole.body());
          for (int cut = 0; cut < bytes.length; cut++) {
            assertThat(DecodedBody.decode(DECODER, bytes, cut).why())
                .as("%s cut at %d", wire, cut)
                .isEqualTo(reason);
          }
        });
  }

  @Test
  void leavesTheNextRequestAlone() {
    byte[] bytes = Segments.latin1("1\r\nx\r\n0\r\nA: b\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    DecodedBody decoded = DecodedBody.decode(DECODER, bytes);
    assertThat(decoded.consumed()).isEqualTo("1\r\nx\r\n0\r\nA: b\r\n\r\n".length());
    assertThat(decoded.trailers()).containsExactly(List.of("A", "b"));
  }

  @Test
  void dropsTrailersThatHaveNoMeaningThere() {
    String section =
        String.join(
            "\r\n",
            "TE: a",
            "X: 1",
            "content-type: b",
            "Authorization: c",
            "Y: 2",
            "Transfer-Encoding: chunked",
            "X-Forwarded-For: d");
    byte[] bytes = Segments.latin1("0\r\n" + section + "\r\n\r\n");
    assertThat(DecodedBody.decode(DECODER, bytes).trailers())
        .containsExactly(List.of("X", "1"), List.of("Y", "2"));
  }

  @Test
  void reportsHowMuchOfAChunkIsMissing() {
    MemorySegment bytes = Segments.exact(Segments.latin1("7fffffffffffffff\r\nabc"));
    DECODER.reset();
    assertThat(DECODER.next(bytes, 0, (int) bytes.byteSize())).isEqualTo(ChunkedDecoder.DATA);
    assertThat(DECODER.dataStart()).isEqualTo(18);
    assertThat(DECODER.dataEnd()).isEqualTo(21);
    assertThat(DECODER.chunkRemaining()).isEqualTo(Long.MAX_VALUE - 3);
  }

  @Test
  void staysRejectedAndStaysEndedUntilReset() {
    MemorySegment bytes = Segments.exact(Segments.latin1("g0\r\n\r\n"));
    DECODER.reset();
    assertThat(DECODER.next(bytes, 0, 1)).isEqualTo(ChunkedDecoder.REJECTED);
    assertThat(DECODER.next(bytes, 1, 6)).isEqualTo(ChunkedDecoder.REJECTED);
    DECODER.reset();
    assertThat(DECODER.rejection()).isNull();
    assertThat(DECODER.next(bytes, 1, 6)).isEqualTo(ChunkedDecoder.END);
    assertThat(DECODER.next(bytes, 6, 6)).isEqualTo(ChunkedDecoder.END);
  }

  @Test
  void limitsTheExtensionsOfOneChunk() {
    int max = ParserLimits.DEFAULT.chunkExtensionBytesMax();
    String most = "1;" + "e".repeat(max - 1) + "\r\nx\r\n0\r\n\r\n";
    assertThat(decode(most).result()).isEqualTo(ChunkedDecoder.END);
    assertThat(decode("1;e" + most.substring(2)).why())
        .isEqualTo(Rejection.CHUNK_EXTENSIONS_TOO_LARGE);
  }

  @Test
  void limitsTheExtensionsOfABody() {
    int chunks = ParserLimits.DEFAULT.bodyExtensionBytesMax() / 64;
    String chunk = "1;" + "e".repeat(63) + "\r\nx\r\n";
    assertThat(decode(chunk.repeat(chunks) + "0\r\n\r\n").result()).isEqualTo(ChunkedDecoder.END);
    assertThat(decode(chunk.repeat(chunks) + "0;e\r\n\r\n").why())
        .isEqualTo(Rejection.CHUNK_EXTENSIONS_TOO_LARGE);
  }

  @Test
  void limitsTheTrailerSection() {
    int max = ParserLimits.DEFAULT.trailerBytesMax();
    String most = "0\r\nA:" + "v".repeat(max - 4) + "\r\n\r\n";
    assertThat(decode(most).result()).isEqualTo(ChunkedDecoder.END);
    assertThat(decode("0\r\nAA" + most.substring(4)).why())
        .isEqualTo(Rejection.TRAILER_SECTION_TOO_LARGE);
    String lines = "A:\r\n".repeat(ParserLimits.DEFAULT.trailerFieldsMax());
    assertThat(decode("0\r\n" + lines + "\r\n").result()).isEqualTo(ChunkedDecoder.END);
    assertThat(decode("0\r\n" + lines + "B:\r\n\r\n").why()).isEqualTo(Rejection.TOO_MANY_TRAILERS);
  }

  private static DecodedBody decode(String wire) {
    return DecodedBody.decode(DECODER, Segments.latin1(wire));
  }
}
