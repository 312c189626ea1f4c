package dev.peregrine.http.websocket;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;

/** The client's end of a WebSocket, for tests that exchange texts. */
final class WireSocket {
  private final FrameClient frames;

  private WireSocket(FrameClient frames) {
    this.frames = frames;
  }

  /** Sends the opening handshake with further fields, and returns its response. */
  static RawResponse request(RawClient client, String path, String... fields) {
    return client.send(FrameClient.handshake(path, fields)).read();
  }

  static WireSocket open(Servers servers, HttpServer server) {
    return open(servers.connect(server), "/");
  }

  static WireSocket open(RawClient client, String path, String... fields) {
    return new WireSocket(FrameClient.open(client, path, fields));
  }

  static WireSocket openThroughProxy(RawClient client, String path, String... fields) {
    return new WireSocket(FrameClient.openThroughProxy(client, path, fields));
  }

  RawClient client() {
    return frames.client();
  }

  WireSocket text(String text) {
    frames.sendText(text);
    return this;
  }

  /** Sends a close frame. */
  WireSocket close(int code) {
    frames.sendClose(code, "");
    return this;
  }

  /** Returns a frame with a whole text message. */
  static byte[] frame(String text) {
    return FrameClient.frame(FrameClient.FINAL | FrameClient.TEXT, text);
  }

  /** Returns the next message, or {@code close CODE REASON}, or {@code ping}. */
  String read() {
    Frame frame = frames.read();
    return switch (frame.opcode()) {
      case FrameClient.CLOSE -> "close " + frame.code() + " " + frame.reason();
      case FrameClient.PING -> "ping";
      default -> frame.text();
    };
  }

  /** Reads the server's close frame, answers it, and awaits the end of the connection. */
  void expectClose(int code) {
    frames.expectClose(code);
    close(code);
    frames.client().expectClosed();
  }
}
