package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.route.Routes;
import dev.peregrine.http.websocket.SlowReceiver;
import dev.peregrine.http.websocket.Topic;
import dev.peregrine.http.websocket.WebSockets;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * A chat for all who open the page, with a plot of the messages per second. Open {@code
 * http://127.0.0.1:8080/} in two tabs.
 */
public final class Chat {
  private static final int MESSAGE_BYTES_MAX = 4_000;

  private Chat() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(handler(new Topic(SlowReceiver.SKIP))).start();
  }

  /** Returns a handler for the page and its sockets. */
  static Handler handler(Topic everyone) {
    byte[] page = page();
    return Routes.builder()
        .get(
            "/",
            (request, response) -> response.contentType(ContentType.TEXT_HTML_UTF_8).send(page))
        .get(
            "/chat",
            WebSockets.of(new Member(everyone)).sameOrigin().messageBytesMax(MESSAGE_BYTES_MAX))
        .build();
  }

  /** Passes the messages of each socket on to all. */
  private record Member(Topic everyone) implements WebSocketListener {
    @Override
    public void onOpen(WebSocket socket) {
      everyone.subscribe(socket);
    }

    @Override
    public void onText(WebSocket socket, Bytes text) {
      everyone.publish(WebSocketMessage.text(text));
    }
  }

  private static byte[] page() {
    try (InputStream in = Chat.class.getResourceAsStream("chat.html")) {
      return Objects.requireNonNull(in, "chat.html").readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
