package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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

  @Test
  void carriesItsCauseAndAStackIfTheServerIsToBlame() {
    IOException cause = new IOException("lost");

    HttpException exception = new HttpException(500, null, cause);

    assertThat(exception).hasCause(cause).hasMessage(null);
    assertThat(exception.getStackTrace()).isNotEmpty();
  }

  @Test
  void carriesHeaderFieldsInTheirOrder() {
    HttpException exception =
        new HttpException(401, "who?")
            .header("WWW-Authenticate", "Basic realm=\"a\"")
            .header("WWW-Authenticate", "Bearer");

    assertThat(exception.headers().count()).isEqualTo(2);
    assertThat(exception.headers().name(1)).isEqualTo("WWW-Authenticate");
    assertThat(exception.headers().value("www-authenticate")).isEqualTo("Basic realm=\"a\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length", "Transfer-Encoding", "Connection", "Content-Type", "a b"})
  void rejectsAFieldThatTheServerSets(String name) {
    HttpException exception = new HttpException(400, "no");

    assertThatThrownBy(() -> exception.header(name, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
    assertThatThrownBy(() -> exception.header("X", "a\r\nb"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(exception.headers().count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 200, 399, 600})
  void rejectsAStatusThatIsNotAFailure(int status) {
    assertThatThrownBy(() -> new HttpException(status, "message"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("" + status);
  }
}
