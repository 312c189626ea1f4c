package dev.peregrine.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.CloseStatus;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketMessage;
import org.springframework.web.reactive.socket.WebSocketSession;
import org.springframework.web.reactive.socket.server.support.HandshakeWebSocketService;
import org.springframework.web.reactive.socket.server.support.WebSocketHandlerAdapter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** WebSockets of WebFlux over real sockets. */
@Timeout(60)
class SpringWebSocketIT {
  private final BlockingQueue<Object> closes = new LinkedBlockingQueue<>();
  private final CountDownLatch cancelled = new CountDownLatch(1);

  /** Echoes what it receives, and notes how the client closes. */
  private final class Echo implements WebSocketHandler {
    @Override
    public List<String> getSubProtocols() {
      return List.of("echo.v1");
    }

    @Override
    public Mono<Void> handle(WebSocketSession session) {
      session.closeStatus().subscribe(closes::add);
      return session.send(session.receive().doOnNext(WebSocketMessage::retain));
    }
  }

  private HttpHandler handler() {
    StaticApplicationContext context = new StaticApplicationContext();
    context.registerBean(
        SimpleUrlHandlerMapping.class,
        () ->
            new SimpleUrlHandlerMapping(
                Map.of(
                    "/echo",
                    new Echo(),
                    "/bye",
                    (WebSocketHandler) session -> session.close(new CloseStatus(4001, "bye")),
                    "/many",
                    (WebSocketHandler)
                        session ->
                            session.send(Flux.range(0, 1000).map(i -> session.textMessage("" + i))),
                    "/silent",
                    (WebSocketHandler)
                        session -> {
                          session.closeStatus().subscribe(closes::add);
                          return session.send(Flux.never());
                        },
                    "/first",
                    (WebSocketHandler)
                        session -> {
                          session.closeStatus().subscribe(closes::add);
                          return session.send(
                              session
                                  .receive()
                                  .take(1)
                                  .map(first -> session.textMessage("first"))
                                  .concatWith(Flux.never()));
                        },
                    "/endless",
                    (WebSocketHandler)
                        session -> {
                          session.closeStatus().subscribe(closes::add);
                          return session.send(
                              Flux.<WebSocketMessage>generate(
                                      next -> next.next(session.textMessage("x".repeat(10_000))))
                                  .doOnCancel(cancelled::countDown));
                        }),
                -1));
    context.registerBean(
        WebSocketHandlerAdapter.class,
        () ->
            new WebSocketHandlerAdapter(
                new HandshakeWebSocketService(new PeregrineRequestUpgradeStrategy())));
    context.registerBean("webHandler", DispatcherHandler.class, () -> new DispatcherHandler());
    context.refresh();
    return WebHttpHandlerBuilder.applicationContext(context).build();
  }

  /** Collects what a client receives. */
  private static final class Received implements WebSocket.Listener {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        events.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      text.append("b").append(data.remaining());
      if (last) {
        events.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      events.add(code + " " + reason);
      return null;
    }

    String next() throws InterruptedException {
      String event = events.poll(120, TimeUnit.SECONDS);
      assertThat(event).isNotNull();
      return event;
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void exchangesMessagesOverHttp1(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        HttpClient client = wire.client()) {
      String base = wire.scheme().replace("http", "ws") + "://localhost:" + server.port();
      Received echoed = new Received();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .subprotocols("echo.v1")
              .buildAsync(URI.create(base + "/echo"), echoed)
              .get(120, TimeUnit.SECONDS);
      assertThat(socket.getSubprotocol()).isEqualTo("echo.v1");
      socket.sendText("grüße", true).get(120, TimeUnit.SECONDS);
      assertThat(echoed.next()).isEqualTo("grüße");
      String large = "x".repeat(100_000);
      socket.sendText(large, true).get(120, TimeUnit.SECONDS);
      assertThat(echoed.next()).isEqualTo(large);
      socket.sendBinary(ByteBuffer.allocate(5), true).get(120, TimeUnit.SECONDS);
      assertThat(echoed.next()).isEqualTo("b5");
      socket.sendClose(4000, "done").get(120, TimeUnit.SECONDS);
      assertThat(closes.poll(120, TimeUnit.SECONDS)).isEqualTo(new CloseStatus(4000, "done"));

      Received bye = new Received();
      client
          .newWebSocketBuilder()
          .buildAsync(URI.create(base + "/bye"), bye)
          .get(120, TimeUnit.SECONDS);
      assertThat(bye.next()).isEqualTo("4001 bye");

      Received many = new Received();
      client
          .newWebSocketBuilder()
          .buildAsync(URI.create(base + "/many"), many)
          .get(120, TimeUnit.SECONDS);
      for (int index = 0; index < 1000; index++) {
        assertThat(many.next()).isEqualTo(Integer.toString(index));
      }
      assertThat(many.next()).isEqualTo("1000 ");
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void exchangesMessagesOverHttp2(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        Http2Socket socket =
            new Http2Socket(wire.connectHttp2(server), wire.scheme(), "/echo?q=1")) {
      socket.sendText("grüße");
      assertThat(socket.nextText()).isEqualTo("grüße");
      socket.sendText("again");
      assertThat(socket.nextText()).isEqualTo("again");
      socket.sendClose(4000);
      assertThat(closes.poll(120, TimeUnit.SECONDS)).isEqualTo(new CloseStatus(4000, ""));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void tellsHandlersThatReadNothingOfTheClose(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        HttpClient client = wire.client()) {
      URI base = URI.create(wire.scheme().replace("http", "ws") + "://localhost:" + server.port());
      connect(client, base.resolve("/silent"), new Received())
          .sendClose(4000, "done")
          .get(120, TimeUnit.SECONDS);
      assertThat(closes.poll(120, TimeUnit.SECONDS)).isEqualTo(new CloseStatus(4000, "done"));

      connect(client, base.resolve("/silent"), new Received()).abort();
      assertThat(closes.poll(120, TimeUnit.SECONDS))
          .extracting(status -> ((CloseStatus) status).getCode())
          .isEqualTo(CloseStatus.NO_CLOSE_FRAME.getCode());
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void tellsHandlersThatHaveStoppedToReadOfTheClose(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        HttpClient client = wire.client()) {
      URI base = URI.create(wire.scheme().replace("http", "ws") + "://localhost:" + server.port());
      Received received = new Received();
      WebSocket socket = connect(client, base.resolve("/first"), received);
      socket.sendText("a", true).get(120, TimeUnit.SECONDS);
      assertThat(received.next()).isEqualTo("first");
      socket.sendText("b", true).get(120, TimeUnit.SECONDS);
      socket.sendText("c", true).get(120, TimeUnit.SECONDS);
      socket.sendClose(4000, "done").get(120, TimeUnit.SECONDS);
      assertThat(closes.poll(120, TimeUnit.SECONDS)).isEqualTo(new CloseStatus(4000, "done"));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void tellsHandlersThatReadNothingOfTheCloseOverHttp2(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        Http2Socket socket = new Http2Socket(wire.connectHttp2(server), wire.scheme(), "/silent")) {
      socket.sendClose(4000);
      assertThat(closes.poll(120, TimeUnit.SECONDS)).isEqualTo(new CloseStatus(4000, ""));
    }
  }

  private static WebSocket connect(HttpClient client, URI uri, Received received) throws Exception {
    return client.newWebSocketBuilder().buildAsync(uri, received).get(120, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void endsMessagesWhoseClientVanishes(Wire wire) throws Exception {
    try (HttpServer server = wire.start(new PeregrineHttpHandlerAdapter(handler()));
        HttpClient client = wire.client()) {
      URI uri = URI.create(wire.scheme().replace("http", "ws") + "://localhost:" + server.port());
      client
          .newWebSocketBuilder()
          .buildAsync(uri.resolve("/endless"), new WebSocket.Listener() {})
          .get(120, TimeUnit.SECONDS)
          .abort();
      assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
      assertThat(closes.poll(120, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              CloseStatus.class,
              status ->
                  assertThat(status.getCode()).isEqualTo(CloseStatus.NO_CLOSE_FRAME.getCode()));
    }
  }
}
