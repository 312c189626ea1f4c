package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private final HttpServer server = Limits.start(0);
  private final Client client = new Client(server.port());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void takesContentWithinTheLimit() throws Exception {
    assertThat(client.post("/", "x".repeat(1000)).statusCode()).isEqualTo(201);
  }

  @Test
  void rejectsContentAboveTheLimit() throws Exception {
    assertThat(client.post("/", "x".repeat(1001)).statusCode()).isEqualTo(413);
  }
}
