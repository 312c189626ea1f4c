package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.http.route.Routes;
import dev.peregrine.http.websocket.SlowReceiver;
import dev.peregrine.http.websocket.Topics;
import dev.peregrine.http.websocket.WebSockets;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebSockets as docs/guide/websocket.md shows them. See {@link GuideTextTest}. */
class GuideWebSocketTest extends GuideCase {
  // snippet: socket-echo
  static final class EchoListener implements WebSocketListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      socket.sendText(text);
    }
  }

  // end

  // snippet: socket-upload
  static final class SocketUpload implements WebSocketPartListener {
    private static final long BYTES_MAX = 10_000_000_000L;
    private final ExecutorService disk = // runs one task after another
        Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    private final Path target;
    private long bytes;
    private boolean complete; // used by the disk's tasks only

    SocketUpload(Path target) {
      this.target = target;
    }

    @Override
    public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
      bytes += part.length();
      if (bytes > BYTES_MAX) {
        socket.close(1009, "the file is too long");
        return;
      }
      byte[] copy = part.toArray(); // the part is valid during this call only
      socket.pause(); // no further part until this one is written
      disk.execute(() -> write(socket, copy, last));
    }

    private void write(WebSocket socket, byte[] part, boolean last) {
      try {
        Files.write(target, part, CREATE, APPEND);
        complete = last;
        if (last) {
          socket.close();
        } else {
          socket.resume();
        }
      } catch (IOException failure) {
        socket.close(1011, "the file can't be written");
      }
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
      disk.execute(this::deleteIfIncomplete); // after the last write
      disk.shutdown();
    }

    private void deleteIfIncomplete() {
      try {
        if (!complete) {
          Files.deleteIfExists(target);
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  // end

  // snippet: socket-stream
  static void sendRows(WebSocket socket, Iterator<String> rows) {
    writeRows(socket, socket.streamText(), rows);
  }

  private static void writeRows(WebSocket socket, WebSocketStream out, Iterator<String> rows) {
    while (rows.hasNext()) {
      if (!out.write(rows.next().getBytes(UTF_8))) { // queued, but the client is behind
        socket.onWritable(() -> writeRows(socket, out, rows));
        return;
      }
    }
    out.end();
  }

  // end

  // snippet: socket-room
  record Member(Topics rooms, String room) implements WebSocketListener {
    @Override
    public void onOpen(WebSocket socket) {
      rooms.subscribe(room, socket); // until the socket closes
    }

    @Override
    public void onText(WebSocket socket, Bytes text) {
      rooms.publish(room, WebSocketMessage.text(text));
    }
  }

  // end

  /** An endpoint of another kind of service: what to say to a guess. */
  private static String judge(int guess) {
    return guess < 42 ? "more" : guess > 42 ? "less" : "right";
  }

  @Test
  void echoes() throws Exception {
    // snippet: socket-routes
    Handler routes = Routes.builder().get("/echo", WebSockets.of(new EchoListener())).build();
    // end
    try (SocketClient client = SocketClient.open(serve(routes).port(), "/echo")) {
      assertThat(client.send("hello").receive()).isEqualTo("hello");
    }
  }

  @Test
  void chatsInRooms() throws Exception {
    // snippet: socket-chat
    Topics rooms = new Topics(SlowReceiver.SKIP);
    Handler chat =
        WebSockets.of(request -> new Member(rooms, request.pathParameter("room"))).sameOrigin();
    // end
    int port = serve(Routes.builder().get("/rooms/{room}", chat).build()).port();
    try (SocketClient one = SocketClient.open(port, "/rooms/a");
        SocketClient other = SocketClient.open(port, "/rooms/a");
        SocketClient third = SocketClient.open(port, "/rooms/b")) {
      assertThat(third.send("only here").receive()).isEqualTo("only here");
      // The sockets join when their loops have opened them.
      assertThat(one.send("first").receive()).isEqualTo("first");
      assertThat(other.send("hello").receive()).isIn("first", "hello");
      assertThat(one.receive()).isEqualTo("hello");
    }
  }

  @Test
  void servesASocketOnAThread() throws Exception {
    // snippet: socket-blocking
    Handler game =
        WebSockets.blocking(
            socket -> {
              socket.send("guess a number");
              for (WebSocketMessage message : socket) { // ends when the client closes
                String answer = judge(Integer.parseInt(message.text()));
                socket.send(answer);
                if (answer.equals("right")) {
                  return; // closes the socket
                }
              }
            });
    // end
    try (SocketClient client = SocketClient.open(serve(game).port(), "/")) {
      assertThat(client.receive()).isEqualTo("guess a number");
      assertThat(client.send("50").receive()).isEqualTo("less");
      assertThat(client.send("42").receive()).isEqualTo("right");
      assertThat(client.receive()).isEqualTo("close 1000 ");
    }
  }

  @Test
  void interruptsAThreadThatWaitsElsewhere() throws Exception {
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    CountDownLatch waits = new CountDownLatch(2); // again, after the first message
    CountDownLatch interrupted = new CountDownLatch(1);
    Source prices =
        () -> {
          waits.countDown();
          try {
            return queue.take();
          } catch (InterruptedException gone) {
            interrupted.countDown();
            throw gone;
          }
        };
    // snippet: socket-interrupt
    Handler ticker =
        WebSockets.blocking(
            socket -> {
              socket.webSocket().onClose(Thread.currentThread()::interrupt);
              while (socket.isOpen()) {
                socket.send(prices.take()); // throws when the client has gone
              }
            });
    // end
    queue.add("1");
    try (SocketClient client = SocketClient.open(serve(ticker).port(), "/")) {
      assertThat(client.receive()).isEqualTo("1");
      waits.await();
    }
    assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
  }

  /** A source of messages that waits for the next one. */
  private interface Source {
    String take() throws InterruptedException;
  }

  @Test
  void receivesAFileInParts(@TempDir Path directory) throws Exception {
    Path target = directory.resolve("upload");
    int port = serve(WebSockets.of(request -> new SocketUpload(target))).port();
    byte[] content = "0123456789".repeat(100_000).getBytes(UTF_8);
    try (SocketClient client = SocketClient.open(port, "/")) {
      client.send(content, false).send(content, true);
      assertThat(client.receive()).isEqualTo("close 1000 ");
    }
    assertThat(Files.size(target)).isEqualTo(2_000_000);
  }

  @Test
  void sendsAMessageInParts() throws Exception {
    List<String> rows = IntStream.range(0, 1_000).mapToObj(i -> i + "\n").toList();
    WebSocketListener listener =
        new WebSocketListener() {
          @Override
          public void onOpen(WebSocket socket) {
            sendRows(socket, rows.iterator());
          }
        };
    try (SocketClient client = SocketClient.open(serve(WebSockets.of(listener)).port(), "/")) {
      assertThat(client.receive()).isEqualTo(String.join("", rows));
    }
  }

  @Test
  void checksTheRequestOnAThread() throws Exception {
    Sessions sessions = cookie -> "1".equals(cookie) ? "ada" : null;
    // snippet: socket-blocking-check
    Handler account =
        Handlers.blocking(
            WebSockets.of(
                request -> {
                  String user = sessions.find(request.cookie("session")); // may block
                  if (user == null) {
                    throw new HttpException(401, "log in first");
                  }
                  return new Greeter(user); // its methods run on the event loop
                }));
    // end
    int port = serve(account).port();
    try (SocketClient client = SocketClient.open(port, "/", "Cookie", "session=1")) {
      assertThat(client.receive()).isEqualTo("hello, ada");
    }
    assertThatThrownBy(() -> SocketClient.open(port, "/"))
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
  }

  /** A store of sessions. */
  private interface Sessions {
    @Nullable String find(@Nullable String cookie);
  }

  private record Greeter(String user) implements WebSocketListener {
    @Override
    public void onOpen(WebSocket socket) {
      socket.sendText("hello, " + user);
    }
  }

  @Test
  void agreesOnASubprotocolAndChecksTheRequest() throws Exception {
    // snippet: socket-options
    Handler prices =
        WebSockets.of(
                request -> {
                  if (request.cookie("session") == null) {
                    throw new HttpException(401, "log in first");
                  }
                  return new EchoListener();
                })
            .origins("https://example.com", "https://www.example.com")
            .subprotocols("prices.v2", "prices.v1")
            .messageBytesMax(16_384)
            .pingInterval(Duration.ofSeconds(20))
            .idleTime(Duration.ofMinutes(1));
    // end
    int port = serve(prices).port();
    try (SocketClient client =
        SocketClient.open(
            port, "/", "Sec-WebSocket-Protocol", "prices.v1", "Cookie", "session=1")) {
      assertThat(client.subprotocol()).isEqualTo("prices.v1");
    }
  }

  @Test
  void limitsAllSockets() {
    // snippet: socket-limits
    ServerLimits limits =
        ServerLimits.builder()
            .webSocket(WebSocketLimits.DEFAULT.withMessageBytesMax(65_536))
            .build();
    // end
    try (HttpServer server =
        Peregrine.builder()
            .port(0)
            .limits(limits)
            .handler(WebSockets.of(new EchoListener()))
            .start()) {
      assertThat(server.port()).isPositive();
    }
  }
}
