package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Topics above real sockets, on several event loops. */
final class TopicIT {
  private static final int SOCKETS = Servers.TLS || Servers.HTTP_2 ? 100 : 1_000;
  private static final int MESSAGES = 100;
  private static final int SLOW_BUFFER_BYTES = 4 * 1024;
  private static final String FILLING = " " + "x".repeat(16 * 1024);

  @RegisterExtension final Servers servers = new Servers();

  /** Subscribes each socket when it opens, or when the client says so. */
  private record Member(Topic topic, boolean atOnce) implements WebSocketListener {
    @Override
    public void onOpen(WebSocket socket) {
      if (atOnce) {
        topic.subscribe(socket);
      }
    }

    @Override
    public void onText(WebSocket socket, Bytes text) {
      if (text.length() == "join".length()) {
        topic.subscribe(socket);
      } else {
        topic.unsubscribe(socket);
      }
    }
  }

  @Test
  void sendsEachMessageToEachSocketInOrder() {
    Topic topic = new Topic(SlowReceiver.CLOSE);
    List<WireSocket> sockets = subscribe(topic, SOCKETS);
    List<String> messages = IntStream.range(0, MESSAGES).mapToObj(i -> "message " + i).toList();
    messages.forEach(topic::publish);

    for (WireSocket socket : sockets) {
      for (String message : messages) {
        assertThat(socket.read()).isEqualTo(message);
      }
    }
    Await.until("all are counted", () -> topic.deliveredCount() >= (long) SOCKETS * MESSAGES);
    assertThat(topic.deliveredCount()).isEqualTo((long) SOCKETS * MESSAGES);
    assertThat(topic.skippedCount()).isZero();
  }

  @Test
  void forgetsSocketsThatCloseThoughNothingIsPublished() {
    Topic topic = new Topic(SlowReceiver.SKIP);
    List<WireSocket> sockets = subscribe(topic, 4);

    sockets.get(0).close(1000);
    sockets.get(1).client().reset();
    sockets.get(2).client().close();

    Await.until("three have gone", () -> topic.size() == 1);
    topic.publish("one");
    assertThat(sockets.get(3).read()).isEqualTo("one");
    Await.until("it is counted", () -> topic.deliveredCount() == 1);
  }

  @Test
  void skipsMessagesForASlowSocket() {
    Topic topic = new Topic(SlowReceiver.SKIP);
    HttpServer server = servers.start(WebSockets.of(new Member(topic, true)));
    WireSocket slow = openSlow(server);
    WireSocket fast = WireSocket.open(servers, server);
    awaitSize(topic, 2);
    int published = publishUntilSkipped(topic, fast);

    int next = 0;
    long received = topic.deliveredCount() - published;
    for (int i = 0; i < received; i++) {
      int number = number(slow.read());
      assertThat(number).isGreaterThanOrEqualTo(next);
      next = number + 1;
    }
    assertThat(received + topic.skippedCount()).isEqualTo(published);
    topic.publish("last");
    assertThat(fast.read()).isEqualTo("last");
    assertThat(slow.read()).isEqualTo("last");
  }

  @ParameterizedTest
  @EnumSource(names = {"CLOSE", "ABORT"})
  void endsASlowSocket(SlowReceiver policy) {
    Topic topic = new Topic(policy);
    HttpServer server = servers.start(WebSockets.of(new Member(topic, true)));
    WireSocket slow = openSlow(server);
    WireSocket fast = WireSocket.open(servers, server);
    awaitSize(topic, 2);
    int published = publishUntilSkipped(topic, fast);

    assertThat(topic.size()).isEqualTo(1);
    if (policy == SlowReceiver.CLOSE) {
      for (int i = 0; i < topic.deliveredCount() - published; i++) {
        assertThat(number(slow.read())).isEqualTo(i);
      }
      slow.expectClose(1013);
    } else {
      slow.client().expectClosed();
    }
    topic.publish("last");
    assertThat(fast.read()).isEqualTo("last");
  }

  /** Publishes more messages than may wait, while the loop is occupied by just that. */
  private record Flood(Topic topic) implements WebSocketListener {
    @Override
    public void onOpen(WebSocket socket) {
      topic.subscribe(socket);
    }

    @Override
    public void onText(WebSocket socket, Bytes text) {
      for (int i = 0; i <= Topic.WAITING_MESSAGES_MAX; i++) {
        topic.publish(String.valueOf(i));
      }
    }
  }

  @Test
  void closesSocketsThatMissAMessageBecauseTheirLoopIsBehind() {
    Topic topic = new Topic(SlowReceiver.CLOSE);
    HttpServer server = servers.start(WebSockets.of(new Flood(topic)));
    WireSocket socket = WireSocket.open(servers, server);
    awaitSize(topic, 1);
    socket.text("flood");

    for (int i = 0; i < Topic.WAITING_MESSAGES_MAX; i++) {
      assertThat(number(socket.read())).isEqualTo(i);
    }
    socket.expectClose(1013);
    servers.log().expectOne(Level.WARNING, "a topic drops messages for 1 subscribers");
    assertThat(topic.droppedCount()).isEqualTo(1);
    assertThat(topic.skippedCount()).isZero();
  }

  /** Publishes messages until one is skipped; the fast socket gets each. */
  private static int publishUntilSkipped(Topic topic, WireSocket fast) {
    int published = 0;
    while (topic.skippedCount() == 0) {
      topic.publish(published + FILLING);
      assertThat(number(fast.read())).isEqualTo(published);
      published++;
      long all = 2L * published;
      Await.until(
          "both sockets are done", () -> topic.deliveredCount() + topic.skippedCount() == all);
    }
    return published;
  }

  @Test
  void changesMembersWhileMessagesArePublished() throws InterruptedException {
    Topic topic = new Topic(SlowReceiver.CLOSE);
    HttpServer server = servers.start(WebSockets.of(new Member(topic, false)));
    AtomicInteger published = new AtomicInteger();
    AtomicBoolean ends = new AtomicBoolean();
    Thread publisher = Thread.ofPlatform().start(() -> publishNumbers(topic, published, ends));
    try {
      List<WireSocket> sockets =
          IntStream.range(0, 8).mapToObj(i -> WireSocket.open(servers, server)).toList();
      for (int round = 0; round < 5; round++) {
        int first = published.get();
        sockets.forEach(socket -> socket.text("join"));
        sockets.forEach(socket -> expectNumbersInOrder(socket, first, 20));
        sockets.forEach(socket -> socket.text("leave"));
        awaitSize(topic, 0);
      }
    } finally {
      ends.set(true);
      publisher.join();
    }
    assertThat(topic.skippedCount()).isZero();
  }

  private static void publishNumbers(Topic topic, AtomicInteger published, AtomicBoolean ends) {
    while (!ends.get()) {
      boolean hasRoom = topic.publish(String.valueOf(published.getAndIncrement()));
      if (!hasRoom || published.get() % 4 == 0) {
        LockSupport.parkNanos(hasRoom ? 1_000_000 : 100_000_000); // leaves time to read
      }
    }
  }

  /** Reads numbers that follow each other, after those below the first, of an earlier round. */
  private static void expectNumbersInOrder(WireSocket socket, int first, int count) {
    int number = number(socket.read());
    while (number < first) {
      number = number(socket.read());
    }
    for (int i = 1; i < count; i++) {
      assertThat(number(socket.read())).isEqualTo(number + i);
    }
  }

  private static int number(String message) {
    int end = message.indexOf(' ');
    return Integer.parseInt(end < 0 ? message : message.substring(0, end));
  }

  private WireSocket openSlow(HttpServer server) {
    return WireSocket.open(servers.connect(server, SLOW_BUFFER_BYTES), "/");
  }

  private List<WireSocket> subscribe(Topic topic, int count) {
    HttpServer server = servers.start(WebSockets.of(new Member(topic, true)));
    List<WireSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(WireSocket.open(servers, server));
    }
    awaitSize(topic, count);
    return sockets;
  }

  private static void awaitSize(Topic topic, int size) {
    Await.until(
        () -> size + " sockets have subscribed: " + topic.size(), () -> topic.size() == size);
  }
}
