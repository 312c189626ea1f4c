package dev.peregrine.cli.options;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The address of a client behind balancers and proxies. */
@Timeout(60)
final class BalancersIT {
  private static final String HEADER = "PROXY TCP4 203.0.113.9 127.0.0.1 4000 80\r\n";
  private static final String REQUEST =
      "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.1\r\nConnection: close\r\n\r\n";

  static Stream<String> transports() {
    return Epoll.problem() == null ? Stream.of("nio", "epoll") : Stream.of("nio");
  }

  private static HttpServer start(String line) {
    return ServerOptions.parse(line.split(" ", -1))
        .builder()
        .handler(
            (request, response) ->
                response.text(
                    ((InetSocketAddress) request.remoteAddress()).getAddress().getHostAddress()))
        .start();
  }

  /** Returns the content of the response; empty if the connection was closed without one. */
  private static String ask(HttpServer server, int endpoint, String bytes) throws IOException {
    int port = ((InetSocketAddress) server.addresses().get(endpoint)).getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
      String response = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void expectsAHeaderOnOneAddressOnly(String transport) throws IOException {
    String line =
        "--listen 127.0.0.1:0 --listen-plain localhost:0 --proxy-protocol 127.0.0.1:0=127.0.0.1"
            + " --transport ";
    try (HttpServer server = start(line + transport)) {
      assertThat(ask(server, 0, HEADER + REQUEST)).isEqualTo("203.0.113.9");
      assertThat(ask(server, 1, REQUEST)).isEqualTo("127.0.0.1");
      assertThat(ask(server, 1, HEADER + REQUEST)).doesNotContain("203.0.113.9");
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void believesTheFieldsOfNoClientThatABalancerReports(String transport) throws IOException {
    String line = "--port 0 --proxy-protocol 127.0.0.1 --trusted-proxy %s --transport " + transport;
    try (HttpServer server = start(line.formatted("127.0.0.1"))) {
      assertThat(ask(server, 0, HEADER + REQUEST)).isEqualTo("203.0.113.9");
    }
    try (HttpServer server = start(line.formatted("203.0.113.0/24"))) {
      assertThat(ask(server, 0, HEADER + REQUEST)).isEqualTo("198.51.100.1");
    }
  }

  @Test
  void namesAnAddressThatIsNotListenedOn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--proxy-protocol", "127.0.0.1:9=10.0.0.1"))
        .withMessage(
            "--proxy-protocol is 127.0.0.1:9=10.0.0.1, but the server doesn't listen on"
                + " '127.0.0.1:9', as --listen would name it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.parse("--port", "1", "--proxy-protocol", "1=x"))
        .withMessageStartingWith("--proxy-protocol is x, but must be an IP address");
  }
}
