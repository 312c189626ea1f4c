package dev.peregrine.bench.compare.load;

import static dev.peregrine.bench.compare.load.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerCheckTest {
  private static final String RIGHT = response("now", "Hello, World!");

  @Test
  void returnsTheWholeResponse() throws IOException {
    try (ScriptedServer server = new ScriptedServer(Workload.ONE, (batch, content) -> RIGHT)) {
      assertThat(
              new String(
                  ServerCheck.response(Workload.ONE, server.port()), StandardCharsets.US_ASCII))
          .isEqualTo(RIGHT);
    }
  }

  @Test
  void returnsTheHead() throws IOException {
    try (ScriptedServer server = new ScriptedServer(Workload.ONE, (batch, content) -> RIGHT)) {
      assertThat(ServerCheck.head(Workload.ONE, server.port()) + "\r\n\r\nHello, World!")
          .isEqualTo(RIGHT);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200 OK, 404 Not Found, status 200",
    "Content-Type, X-Type, a Content-Type",
    "Date, X-Date, a Date",
    "Length: 13, Length: 12, Content-Length: 13",
    "'Hello,', 'Hallo,', other content",
  })
  void reportsTheFault(String part, String wrong, String what) throws IOException {
    String answer = RIGHT.replace(part, wrong);
    try (ScriptedServer server = new ScriptedServer(Workload.ONE, (batch, content) -> answer)) {
      assertThatIOException()
          .isThrownBy(() -> ServerCheck.response(Workload.ONE, server.port()))
          .withMessageContaining(what);
    }
  }
}
