package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Servers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topic allocates nothing per socket and message, over sockets. */
final class TopicAllocationIT {
  private static final int SOCKETS = 100;
  private static final int MESSAGES = 64;

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void sendingAMessageToASocketAllocatesNothing() {
    Topic topic = new Topic(SlowReceiver.CLOSE);
    AtomicReference<Thread> loop = new AtomicReference<>();
    WebSocketListener listener =
        new WebSocketListener() {
          @Override
          public void onOpen(WebSocket socket) {
            loop.set(Thread.currentThread());
            topic.subscribe(socket);
          }
        };
    HttpServer server = servers.start(WebSockets.of(listener), options -> options.loops(1));
    List<WireSocket> sockets =
        IntStream.range(0, SOCKETS).mapToObj(i -> WireSocket.open(servers, server)).toList();
    Await.until("all have subscribed", () -> topic.size() == SOCKETS);
    WebSocketMessage message = WebSocketMessage.text("a message of some length");

    // Only compiled code allocates nothing, and the time until it is compiled depends on the
    // machine.
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    Await.until(
        () -> SOCKETS * MESSAGES + " messages allocate " + least.get() + " bytes",
        () -> {
          least.set(Math.min(least.get(), publish(topic, message, loop.get())));
          sockets.forEach(TopicAllocationIT::readAll);
          return least.get() < SOCKETS * MESSAGES / 4;
        });
  }

  /** Returns the bytes that the loop allocates for many messages to all. */
  private static long publish(Topic topic, WebSocketMessage message, Thread loop) {
    long before = Allocated.by(loop);
    long delivered = topic.deliveredCount() + (long) SOCKETS * MESSAGES;
    for (int i = 0; i < MESSAGES; i++) {
      topic.publish(message);
    }
    Await.until("all are delivered", () -> topic.deliveredCount() == delivered);
    return Allocated.by(loop) - before;
  }

  private static void readAll(WireSocket socket) {
    for (int i = 0; i < MESSAGES; i++) {
      socket.read();
    }
  }
}
