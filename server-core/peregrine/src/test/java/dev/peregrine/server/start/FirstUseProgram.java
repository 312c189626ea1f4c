package dev.peregrine.server.start;

import dev.peregrine.Peregrine;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Calls the methods of requests and responses in handlers, after {@link FirstUse}. */
final class FirstUseProgram {
  static final String BEGIN = "handler begins";
  static final String END = "handler ends";

  private static Path file = Path.of("");

  private static final List<Handler> HANDLERS =
      List.of(
          (request, response) -> response.send(), // the others come after it
          (request, response) -> response.text("text"),
          (request, response) -> response.html("html"),
          (request, response) -> response.send(new byte[3000]),
          (request, response) -> response.send(ByteBuffer.allocate(1)),
          (request, response) -> response.send(FileChannel.open(file), 0, 1),
          (request, response) -> response.send(file),
          (request, response) -> response.redirect("/"),
          (request, response) ->
              response.stream().write(new byte[1]).trailer("X-A", "b").complete(),
          (request, response) -> {
            try (OutputStream out = response.outputStream()) {
              out.write(1);
            }
          },
          (request, response) -> {
            response.header("X-D", "" + request.queryParameter("a"));
            response.header("X-A", request.pathSegments() + request.scheme() + request.host());
            response.header("X-B", request.remoteAddress() + request.version().name());
            request.attribute(AttributeKey.of("a"), request.cookie("b"));
            response.addHeaders(PreparedFields.of("X-C", "c")).sendNotModified(null, 1);
          },
          (request, response) -> {
            response.beforeCommit(() -> {}).onAbort(cause -> {}).onComplete(outcome -> {});
            response.onClientClosed(() -> {}).onShutdown(() -> {});
            request.body().maxBytes(10).receiveAll(10, content -> response.send());
          },
          (request, response) ->
              response.async(Duration.ofSeconds(1)).onLoopAfter(Duration.ZERO, response::send),
          (request, response) -> {
            response.send();
            response.async(() -> CompletableFuture.completedFuture(null));
          },
          (request, response) -> response.fail(new IOException("intended")));

  private FirstUseProgram() {}

  public static void main(String... arguments) throws IOException {
    file = Files.write(Path.of(arguments[1]), new byte[1]);
    try (HttpServer server =
        Peregrine.builder()
            .loops(1)
            .port(0)
            .transport(TransportKind.valueOf(arguments[0]))
            .handler(FirstUseProgram::handle)
            .start()) {
      FirstUse.prepare();
      for (int i = 0; i < HANDLERS.size(); i++) {
        try (Socket socket = new Socket("localhost", server.port())) {
          String head = "GET /" + i + "?a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
          socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          System.out.write(socket.getInputStream().readAllBytes());
        }
      }
    }
  }

  private static void handle(Request request, Response response) throws Exception {
    int number = Integer.parseInt(request.path().substring(1));
    System.out.println(BEGIN);
    Objects.requireNonNull(InitialisedByTheLoop.ANY);
    try {
      HANDLERS.get(number).handle(request, response);
    } finally {
      System.out.println(END);
    }
  }

  /** A class whose initialisation names the thread of the handlers, in the log of the JVM. */
  static final class InitialisedByTheLoop {
    static final Object ANY = new Object();

    private InitialisedByTheLoop() {}
  }
}
