package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HttpStatusTest {
  @Test
  void isFoundByItsCode() {
    for (HttpStatus status : HttpStatus.values()) {
      assertThat(HttpStatus.of(status.code())).isSameAs(status);
    }
    assertThat(HttpStatus.of(404)).isSameAs(HttpStatus.NOT_FOUND);
    for (int unknown : new int[] {-1, 0, 99, 199, 299, 418, 599, 600, Integer.MAX_VALUE}) {
      assertThat(HttpStatus.of(unknown)).isNull();
    }
  }

  @Test
  void hasOneConstantForACode() {
    Set<Integer> codes = new HashSet<>();
    for (HttpStatus status : HttpStatus.values()) {
      assertThat(codes.add(status.code())).as("%s", status).isTrue();
    }
  }

  @Test
  void hasTheRegisteredReasonPhrases() {
    assertThat(HttpStatus.OK.reason()).isEqualTo("OK");
    assertThat(HttpStatus.CONTENT_TOO_LARGE.reason()).isEqualTo("Content Too Large");
    for (HttpStatus status : HttpStatus.values()) {
      assertThat(status.reason()).matches("[A-Z][A-Za-z -]+");
    }
  }
}
