package dev.peregrine.server.http2.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Requests;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Priorities as clients write them (RFC 9218 section 4). */
final class UrgencyTest {
  private final Urgency urgency = new Urgency();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          u=0            | 0 | false
          u=7            | 7 | false
          u=1, i         | 1 | true
          i,u=1          | 1 | true
          i=?1           | 3 | true
          i=?0           | 3 | false
          i, i=?0        | 3 | false
          u=2, u=5       | 5 | false
          u=2;x=1, i;y   | 2 | true
          ' u=4\t, i '   | 4 | true
          a=1, u=6, i-b  | 6 | false
          """)
  void areRead(String field, int level, boolean inTurns) {
    expect(field, level, inTurns);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''
          ,
          u
          u=
          u=8
          u=-1
          u=10
          u=1.5
          u="1"
          U=1
          ub=1
          i=1
          i=?2
          i=?
          i=?01
          ib
          I
          =
          """)
  void areIgnoredWhereTheyHaveNoMeaning(String field) {
    expect(field, 3, false);
  }

  @Test
  void areThoseOfTheNextRequestOnly() {
    expect("u=1, i", 1, true);

    urgency.reset();

    assertThat(urgency.level()).isEqualTo(3);
    assertThat(urgency.isInTurns()).isTrue();
  }

  private void expect(String field, int level, boolean inTurns) {
    byte[] bytes = Requests.bytes("x" + field + "x"); // nothing outside is read

    urgency.set(MemorySegment.ofArray(bytes), 1, bytes.length - 1L);

    assertThat(urgency.level()).as(field).isEqualTo(level);
    assertThat(urgency.isInTurns()).as(field).isEqualTo(inTurns);
  }
}
