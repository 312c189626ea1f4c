package dev.peregrine.bench.compare.server;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.xnio.Options;

/**
 * Undertow with its handlers on the one I/O thread, which never block, set up as in its TechEmpower
 * entry: no Connection field in each response; 16 KiB buffers, which are direct.
 */
final class UndertowServer implements ComparedServer {
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final ByteBuffer HELLO_BYTES =
      ByteBuffer.allocateDirect(HELLO.length())
          .put(HELLO.getBytes(StandardCharsets.US_ASCII))
          .flip();

  private @Nullable Undertow server;

  @Override
  public int start(int port) {
    Undertow started =
        Undertow.builder()
            .addHttpListener(port, HOST)
            .setIoThreads(1)
            .setWorkerThreads(1)
            .setBufferSize(BUFFER_BYTES)
            .setSocketOption(Options.BACKLOG, BACKLOG)
            .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
            .setServerOption(UndertowOptions.ALWAYS_SET_DATE, true)
            .setHandler(UndertowServer::handle)
            .build();
    started.start();
    server = started;
    return ((InetSocketAddress) started.getListenerInfo().getFirst().getAddress()).getPort();
  }

  private static void handle(HttpServerExchange exchange) {
    if (exchange.getRequestPath().equals("/plaintext")) {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
      exchange.getResponseSender().send(HELLO_BYTES.duplicate());
    } else if (exchange.getRequestPath().equals("/json")) {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
      exchange.getResponseSender().send(ByteBuffer.wrap(Message.json(HELLO)));
    } else {
      exchange
          .getRequestReceiver()
          .receiveFullBytes(
              (same, content) -> {
                same.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/octet-stream");
                same.getResponseSender().send(ByteBuffer.wrap(content));
              });
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop();
    }
  }
}
