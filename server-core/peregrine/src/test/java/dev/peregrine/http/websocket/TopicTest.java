package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.ServerLog;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics above sockets in memory, whose loops run when a test lets them. */
final class TopicTest {
  private final FakeLoop loop = new FakeLoop();
  private final Topic topic = new Topic(SlowReceiver.SKIP);

  @Test
  void sendsMessagesToTheSubscribersOfAllLoops() {
    FakeLoop other = new FakeLoop();
    FakeSocket first = subscribed();
    FakeSocket second = new FakeSocket(other);
    topic.subscribe(second);

    assertThat(topic.publish("one")).isTrue();
    assertThat(topic.publish("two")).isTrue();
    loop.runAll();
    other.runAll();

    assertThat(first.sent).containsExactly("one", "two");
    assertThat(second.sent).containsExactly("one", "two");
    assertThat(topic.size()).isEqualTo(2);
    assertThat(topic.deliveredCount()).isEqualTo(4);
    assertThat(topic.skippedCount()).isZero();
  }

  @Test
  void keepsTheOrderOfSubscriptionsAndMessages() {
    FakeSocket socket = new FakeSocket(loop);
    FakeSocket another = subscribed();

    topic.publish("before");
    topic.subscribe(socket);
    topic.publish("during");
    topic.unsubscribe(socket);
    topic.publish("after");
    loop.runAll();

    assertThat(socket.sent).containsExactly("during");
    assertThat(another.sent).containsExactly("before", "during", "after");
    assertThat(topic.size()).isEqualTo(1);
    assertThat(socket.onCloseCallbacks()).isZero();
  }

  @Test
  void sendsWaitingMessagesInOneWalk() {
    List<FakeSocket> sockets = subscribed(3);
    int messages = TopicLoop.BATCH_MESSAGES;
    IntStream.range(0, messages).forEach(i -> topic.publish("m" + i));

    assertThat(loop.runAll()).isEqualTo(1);
    assertThat(sockets).allSatisfy(socket -> assertThat(socket.sent).hasSize(messages));
  }

  @Test
  void leavesTheLoopToOthersBetweenSlices() {
    int count = 2 * TopicLoop.SLICE + 1;
    List<FakeSocket> sockets = subscribed(count);
    topic.publish("one");

    loop.runOne();
    assertThat(sockets.stream().filter(socket -> !socket.sent.isEmpty())).hasSize(TopicLoop.SLICE);
    topic.publish("two");
    assertThat(loop.runAll()).isEqualTo(5);
    assertThat(sockets).allSatisfy(socket -> assertThat(socket.sent).containsExactly("one", "two"));
  }

  @Test
  void leavesTheLoopToOthersBetweenBatches() {
    FakeSocket socket = subscribed();
    String large = "x".repeat(TopicLoop.BATCH_BYTES);
    topic.publish(large);
    topic.publish(large);

    loop.runOne();
    assertThat(socket.sent).hasSize(1);
    loop.runAll();
    assertThat(socket.sent).hasSize(2);
  }

  @Test
  void visitsEachSocketOnceThoughOthersLeaveMeanwhile() {
    int count = 4 * TopicLoop.SLICE;
    List<FakeSocket> sockets = subscribed(count);
    List<FakeSocket> leaving = new ArrayList<>(sockets);
    Collections.shuffle(leaving, new Random(18));
    leaving = leaving.subList(0, count / 2);
    topic.publish("one");

    int slice = leaving.size() / 4;
    for (int i = 0; i < 4; i++) {
      loop.runOne();
      leaving.subList(i * slice, (i + 1) * slice).forEach(FakeSocket::end);
    }
    loop.runAll();

    assertThat(topic.size()).isEqualTo(count - leaving.size());
    for (FakeSocket socket : sockets) {
      assertThat(socket.sent.size()).isLessThanOrEqualTo(1);
      assertThat(leaving.contains(socket) || socket.sent.size() == 1).isTrue();
    }
    topic.publish("two");
    loop.runAll();
    assertThat(sockets.stream().filter(socket -> socket.sent.contains("two")))
        .hasSize(count - leaving.size())
        .doesNotContainAnyElementsOf(leaving);
  }

  @Test
  void skipsMessagesForAClientThatIsBehind() {
    FakeSocket slow = subscribed();
    FakeSocket fast = subscribed();
    slow.room(1);
    for (String text : List.of("one", "two", "three")) {
      topic.publish(text);
    }
    loop.runAll();
    slow.room(1);
    topic.publish("four");
    loop.runAll();

    assertThat(slow.sent).containsExactly("one", "four");
    assertThat(fast.sent).containsExactly("one", "two", "three", "four");
    assertThat(topic.skippedCount()).isEqualTo(2);
    assertThat(topic.deliveredCount()).isEqualTo(6);
    assertThat(slow.events).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"CLOSE", "ABORT"})
  void endsAClientThatIsBehind(SlowReceiver policy) {
    Topic strict = new Topic(policy);
    FakeSocket slow = new FakeSocket(loop);
    FakeSocket fast = new FakeSocket(loop);
    strict.subscribe(slow);
    strict.subscribe(fast);
    slow.room(1);
    strict.publish("one");
    strict.publish("two");
    loop.runAll();

    assertThat(slow.sent).containsExactly("one");
    assertThat(slow.events).containsExactly(policy == SlowReceiver.CLOSE ? "close 1013" : "abort");
    assertThat(fast.sent).containsExactly("one", "two");
    assertThat(strict.size()).isEqualTo(1);
    assertThat(strict.skippedCount()).isEqualTo(1);
  }

  @Test
  void forgetsASocketThatCloses() {
    FakeSocket socket = subscribed();
    loop.runAll();
    assertThat(topic.size()).isEqualTo(1);

    socket.end();

    assertThat(topic.size()).isZero();
  }

  @Test
  void forgetsASocketThatIsClosing() {
    FakeSocket socket = subscribed();
    loop.runAll();
    socket.beginClose();
    topic.publish("late");
    loop.runAll();

    assertThat(topic.size()).isZero();
    assertThat(socket.onCloseCallbacks()).isZero();
    assertThat(topic.deliveredCount()).isZero();
  }

  @Test
  void ignoresASubscriptionThatComesTwiceOrTooLate() {
    FakeSocket socket = subscribed();
    topic.subscribe(socket);
    FakeSocket closed = new FakeSocket(loop);
    topic.subscribe(closed);
    closed.end();
    topic.publish("one");
    topic.unsubscribe(new FakeSocket(loop));
    topic.unsubscribe(new FakeSocket(new FakeLoop()));
    loop.runAll();

    assertThat(socket.sent).containsExactly("one");
    assertThat(socket.onCloseCallbacks()).isEqualTo(1);
    assertThat(topic.size()).isEqualTo(1);
    topic.unsubscribe(socket);
    loop.runAll();
    assertThat(topic.size()).isZero();
  }

  @Test
  void servesALoopAgainWhoseLastSubscriberHasGone() {
    subscribed().end();
    loop.runAll();
    FakeSocket socket = subscribed();
    topic.publish("one");
    loop.runAll();

    assertThat(socket.sent).containsExactly("one");
  }

  @Test
  void cutsASocketThatThrowsAndServesTheOthers() {
    List<FakeSocket> sockets = subscribed(3);
    sockets.get(1).failWith(new IllegalStateException("for the test"));
    try (ServerLog log = new ServerLog()) {
      topic.publish("one");
      loop.runAll();
      assertThat(log.take(Level.SEVERE)).hasSize(1);
    }
    topic.publish("two");
    loop.runAll();

    assertThat(sockets.get(0).sent).containsExactly("one", "two");
    assertThat(sockets.get(1).events).containsExactly("abort");
    assertThat(sockets.get(2).sent).containsExactly("one", "two");
    assertThat(topic.size()).isEqualTo(2);
  }

  @Test
  void skipsMessagesForALoopThatIsBehind() {
    FakeSocket socket = subscribed();
    loop.runAll();
    int most = Topic.WAITING_MESSAGES_MAX;
    int signalled = most / 2;
    for (int i = 0; i < most; i++) {
      assertThat(topic.publish("m" + i)).as("message %d", i).isEqualTo(i < signalled);
    }
    assertThat(topic.droppedCount()).isZero();
    assertThat(topic.publish("one too many")).isFalse();
    assertThat(topic.droppedCount()).isEqualTo(1);
    loop.runAll();

    assertThat(socket.sent).hasSize(most).doesNotContain("one too many");
    assertThat(topic.publish("room again")).isTrue();
    loop.runAll();
    assertThat(socket.sent).endsWith("room again");
    assertThat(topic.droppedCount()).isEqualTo(1);
    assertThat(topic.skippedCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"CLOSE", "ABORT"})
  void endsTheSocketsOfALoopThatIsBehindAfterTheMessagesBefore(SlowReceiver policy) {
    Topic strict = new Topic(policy);
    FakeSocket other = new FakeSocket(new FakeLoop());
    strict.subscribe(other);
    List<FakeSocket> sockets = subscribed(strict, TopicLoop.SLICE + 1);
    for (int i = 0; i < Topic.WAITING_MESSAGES_MAX; i++) {
      strict.publish("m" + i);
      ((FakeLoop) other.eventLoop()).runAll();
    }
    strict.publish("missed");
    FakeSocket late = new FakeSocket(loop);
    strict.subscribe(late);
    loop.runAll();
    ((FakeLoop) other.eventLoop()).runAll();

    String event = policy == SlowReceiver.CLOSE ? "close 1013" : "abort";
    assertThat(sockets)
        .allSatisfy(
            socket -> {
              assertThat(socket.sent).hasSize(Topic.WAITING_MESSAGES_MAX).doesNotContain("missed");
              assertThat(socket.events).containsExactly(event);
            });
    assertThat(other.sent).endsWith("missed");
    assertThat(strict.droppedCount()).isEqualTo(sockets.size());
    assertThat(strict.skippedCount()).isZero();
    strict.publish("next");
    loop.runAll();
    assertThat(late.sent).containsExactly("next");
    assertThat(late.events).isEmpty();
    assertThat(strict.size()).isEqualTo(2);
  }

  @Test
  void endsSocketsThatJoinBetweenMessagesThatTheyMiss() {
    Topic strict = new Topic(SlowReceiver.CLOSE);
    FakeSocket first = subscribed(strict, 1).getFirst();
    IntStream.range(0, Topic.WAITING_MESSAGES_MAX).forEach(i -> strict.publish("m" + i));
    strict.publish("the first misses it");
    FakeSocket second = new FakeSocket(loop);
    strict.subscribe(second);
    strict.publish("both miss it");
    loop.runAll();

    assertThat(first.events).containsExactly("close 1013");
    assertThat(second.events).containsExactly("close 1013");
    assertThat(second.sent).isEmpty();
    assertThat(strict.size()).isZero();
  }

  @Test
  void noticesManyMessagesThatAreDroppedOnce() {
    Topic strict = new Topic(SlowReceiver.CLOSE);
    subscribed(strict, 1);
    IntStream.range(0, 2 * Topic.WAITING_MESSAGES_MAX).forEach(i -> strict.publish("m" + i));

    int batches = Topic.WAITING_MESSAGES_MAX / TopicLoop.BATCH_MESSAGES;
    assertThat(loop.runAll()).isEqualTo(batches + 1);
    assertThat(strict.droppedCount()).isEqualTo(Topic.WAITING_MESSAGES_MAX);
  }

  @Test
  void logsOnceThatMessagesAreDropped() {
    subscribed(3);
    try (ServerLog log = new ServerLog()) {
      IntStream.range(0, Topic.WAITING_MESSAGES_MAX).forEach(i -> topic.publish("m"));
      assertThat(log.take(Level.WARNING)).isEmpty();
      IntStream.range(0, 100).forEach(i -> topic.publish("m"));
      assertThat(log.take(Level.WARNING))
          .singleElement()
          .extracting(LogRecord::getMessage)
          .asString()
          .contains("3 subscribers", "1024 messages", "16777216 bytes", "Topic.publish");
    }
  }

  @Test
  void logsAtMostOneLineInTenSeconds() {
    DropLog log = new DropLog();
    long now = System.nanoTime();

    assertThat(log.beginLine(now)).isTrue();
    assertThat(log.beginLine(now + DropLog.INTERVAL_NANOS - 1)).isFalse();
    assertThat(log.beginLine(now + DropLog.INTERVAL_NANOS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void skipsMessagesForALoopThatHasTooManyBytesWaiting(int excess) {
    FakeSocket socket = subscribed();
    loop.runAll();
    byte[] content = new byte[(int) Topic.WAITING_BYTES_MAX + excess];
    topic.publish(WebSocketMessage.binary(content));
    topic.publish("next");
    loop.runAll();

    assertThat(socket.sent).hasSize(excess < 0 ? 2 : 1);
    assertThat(topic.droppedCount()).isEqualTo(excess < 0 ? 0 : 1);
  }

  @Test
  void keepsTheOrderOfEachThreadThatPublishes() throws InterruptedException {
    FakeSocket socket = subscribed();
    int each = 200;
    List<Thread> threads =
        IntStream.range(0, 4)
            .mapToObj(
                thread ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int i = 0; i < each; i++) {
                                topic.publish(thread + " " + i);
                              }
                            }))
            .toList();
    while (threads.stream().anyMatch(Thread::isAlive)) {
      loop.runAll();
    }
    loop.runAll();

    for (int thread = 0; thread < threads.size(); thread++) {
      String prefix = thread + " ";
      assertThat(socket.sent.stream().filter(text -> text.startsWith(prefix)))
          .containsExactlyElementsOf(IntStream.range(0, each).mapToObj(i -> prefix + i).toList());
    }
  }

  @Test
  void doesNotFailThePublisherWhenALoopHasStopped() {
    FakeSocket stopped =
        new FakeSocket(
            task -> {
              throw new RejectedExecutionException("stopped");
            });
    topic.subscribe(stopped);
    FakeSocket socket = subscribed();

    assertThat(topic.publish("one")).isTrue();
    loop.runAll();
    assertThat(socket.sent).containsExactly("one");
  }

  @Test
  void endsANamedTopicWithItsLastSubscriber() {
    Topics topics = new Topics(SlowReceiver.SKIP);
    FakeSocket first = new FakeSocket(loop);
    FakeSocket second = new FakeSocket(new FakeLoop());
    topics.subscribe("a", first);
    topics.subscribe("a", first);
    topics.subscribe("b", second);
    topics.publish("a", WebSocketMessage.text("to a"));
    assertThat(topics.publish("c", WebSocketMessage.text("to none"))).isTrue();
    loop.runAll();
    ((FakeLoop) second.eventLoop()).runAll();

    assertThat(first.sent).containsExactly("to a");
    assertThat(second.sent).isEmpty();
    assertThat(topics.names()).containsExactlyInAnyOrder("a", "b");
    first.end();
    assertThat(topics.names()).containsExactly("b");
    topics.unsubscribe("b", second);
    ((FakeLoop) second.eventLoop()).runAll();
    assertThat(topics.names()).isEmpty();
    assertThat(topics.find("b")).isNull();

    FakeSocket third = new FakeSocket(loop);
    topics.subscribe("a", third);
    topics.publish("a", WebSocketMessage.text("again"));
    loop.runAll();
    assertThat(third.sent).containsExactly("again");
  }

  @Test
  void keepsNoMessageThatIsDeliveredAndNoSocketThatHasClosed() {
    subscribed(1);
    awaitCollected(delivered());
    awaitCollected(closed());

    assertThat(topic.size()).isEqualTo(1);
  }

  private WeakReference<Object> delivered() {
    WebSocketMessage message = WebSocketMessage.text("one");
    topic.publish(message);
    loop.runAll();
    return new WeakReference<>(message);
  }

  private WeakReference<Object> closed() {
    FakeSocket socket = subscribed();
    loop.runAll();
    socket.end();
    return new WeakReference<>(socket);
  }

  private static void awaitCollected(WeakReference<Object> reference) {
    Await.until(
        "it is collected",
        () -> {
          System.gc();
          return reference.refersTo(null);
        });
  }

  private FakeSocket subscribed() {
    FakeSocket socket = new FakeSocket(loop);
    topic.subscribe(socket);
    return socket;
  }

  /** Returns subscribers whose subscriptions the loop has seen. */
  private List<FakeSocket> subscribed(int count) {
    return subscribed(topic, count);
  }

  private List<FakeSocket> subscribed(Topic to, int count) {
    List<FakeSocket> sockets =
        IntStream.range(0, count).mapToObj(i -> new FakeSocket(loop)).toList();
    sockets.forEach(to::subscribe);
    loop.runAll();
    return sockets;
  }
}
