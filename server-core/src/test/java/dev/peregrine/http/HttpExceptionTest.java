package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpExceptionTest {
  @Test
  void carriesAStatusAndAMessageWithoutAStack() {
    HttpException exception = new HttpException(404, "no such thing");

    assertThat(exception.status()).isEqualTo(404);
    assertThat(exception).hasMessage("no such thing");
    assertThat(exception.getStackTrace()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 200, 399, 600})
  void refusesAStatusThatIsNoFailure(int status) {
    assertThatThrownBy(() -> new HttpException(status, "message"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("" + status);
  }
}
