package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConformanceTargetTest {
  private final HttpServer server = ConformanceTarget.start("--port", "0");
  private final Client client = new Client(server.port());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT"})
  void sendsTheContentBack(String method) throws Exception {
    assertThat(ask(method).body()).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE", "OPTIONS", "PATCH", "BREW"})
  void answersAnyMethodOnAnyPath(String method) throws Exception {
    HttpResponse<String> answer = ask(method);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok\n");
  }

  private HttpResponse<String> ask(String method) throws Exception {
    return client.send(
        method, "/any/path?any", BodyPublishers.ofString("content"), BodyHandlers.ofString());
  }
}
