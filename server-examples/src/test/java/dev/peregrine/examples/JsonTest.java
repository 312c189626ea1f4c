package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JsonTest {
  private final HttpServer server = Json.start(0);
  private final Client client = new Client(server.port());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void answersJsonWithJson() throws Exception {
    HttpResponse<String> answer = client.postJson("/", "{\"message\":\"grüß \\\"dich\\\"\"}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.body()).isEqualTo("{\"message\":\"You said: grüß \\\"dich\\\"\"}");
  }

  @Test
  void rejectsContentThatIsNotJson() throws Exception {
    HttpResponse<String> answer = client.postJson("/", "{\"message\":");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("the content is not the expected JSON\n");
  }
}
