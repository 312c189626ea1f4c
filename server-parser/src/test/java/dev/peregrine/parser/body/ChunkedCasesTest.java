package dev.peregrine.parser.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.SharedCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The chunked bodies judged from the RFCs. */
class ChunkedCasesTest {
  @Test
  void judgesEveryBodyAsTheCasesDo() throws IOException {
    var decoder = new ChunkedDecoder(ParserLimits.DEFAULT);
    var mismatches = new ArrayList<String>();
    for (Map<String, @Nullable Object> testCase : SharedCases.read("chunked_cases.json")) {
      byte[] bytes = SharedCases.bytes(testCase, "bytes_b64");
      DecodedBody decoded = DecodedBody.decode(decoder, bytes);
      if (!agrees(testCase, decoded)) {
        mismatches.add(SharedCases.text(testCase, "id") + ": " + decoded);
      }
      assertThat(DecodedBody.byteByByte(decoder, bytes).result()).isEqualTo(decoded.result());
    }
    assertThat(mismatches).isEmpty();
  }

  private static boolean agrees(Map<String, @Nullable Object> testCase, DecodedBody decoded) {
    boolean refused = decoded.result() == ChunkedDecoder.REJECTED;
    return switch (SharedCases.text(testCase, "expect")) {
      case "accept" -> isAsListed(testCase, decoded);
      case "reject" -> refused;
      // a rejection, or the lenient reading, in which forbidden trailers may be dropped
      case "either" -> refused || decoded.trailers().isEmpty() || isAsListed(testCase, decoded);
      case "incomplete" -> decoded.result() == ChunkedDecoder.NEED_MORE;
      default -> throw new AssertionError(testCase);
    };
  }

  private static boolean isAsListed(Map<String, @Nullable Object> testCase, DecodedBody decoded) {
    byte[] body = SharedCases.bytes(testCase, "body_b64");
    return decoded.result() == ChunkedDecoder.END
        && decoded.body().equals(new String(body, StandardCharsets.ISO_8859_1))
        && decoded.trailers().equals(SharedCases.pairs(testCase, "trailers"));
  }
}
