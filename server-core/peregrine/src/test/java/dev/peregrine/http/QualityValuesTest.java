package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QualityValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip                                | gzip=1000",
        "gzip, br;q=0.5                      | gzip=1000 br=500",
        " ,gzip ,, *;q=0,                    | gzip=1000 *=0",
        "GZip ; Q=0.123                      | gzip=123",
        "a;q=1, b;q=1., c;q=1.000, d;q=0.    | a=1000 b=1000 c=1000 d=0",
        "text/html;level=1 ; q=0.4, text/*   | text/html;level=1=400 text/*=1000",
        "a;q=0.5;later=1                     | a=500",
        "a;x=\"1,2;q=0.1\\\",\";q=0.2        | a;x=\"1,2;q=0.1\\\",\"=200",
      })
  void readsElementsWithTheirWeights(String value, String expected) {
    assertThat(describe(QualityValues.parse(List.of(value)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a;q=",
        "a;q=2",
        "a;q=1.001",
        "a;q=0.1234",
        "a;q=-1",
        "a;q=.5",
        "a;q=0x",
        "a;q=1e"
      })
  void leavesOutElementsWithoutAValidWeight(String value) {
    assertThat(QualityValues.parse(List.of(value)).weightOf("a")).isEqualTo(QualityValues.UNNAMED);
  }

  @Test
  void readsAllLinesAsOneList() {
    assertThat(describe(QualityValues.parse(List.of("a", "b;q=0.1")))).isEqualTo("a=1000 b=100");
    assertThat(QualityValues.parse(List.of()).size()).isZero();
  }

  @Test
  void weighsATokenByItsNameElseByTheWildcard() {
    QualityValues values = QualityValues.parse(List.of("gzip;q=0.5, *;q=0.1, gzip"));

    assertThat(values.weightOf("GZIP")).isEqualTo(500);
    assertThat(values.weightOf("br")).isEqualTo(100);
    assertThat(QualityValues.parse(List.of("gzip")).weightOf("br"))
        .isEqualTo(QualityValues.UNNAMED);
  }

  private static String describe(QualityValues values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> values.value(i) + "=" + values.weight(i))
        .collect(Collectors.joining(" "));
  }
}
