package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownHeaderTest {
  @ParameterizedTest
  @EnumSource
  void isFoundByItsNameInAnyCase(KnownHeader header) {
    assertThat(KnownHeader.of(header.fieldName())).isEqualTo(header);
    assertThat(KnownHeader.of(header.fieldName().toUpperCase(Locale.ROOT))).isEqualTo(header);
    assertThat(header.name()).isEqualToIgnoringCase(header.fieldName().replace('-', '_'));
  }

  @Test
  void isNullForOtherNames() {
    assertThat(KnownHeader.of("X-Unknown")).isNull();
    assertThat(KnownHeader.of("")).isNull();
  }

  @Test
  void leavesOneBitForAllOtherNames() {
    assertThat(KnownHeader.namesRecognisedInRequests()).hasSizeLessThan(Long.SIZE);
    assertThat(KnownHeader.namesRecognisedInRequests())
        .allMatch(name -> name.matches("[A-Za-z0-9-]{1,32}"));
  }
}
