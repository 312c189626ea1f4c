package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.peregrine.server.HttpServerBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServer;
import reactor.core.publisher.Mono;

/** The factory without an application. */
@Timeout(60)
class PeregrineReactiveWebServerFactoryTest {
  private static WebServer server(PeregrineReactiveWebServerFactory factory) {
    return factory.getWebServer((request, response) -> Mono.empty());
  }

  @Test
  void namesAPortThatIsInUse() throws Exception {
    List<String> calls = new ArrayList<>();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PeregrineReactiveWebServerFactory factory =
          new PeregrineReactiveWebServerFactory(taken.getLocalPort());
      factory.setAddress(taken.getInetAddress());
      factory.addServerCustomizers(new Recorded(calls));

      assertThatExceptionOfType(PortInUseException.class)
          .isThrownBy(server(factory)::start)
          .satisfies(failure -> assertThat(failure.getPort()).isEqualTo(taken.getLocalPort()));
    }
    assertThat(calls).containsExactly("customize", "stopped");
  }

  private record Recorded(List<String> calls) implements PeregrineServerCustomizer {
    @Override
    public void customize(HttpServerBuilder builder) {
      calls.add("customize");
    }

    @Override
    public void onStopped() {
      calls.add("stopped");
    }
  }

  @Test
  void aServerWithoutGraceEndsAtOnce() {
    WebServer server = server(new PeregrineReactiveWebServerFactory(0));
    List<GracefulShutdownResult> results = new ArrayList<>();
    server.start();
    server.shutDownGracefully(results::add);
    server.stop();

    assertThat(results).containsExactly(GracefulShutdownResult.IMMEDIATE);
  }

  @Test
  void listensOnAllAddressesByDefault() {
    PeregrineWebServer server =
        (PeregrineWebServer) server(new PeregrineReactiveWebServerFactory(0));
    server.start();
    try {
      assertThat(server.startedMessage())
          .isEqualTo("Peregrine started on port " + server.getPort() + " (http)");
    } finally {
      server.stop();
    }
  }
}
