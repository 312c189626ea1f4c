package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ChatTest {
  @Test
  void passesMessagesOnToAll() throws Exception {
    try (HttpServer server = Chat.start(0);
        SocketClient one = SocketClient.open(server.port(), "/chat");
        SocketClient other = SocketClient.open(server.port(), "/chat")) {
      one.send("ada: hello");

      assertThat(other.receive()).isEqualTo("ada: hello");
      assertThat(one.receive()).isEqualTo("ada: hello");
    }
  }

  @Test
  void rejectsPagesOfOtherSites() {
    try (HttpServer server = Chat.start(0)) {
      assertThatThrownBy(
              () -> SocketClient.open(server.port(), "/chat", "Origin", "https://evil.example"))
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              failure -> assertThat(failure.getResponse().statusCode()).isEqualTo(403));
    }
  }
}
