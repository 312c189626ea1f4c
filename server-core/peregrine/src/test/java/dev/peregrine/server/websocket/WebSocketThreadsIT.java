package dev.peregrine.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that threads and an event loop send to different sockets of the loop. */
final class WebSocketThreadsIT {
  private static final int THREADS = 2;
  private static final int SOCKETS = 16; // per thread
  private static final int ROUNDS = 200;
  private static final int ROUND_OF_LOOP = 50; // messages to each of its sockets
  private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  private int sentByLoop; // messages to each of its sockets; the loop's
  private final Queue<RecordingListener> listeners = new ConcurrentLinkedQueue<>();

  /** The two ends of a connection. */
  private record Pair(WebSocket socket, FrameClient client) {
    void send(String sender, int number) {
      socket.send(WebSocketMessage.text(sender + " " + number));
    }

    /** Expects these messages of one sender, and no others. */
    void expect(String sender, int count) {
      Frame frame = client.read();
      while (frame.opcode() == FrameClient.BINARY) {
        frame = client.read(); // of those that keep the client behind
      }
      for (int i = 0; i < count; i++) {
        if (!frame.text().equals(sender + " " + i)) {
          throw new AssertionError(frame.text() + " instead of " + i + " to " + sender);
        }
        frame = client.read();
      }
      assertThat(frame.opcode()).isEqualTo(FrameClient.CLOSE);
    }

    /** Sends until the client is behind, so that further messages aren't written at once. */
    void fill() {
      byte[] content = new byte[RECEIVE_BUFFER_BYTES];
      while (socket.isWritable()) {
        socket.sendBinary(content);
      }
    }
  }

  private List<Pair> open(HttpServer server, int count) throws InterruptedException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FrameClient client = FrameClient.open(servers.connect(server, RECEIVE_BUFFER_BYTES), "/");
      RecordingListener listener = listeners.remove();
      assertThat(listener.next()).isEqualTo("open");
      pairs.add(new Pair(listener.socket(), client));
    }
    return pairs;
  }

  /** Has the loop send to sockets, in a task of its own, which isn't a turn of any socket. */
  private void sendOnLoop(List<Pair> pairs, CountDownLatch begun, CountDownLatch sent) {
    begun.countDown();
    for (int i = 0; i < ROUND_OF_LOOP; i++) {
      for (Pair pair : pairs) {
        pair.send("loop", sentByLoop);
      }
      sentByLoop++;
    }
    sent.countDown();
  }

  /** Sends rounds to sockets, each while the loop sends to others. */
  private boolean sendRounds(List<Pair> pairs, List<Pair> ofLoop) throws InterruptedException {
    Executor loop = ofLoop.getFirst().socket.eventLoop();
    for (int round = 0; round < ROUNDS; round++) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch sent = new CountDownLatch(1);
      loop.execute(() -> sendOnLoop(ofLoop, begun, sent));
      while (begun.getCount() > 0) {
        Thread.onSpinWait(); // a thread that wakes up would come too late
      }
      for (int i = 0; i < pairs.size(); i++) {
        pairs.get(i).send("socket" + i, round);
      }
      sent.await();
    }
    return true;
  }

  @Test
  void sendsEachMessageToItsSocket() throws Exception {
    ServerLimits limits =
        Servers.LIMITS.toBuilder().responseRateGrace(Duration.ofMinutes(5)).build();
    HttpServer server =
        servers.start(
            (request, response) -> {
              RecordingListener listener = new RecordingListener();
              listeners.add(listener);
              response.webSocket(listener);
            },
            options -> options.loops(1).limits(limits));
    List<Pair> ofLoop = open(server, 2);
    ofLoop.forEach(Pair::fill);
    List<List<Pair>> ofThreads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      ofThreads.add(open(server, SOCKETS));
    }

    List<Callable<Boolean>> work = new ArrayList<>();
    ofThreads.forEach(pairs -> work.add(() -> sendRounds(pairs, ofLoop)));
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Boolean> each : threads.invokeAll(work)) {
        assertThat(each.get()).isTrue();
      }
    }

    ofThreads.forEach(pairs -> pairs.forEach(pair -> pair.socket.close()));
    ofLoop.forEach(pair -> pair.socket.close());
    for (List<Pair> pairs : ofThreads) {
      for (int i = 0; i < pairs.size(); i++) {
        pairs.get(i).expect("socket" + i, ROUNDS);
      }
    }
    ofLoop.forEach(pair -> pair.expect("loop", THREADS * ROUNDS * ROUND_OF_LOOP));
  }
}
