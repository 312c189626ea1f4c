package dev.peregrine.examples;

import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.HttpServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The server of a comparison with others: fixed content at {@code /plaintext}, {@code /64k} and
 * {@code /1m}, {@code POST /echo}, and an echo of WebSocket messages at {@code /ws}. Takes the
 * options of the fat jar.
 */
public final class BenchTarget {
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CONTENT_64_KIB = filled(64 * 1024);
  private static final byte[] CONTENT_1_MIB = filled(1024 * 1024);

  private static final WebSocketOptions WEB_SOCKET =
      WebSocketOptions.DEFAULT.withMessageBytesMax(64 * 1024 * 1024).withCompression(true);
  private static final WebSocketListener ECHO =
      new WebSocketListener() {
        @Override
        public void onText(WebSocket socket, Bytes text) {
          socket.sendText(text);
        }

        @Override
        public void onBinary(WebSocket socket, Bytes content) {
          socket.sendBinary(content);
        }
      };

  private BenchTarget() {}

  static HttpServer start(String... args) {
    return ServerOptions.parse(args).builder().handler(BenchTarget::handle).start();
  }

  private static void handle(Request request, Response response) {
    if (request.pathIs("/plaintext")) {
      response.contentType(ContentType.TEXT_PLAIN).send(HELLO);
    } else if (request.pathIs("/64k")) {
      response.contentType(ContentType.APPLICATION_OCTET_STREAM).send(CONTENT_64_KIB);
    } else if (request.pathIs("/1m")) {
      response.contentType(ContentType.APPLICATION_OCTET_STREAM).send(CONTENT_1_MIB);
    } else if (request.pathIs("/echo")) {
      Echo.handle(request, response);
    } else if (request.pathIs("/ws")) {
      response.webSocket(WEB_SOCKET, ECHO);
    } else {
      response.status(404).send();
    }
  }

  private static byte[] filled(int bytes) {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 'x');
    return content;
  }

  public static void main(String[] args) {
    HttpServer server = start(args);
    System.out.println("Bench target on " + server.addresses());
  }
}
