package dev.peregrine.examples;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket to a server on this machine, by the client of the JDK. */
final class SocketClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;

  private final HttpClient http;
  private final WebSocket socket;
  private final BlockingQueue<String> received;

  private SocketClient(HttpClient http, WebSocket socket, BlockingQueue<String> received) {
    this.http = http;
    this.socket = socket;
    this.received = received;
  }

  /** Opens a socket with further header fields, names and values by turns. */
  static SocketClient open(int port, String path, String... fields) {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    HttpClient http = HttpClient.newHttpClient();
    try {
      WebSocket.Builder builder = http.newWebSocketBuilder();
      for (int i = 0; i < fields.length; i += 2) {
        if (fields[i].equals("Sec-WebSocket-Protocol")) {
          builder.subprotocols(fields[i + 1]);
        } else {
          builder.header(fields[i], fields[i + 1]);
        }
      }
      URI uri = URI.create("ws://127.0.0.1:" + port + path);
      return new SocketClient(
          http, builder.buildAsync(uri, new Receiver(received)).join(), received);
    } catch (Throwable failure) {
      http.shutdownNow();
      throw failure;
    }
  }

  SocketClient send(String text) {
    socket.sendText(text, true).join();
    return this;
  }

  /** Sends a part of a binary message. */
  SocketClient send(byte[] part, boolean last) {
    socket.sendBinary(ByteBuffer.wrap(part), last).join();
    return this;
  }

  /** Returns the next message, or {@code close CODE REASON} at the end. */
  String receive() throws InterruptedException {
    String next = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return next == null ? "nothing" : next;
  }

  String subprotocol() {
    return socket.getSubprotocol();
  }

  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
  }

  private static final class Receiver implements WebSocket.Listener {
    private final BlockingQueue<String> received;
    private final StringBuilder parts = new StringBuilder();

    Receiver(BlockingQueue<String> received) {
      this.received = received;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        received.add(parts.toString());
        parts.setLength(0);
      }
      return WebSocket.Listener.super.onText(socket, data, last);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      received.add("close " + code + " " + reason);
      return WebSocket.Listener.super.onClose(socket, code, reason);
    }
  }
}
