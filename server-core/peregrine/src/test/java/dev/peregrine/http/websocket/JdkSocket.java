package dev.peregrine.http.websocket;

import dev.peregrine.testing.Certificates;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A WebSocket of the JDK's client, and what it has received. */
final class JdkSocket implements WebSocket.Listener {
  private static final int SECONDS = 120;

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final StringBuilder text = new StringBuilder();
  private final ByteArrayOutputStream binary = new ByteArrayOutputStream();

  /** Opens a socket, and offers subprotocols; the first one is separate. */
  static WebSocket open(
      HttpClient client, URI uri, JdkSocket listener, String preferred, String... others) {
    return client
        .newWebSocketBuilder()
        .subprotocols(preferred, others)
        .buildAsync(uri, listener)
        .join();
  }

  /** Returns a client that trusts the servers of tests. */
  static HttpClient client() {
    return HttpClient.newBuilder().sslContext(Certificates.client()).build();
  }

  /** Returns the next event, waiting for it. */
  String next() throws InterruptedException {
    return String.valueOf(events.poll(SECONDS, TimeUnit.SECONDS));
  }

  /** Returns the content of all binary messages since the last call. */
  byte[] takeBinary() {
    synchronized (binary) {
      byte[] content = binary.toByteArray();
      binary.reset();
      return content;
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      events.add("text " + text);
      text.setLength(0);
    }
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
    byte[] content = new byte[part.remaining()];
    part.get(content);
    synchronized (binary) {
      binary.writeBytes(content);
    }
    if (last) {
      events.add("binary");
    }
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer content) {
    events.add("pong " + StandardCharsets.UTF_8.decode(content));
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    events.add("close " + code + " " + reason);
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable failure) {
    events.add("failed: " + failure);
  }
}
