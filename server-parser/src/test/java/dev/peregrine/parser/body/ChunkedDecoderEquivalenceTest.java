package dev.peregrine.parser.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.Segments;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random bodies, half of them damaged, against the grammar as regular expressions. */
class ChunkedDecoderEquivalenceTest {
  private static final int BODIES = 30_000;
  private static final String BREAKERS = "\r\n;=\" \t\\0aZ\u0000\u007f\u0080:,";
  private static final String[] LINE_PARTS = {
    ";", "a", "=", "b", "\"", "\"c\"", " ", "\t", "\\\"", ";d=e"
  };

  private final ChunkedDecoder decoder = new ChunkedDecoder(ParserLimits.DEFAULT);

  @Test
  void agreesWithTheGrammarOnRandomBodies() {
    var random = new Random(20261121);
    int accepted = 0;
    for (int i = 0; i < BODIES; i++) {
      String wire = damaged(random, body(random));
      byte[] bytes = Segments.latin1(wire);
      DecodedBody expected = ReferenceChunkedDecoder.decode(wire);
      DecodedBody actual = DecodedBody.decode(decoder, bytes);
      if (expected != null) {
        assertThat(actual).as(wire).isEqualTo(expected);
        accepted++;
      } else {
        assertThat(actual.result()).as(wire).isLessThanOrEqualTo(ChunkedDecoder.NEED_MORE);
      }
      DecodedBody pieces = DecodedBody.decode(decoder, bytes, cuts(random, bytes.length));
      assertThat(pieces.why()).as(wire).isEqualTo(actual.why());
      assertThat(pieces.body()).as(wire).isEqualTo(actual.body());
      assertThat(pieces.result()).as(wire).isEqualTo(actual.result());
    }
    assertThat(accepted).isBetween(BODIES / 4, BODIES * 3 / 4);
  }

  private static String body(Random random) {
    var body = new StringBuilder();
    for (int chunks = random.nextInt(4); chunks > 0; chunks--) {
      int size = 1 + random.nextInt(40);
      body.append(Integer.toHexString(size)).append(extension(random)).append("\r\n");
      body.append("\r\n0aZ;".repeat(8), 0, size).append("\r\n");
    }
    body.append('0').append(extension(random)).append("\r\n");
    for (int trailers = random.nextInt(3); trailers > 0; trailers--) {
      body.append("x".repeat(1 + random.nextInt(5)))
          .append(": \t")
          .append("v v".repeat(trailers))
          .append(" \r\n");
    }
    return body.append("\r\n").toString();
  }

  private static String extension(Random random) {
    if (random.nextBoolean()) {
      return random.nextBoolean() ? "" : " ;a;b=\"c\\d\" ; e = f";
    }
    var extension = new StringBuilder();
    for (int parts = random.nextInt(3); parts > 0; parts--) {
      extension.append(LINE_PARTS[random.nextInt(LINE_PARTS.length)]);
    }
    return extension.toString();
  }

  private static String damaged(Random random, String body) {
    if (random.nextBoolean()) {
      return body;
    }
    int at = random.nextInt(body.length());
    char breaker = BREAKERS.charAt(random.nextInt(BREAKERS.length()));
    return switch (random.nextInt(3)) {
      case 0 -> body.substring(0, at) + breaker + body.substring(at);
      case 1 -> body.substring(0, at) + body.substring(at + 1);
      default -> body.substring(0, at) + breaker + body.substring(at + 1);
    };
  }

  private static int[] cuts(Random random, int length) {
    int[] cuts = random.ints(random.nextInt(6), 0, length + 1).toArray();
    Arrays.sort(cuts);
    return cuts;
  }
}
