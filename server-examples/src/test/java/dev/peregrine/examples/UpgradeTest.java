package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpgradeTest {
  private final HttpServer server = Upgrade.start(0);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void sendsEveryByteBackAfterTheUpgrade() throws Exception {
    String request =
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nno HTTP\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));

      assertThat(in.readLine()).isEqualTo("HTTP/1.1 101 Switching Protocols");
      assertThat(in.lines().dropWhile(line -> !line.isEmpty())).containsExactly("", "no HTTP");
    }
  }

  @Test
  void namesTheProtocolInAResponseToOtherClients() throws Exception {
    try (Client client = new Client(server.port())) {
      HttpResponse<String> answer = client.get("/");

      assertThat(answer.statusCode()).isEqualTo(426);
      assertThat(answer.headers().firstValue("Upgrade")).contains("echo");
    }
  }
}
