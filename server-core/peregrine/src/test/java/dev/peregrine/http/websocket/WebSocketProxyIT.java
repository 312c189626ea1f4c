package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Daemon;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Repository;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * WebSockets through the proxies of other projects, with the configurations of docs/guide, where
 * they are installed.
 */
final class WebSocketProxyIT {
  private static final String ORIGIN = "Origin: http://a";
  private static final String LONG_TEXT = "x".repeat(200_000);

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path directory;

  /** Sends text back. */
  private static final class Echo implements WebSocketListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      if (!socket.sendText(text)) {
        socket.pause();
        socket.onWritable(socket::resume);
      }
    }
  }

  @Test
  void passesNginx() throws IOException {
    HttpServer server = servers.start(WebSockets.of(new Echo()).sameOrigin());
    String location =
        guide("nginx").replace("http://127.0.0.1:8080", "http://127.0.0.1:" + server.port());
    try (Daemon proxy =
        Daemon.nginx(
            directory, port -> "server { listen 127.0.0.1:" + port + ";\n" + location + "}")) {
      expectSockets(proxy);
    }
  }

  @Test
  void passesHaproxy() throws IOException {
    HttpServer server = servers.start(WebSockets.of(new Echo()).sameOrigin());
    try (Daemon proxy = haproxy(server, "")) {
      expectSockets(proxy);
    }
  }

  @Test
  void passesHaproxyThatSpeaksHttp2ToTheServer() throws IOException {
    HttpServer server =
        servers.start(
            WebSockets.of(new Echo()).origins("http://a"),
            options -> options.lenient(Leniency.HTTPS_TARGET)); // it calls all requests https
    try (Daemon proxy = haproxy(server, "proto h2")) {
      expectSockets(proxy);
    }
  }

  private Daemon haproxy(HttpServer server, String protocol) throws IOException {
    String defaults = guide("haproxy");
    return Daemon.haproxy(
        directory,
        port ->
            """
            global
              maxconn 100
            %s
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            listen front
              bind 127.0.0.1:%d
              server peregrine 127.0.0.1:%d %s
            """
                .formatted(defaults, port, server.port(), protocol));
  }

  private static void expectSockets(Daemon proxy) {
    try (RawClient client = RawClient.connect(proxy.address())) {
      WireSocket socket = WireSocket.openThroughProxy(client, "/chat", ORIGIN);
      assertThat(socket.text("one").read()).isEqualTo("one");
      assertThat(socket.text(LONG_TEXT).read()).isEqualTo(LONG_TEXT);
      assertThat(socket.close(1000).read()).startsWith("close 1000");
      client.expectClosed();
    }
    try (RawClient client = RawClient.connect(proxy.address())) {
      client.send(FrameClient.handshake("/chat", "Origin: http://b"));
      assertThat(client.readUntil("\r\n")).startsWith("HTTP/1.1 403 ");
    }
  }

  /** Returns the configuration of a proxy that the guide shows for WebSockets. */
  private static String guide(String language) throws IOException {
    String text = Files.readString(Repository.root().resolve("docs/guide/websocket.md"));
    String fence = "```" + language + "\n";
    int start = text.indexOf(fence, text.indexOf("## Behind a proxy")) + fence.length();
    return text.substring(start, text.indexOf("```", start));
  }
}
