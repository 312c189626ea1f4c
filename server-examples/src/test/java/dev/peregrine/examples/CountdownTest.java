package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountdownTest {
  @Test
  void countsToTheEnd() throws Exception {
    try (HttpServer server = Countdown.start(0);
        Client client = new Client(server.port())) {
      List<String> lines = client.get("/").body().lines().toList();

      assertThat(lines).hasSize(100_001);
      assertThat(lines.getFirst()).isEqualTo("100000");
      assertThat(lines.getLast()).isEqualTo("0");
    }
  }
}
