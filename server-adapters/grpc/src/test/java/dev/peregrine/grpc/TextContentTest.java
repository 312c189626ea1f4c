package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Content in base64 that arrives in pieces. */
final class TextContentTest {
  private static final String MALFORMED = "INTERNAL gRPC-Web content is not base64";
  private static final String CUT = "INTERNAL gRPC-Web content ends within a quantum of base64";

  private final MessageReaderTest.Notes notes = new MessageReaderTest.Notes();
  private final Demand demand = new Demand();
  private final MessageReader reader =
      new MessageReader(new MessageReaderTest.Script(), notes, demand, 1000);
  private final TextContent content = new TextContent(reader, notes);

  private void pass(String text, int from, int to) {
    byte[] piece = text.substring(from, to).getBytes(StandardCharsets.ISO_8859_1);
    content.onData(new HeapBytes(piece));
  }

  private static List<String> received(String... pieces) {
    TextContentTest test = new TextContentTest();
    boolean ignored = test.demand.add(10);
    for (String piece : pieces) {
      test.pass(piece, 0, piece.length());
    }
    test.content.onEnd();
    return test.notes.all;
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static List<String> expected(byte[] message) {
    MessageReaderTest.Notes expected = new MessageReaderTest.Notes();
    expected.receive(message, false);
    expected.receiveEnd();
    return expected.all;
  }

  @Test
  void decodesAtEverySplit() {
    byte[] message = {-1, 0, 1, 62, 63, 127, -128};
    byte[] frame = {0, 0, 0, 0, 7, -1, 0, 1, 62, 63, 127, -128};
    String text = text(frame);
    for (int first = 0; first <= text.length(); first++) {
      for (int second = first; second <= text.length(); second++) {
        assertThat(
                received(
                    text.substring(0, first),
                    text.substring(first, second),
                    text.substring(second)))
            .isEqualTo(expected(message));
      }
    }
  }

  @Test
  void decodesPartsWithPaddingOfTheirOwn() {
    byte[] message = {-1, 0, 1, 62, 63, 127, -128};
    byte[] frame = {0, 0, 0, 0, 7, -1, 0, 1, 62, 63, 127, -128};
    for (int first = 0; first <= frame.length; first++) {
      for (int second = first; second <= frame.length; second++) {
        String text =
            text(Arrays.copyOf(frame, first))
                + text(Arrays.copyOfRange(frame, first, second))
                + text(Arrays.copyOfRange(frame, second, frame.length));
        assertThat(received(text)).isEqualTo(expected(message));
        assertThat(received(text.split("", -1))).isEqualTo(expected(message));
      }
    }
  }

  @Test
  void decodesEveryByte() {
    byte[] frame = new byte[5 + 999];
    new Random(1).nextBytes(frame);
    System.arraycopy(new byte[] {0, 0, 0, 999 >> 8, (byte) 999}, 0, frame, 0, 5);
    assertThat(received(text(frame))).isEqualTo(expected(Arrays.copyOfRange(frame, 5, 1004)));
  }

  @Test
  void rejectsWhatIsNotBase64() {
    for (String text :
        List.of(
            "=", "A=", "A===", "AA=A", "AAA==", "====", "AA A", "AAA\n", "AA-A", "AA_A", "éAAA")) {
      assertThat(received(text)).as(text).containsExactly(MALFORMED);
      assertThat(received(text.split("", -1))).as(text).containsExactly(MALFORMED);
    }
  }

  @Test
  void rejectsAnEndWithinAQuantum() {
    for (String text : List.of("A", "AA", "AAA", "AA=", "AAAAA")) {
      assertThat(received(text)).as(text).containsExactly(CUT);
    }
  }

  @Test
  void leavesMessagesToTheReader() {
    assertThat(received(text(new byte[] {0, 0, 0, 0, 3, 1})))
        .containsExactly("INTERNAL Encountered end-of-stream mid-frame");
    assertThat(received()).containsExactly("end");
  }
}
