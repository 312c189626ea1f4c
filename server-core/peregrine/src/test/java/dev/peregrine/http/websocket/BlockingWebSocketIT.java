package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The blocking form over real connections. */
final class BlockingWebSocketIT {
  private static final int MESSAGES = SystemBuffers.MORE_BYTES / (64 * 1024);
  private static final String LONG_TEXT = " " + "x".repeat(64 * 1024);

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  @Test
  void echoesOnAVirtualThreadUntilTheClientCloses() throws Exception {
    HttpServer server =
        start(
            socket -> {
              for (WebSocketMessage message : socket) {
                socket.send(message);
              }
              events.add(Thread.currentThread().isVirtual() + " " + socket.closeCode());
            });
    WireSocket client = WireSocket.open(servers, server);

    assertThat(client.text("one").read()).isEqualTo("one");
    client.text("two").text("three");
    assertThat(client.read()).isEqualTo("two");
    assertThat(client.read()).isEqualTo("three");
    client.close(1001);
    assertThat(client.read()).startsWith("close 1001");
    client.client().expectClosed();
    assertThat(events.take()).isEqualTo("true 1001");
  }

  @Test
  void receivesMessagesThatWereSentBeforeTheClose() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    HttpServer server =
        start(
            socket -> {
              closed.await();
              for (WebSocketMessage message : socket) {
                events.add(message.text());
              }
              events.add("end");
            });
    WireSocket client = WireSocket.open(servers, server).text("one").text("two").close(1000);
    assertThat(client.read()).startsWith("close 1000");
    closed.countDown();

    assertThat(events.take()).isEqualTo("one");
    assertThat(events.take()).isEqualTo("two");
    assertThat(events.take()).isEqualTo("end");
  }

  @Test
  void closesNormallyWhenTheHandlerReturns() {
    WireSocket client = WireSocket.open(servers, start(socket -> socket.send("bye")));

    assertThat(client.read()).isEqualTo("bye");
    client.expectClose(1000);
  }

  @Test
  void closesWithAnErrorWhenTheHandlerThrows() {
    HttpServer server =
        start(
            socket -> {
              throw new IllegalStateException("for the test");
            });

    WireSocket.open(servers, server).expectClose(1011);
    servers.log().expectOne(Level.SEVERE, "for the test");
  }

  @Test
  void closesWithTheCodeOfTheHandler() throws Exception {
    HttpServer server =
        start(
            socket -> {
              socket.close(4000, "enough");
              events.add(socket.receive() == null ? "end" : "message");
            });
    WireSocket client = WireSocket.open(servers, server);

    assertThat(client.read()).isEqualTo("close 4000 enough");
    client.close(4000).client().expectClosed();
    assertThat(events.take()).isEqualTo("end");
  }

  @Test
  void makesTheClientWaitForAHandlerThatDoesNotReceive() throws Exception {
    CountDownLatch begins = new CountDownLatch(1);
    HttpServer server =
        start(
            socket -> {
              begins.await();
              for (WebSocketMessage message : socket) {
                events.add(message.text());
              }
            });
    WireSocket client = WireSocket.open(servers, server);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i < MESSAGES; i++) {
      frames.write(WireSocket.frame(i + LONG_TEXT));
    }
    CompletableFuture<Void> sent = client.client().sendMeanwhile(frames.toByteArray());
    begins.countDown();

    for (int i = 0; i < MESSAGES; i++) {
      assertThat(events.take()).isEqualTo(i + LONG_TEXT);
    }
    sent.get();
  }

  @Test
  void waitsForAClientThatDoesNotRead() throws Exception {
    AtomicReference<Thread> handler = new AtomicReference<>();
    AtomicInteger sent = new AtomicInteger();
    HttpServer server =
        start(
            socket -> {
              handler.set(Thread.currentThread());
              for (int i = 0; i < MESSAGES; i++) {
                socket.send(i + LONG_TEXT);
                sent.incrementAndGet();
              }
            });
    WireSocket client = WireSocket.open(servers.connect(server, 64 * 1024), "/");
    Await.until("the handler waits", () -> sent.get() > 0 && isWaiting(handler.get()));
    assertThat(sent.get()).isLessThan(MESSAGES);

    for (int i = 0; i < MESSAGES; i++) {
      assertThat(client.read()).isEqualTo(i + LONG_TEXT);
    }
    client.expectClose(1000);
  }

  @Test
  void failsToSendWhenTheClientHasGone() throws Exception {
    HttpServer server =
        start(
            socket -> {
              try {
                while (true) {
                  socket.send(LONG_TEXT);
                }
              } catch (IOException gone) {
                events.add("gone");
                throw gone;
              }
            });
    WireSocket client = WireSocket.open(servers, server);
    client.read();
    client.client().reset();

    assertThat(events.take()).isEqualTo("gone");
  }

  @Test
  void endsReceivingWhenTheClientHasGone() throws Exception {
    HttpServer server =
        start(socket -> events.add((socket.receive() == null) + " " + socket.closeCode()));
    WireSocket.open(servers, server).client().reset();

    assertThat(events.take()).isEqualTo("true 1006");
  }

  @Test
  void closesAsGoingAwayAtTheShutdown() throws Exception {
    HttpServer server =
        start(
            socket -> {
              socket.send("ready");
              boolean ended = socket.receive() == null;
              socket.send(ended + " at the shutdown");
            });
    WireSocket client = WireSocket.open(servers, server);
    assertThat(client.read()).isEqualTo("ready");
    CompletableFuture<Boolean> drained =
        CompletableFuture.supplyAsync(() -> server.shutdown(Duration.ofSeconds(30)).isComplete());

    assertThat(client.read()).isEqualTo("true at the shutdown");
    client.expectClose(1001);
    assertThat(drained.get()).isTrue();
  }

  @Test
  void keepsTheHandlersOfDifferentRequestsApart() {
    HttpServer server =
        servers.start(
            WebSockets.blockingPerRequest(
                request -> {
                  String path = request.path();
                  return socket -> socket.send(path);
                }));

    assertThat(WireSocket.open(servers.connect(server), "/a").read()).isEqualTo("/a");
    assertThat(WireSocket.open(servers.connect(server), "/b").read()).isEqualTo("/b");
  }

  @Test
  void takesPartInATopic() throws Exception {
    Topic topic = new Topic(SlowReceiver.SKIP);
    HttpServer server =
        start(
            socket -> {
              topic.subscribe(socket.webSocket());
              for (WebSocketMessage message : socket) {
                topic.publish(message);
              }
            });
    WireSocket one = WireSocket.open(servers, server);
    WireSocket other = WireSocket.open(servers, server);
    Await.until("both have subscribed", () -> topic.size() == 2);
    one.text("hello");

    assertThat(one.read()).isEqualTo("hello");
    assertThat(other.read()).isEqualTo("hello");
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  private HttpServer start(BlockingWebSocketHandler handler) {
    return servers.start(WebSockets.blocking(handler));
  }
}
