package dev.peregrine.bench.compare.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ExpectedResponseTest {
  private static final String FIRST = ScriptedServer.response("Sat, 21 Nov 2026", "Hello");
  private static final String SERIES = FIRST + FIRST.replace("Sat, 21", "Sun, 22") + FIRST;

  private final ExpectedResponse expected = new ExpectedResponse(bytes(FIRST));

  @Test
  void continuesAtEverySplitOfASeries() {
    for (int from = 0; from < SERIES.length(); from++) {
      for (int to = from; to <= SERIES.length(); to++) {
        assertThat(goesOn(SERIES.substring(from, to), from)).as(from + " to " + to).isTrue();
      }
    }
  }

  @Test
  void noticesEveryOtherByteButTheDate() {
    int dateFrom = FIRST.indexOf("Date:") + "Date:".length();
    int dateTo = FIRST.indexOf("\r\n", dateFrom);
    for (int i = 0; i < FIRST.length(); i++) {
      String wrong = FIRST.substring(0, i) + '#' + FIRST.substring(i + 1);
      boolean inDate = i >= dateFrom && i < dateTo;
      assertThat(goesOn(FIRST + wrong, 0)).as("byte " + i).isEqualTo(inDate);
    }
  }

  private boolean goesOn(String received, int behind) {
    return expected.goesOn(MemorySegment.ofArray(bytes(received)), received.length(), behind);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
