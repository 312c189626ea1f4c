package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.reactive.function.client.WebClient;

/** A test as applications have it, whose client is Reactor Netty. */
@DirtiesContext // other tests of the JVM count threads
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, classes = Shop.class)
class RandomPortIT {
  @LocalServerPort int port;
  @Autowired ReactiveWebServerApplicationContext context;

  @Test
  void servesTheApplication() {
    String item =
        WebClient.create("http://localhost:" + port)
            .get()
            .uri("/items/7")
            .retrieve()
            .bodyToMono(String.class)
            .block();

    assertThat(item).isEqualTo("{\"id\":\"7\"}");
  }

  @Test
  void theServerOfWebClientsLibraryDoesNotWin() throws Exception {
    assertThat(Class.forName("reactor.netty.http.server.HttpServer")).isNotNull();
    assertThat(
            Class.forName(
                "org.springframework.boot.reactor.netty.autoconfigure"
                    + ".NettyReactiveWebServerAutoConfiguration"))
        .isNotNull();
    WebServer server = Objects.requireNonNull(context.getWebServer());
    assertThat(server).isInstanceOf(PeregrineWebServer.class);
    assertThat(server.getPort()).isEqualTo(port);
  }
}
