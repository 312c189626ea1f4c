package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaterTest {
  private final HttpServer server = Later.start(0);
  private final Client client = new Client(server.port());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void answersOnceTheValueArrives() throws Exception {
    assertThat(client.get("/falcon").body()).isEqualTo("The value of /falcon\n");
  }

  @Test
  void answers500IfTheValueNeverArrives() throws Exception {
    assertThat(client.get("/missing").statusCode()).isEqualTo(500);
  }
}
