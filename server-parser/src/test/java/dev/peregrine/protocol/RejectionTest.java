package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RejectionTest {
  private static final Set<Integer> STATUSES = Set.of(400, 413, 414, 417, 421, 431, 501, 505);

  @ParameterizedTest
  @EnumSource
  void namesStatusReasonAndSection(Rejection rejection) {
    assertThat(STATUSES).contains(rejection.status());
    assertThat(rejection.text()).matches("[ -~]{5,60}");
    assertThat(rejection.rfcSection()).matches("RFC [0-9]{4} [0-9.]+");
  }
}
