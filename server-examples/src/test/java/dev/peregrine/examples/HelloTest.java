package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import org.junit.jupiter.api.Test;

class HelloTest {
  @Test
  void respondsHello() throws Exception {
    try (HttpServer server = Hello.start(0);
        Client client = new Client(server.port())) {
      assertThat(client.get("/").body()).isEqualTo("Hello\n");
    }
  }
}
