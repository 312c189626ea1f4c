package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostsTest {
  private final HttpServer server = Hosts.start(0);

  @AfterEach
  void stop() {
    server.close();
  }

  private String get(String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void servesEachHostByItsHandler() throws Exception {
    assertThat(get("api.example")).endsWith("The API\n");
    assertThat(get("a.tenants.example")).endsWith("The site of a.tenants.example\n");
    assertThat(get("other.example")).startsWith("HTTP/1.1 421 ");
  }

  @Test
  void limitsTheRequestsToTheApi() throws Exception {
    int served = 0;
    while (get("api.example").startsWith("HTTP/1.1 200 ")) {
      served++; // a slow machine gets a token each second meanwhile
    }
    assertThat(served).isGreaterThanOrEqualTo(10);
    assertThat(get("a.tenants.example")).startsWith("HTTP/1.1 200 ");
  }
}
