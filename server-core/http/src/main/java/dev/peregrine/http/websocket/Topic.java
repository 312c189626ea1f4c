package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to all sockets that have subscribed, however many. Callable from any thread.
 *
 * <pre>{@code
 * Topic news = new Topic(SlowReceiver.SKIP);
 * …
 * news.subscribe(socket); // in onOpen; no need to unsubscribe in onClose
 * news.publish(WebSocketMessage.text("Hello, all"));
 * }</pre>
 *
 * <p>A message is encoded once, and each event loop sends it to its own sockets, between the events
 * of the connections. Nothing is allocated per socket and message.
 *
 * <p>A socket gets the messages whose {@link #publish} is called after its {@link #subscribe} has
 * returned, and before {@link #unsubscribe} is called. The messages of one thread arrive in the
 * order of its calls. Two sockets may get the messages of two threads in different orders.
 *
 * <p>A client that reads slowly delays no other: the {@link SlowReceiver} decides what happens to a
 * message for a socket that isn't {@linkplain WebSocket#isWritable writable}.
 *
 * <p>A publisher can also be faster than an event loop. While 1,024 messages or 16 MiB of a topic
 * wait for a loop, further ones are dropped for the subscribers of that loop. The policy decides
 * about these subscribers as well: they miss the messages, or they are closed or aborted after the
 * messages before. A line of the log reports it, and {@link #droppedCount} counts it. It doesn't
 * happen to a publisher that pauses when {@link #publish} returns false.
 */
public final class Topic {
  static final int WAITING_MESSAGES_MAX = 1024;
  static final long WAITING_BYTES_MAX = 16L * 1024 * 1024;
  private static final int TRY_AGAIN_LATER = 1013;

  private final SlowReceiver slowReceiver;
  private final @Nullable Runnable onUnused;
  private final Users users = new Users(); // counted only if it can become unused
  private final ConcurrentMap<Executor, TopicLoop> loops = new ConcurrentHashMap<>();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final DropLog dropLog;

  /** Creates a topic without subscribers. */
  public Topic(SlowReceiver slowReceiver) {
    this(slowReceiver, null, new DropLog());
  }

  /**
   * Creates a topic.
   *
   * @param onUnused called once, when the last subscriber has gone; then the topic takes no other
   */
  Topic(SlowReceiver slowReceiver, @Nullable Runnable onUnused, DropLog dropLog) {
    this.slowReceiver = Objects.requireNonNull(slowReceiver, "slowReceiver");
    this.onUnused = onUnused;
    this.dropLog = dropLog;
  }

  /**
   * Sends the messages that are published from now on to a socket, until it closes. Does nothing if
   * it has subscribed already, or has closed.
   */
  public void subscribe(WebSocket socket) {
    boolean ignored = trySubscribe(socket);
  }

  /** Subscribes, unless the last subscriber of this topic has gone. */
  boolean trySubscribe(WebSocket socket) {
    if (onUnused != null && !users.retain()) {
      return false;
    }
    Executor executor = socket.eventLoop();
    TopicLoop loop = loops.get(executor);
    while (loop == null || !loop.retain()) {
      if (loop != null) {
        loops.remove(executor, loop);
      }
      loop = loops.computeIfAbsent(executor, one -> new TopicLoop(this, one));
    }
    loop.add(TopicEntry.join(socket));
    return true;
  }

  /** Sends no further messages to a socket. Does nothing if it hasn't subscribed. */
  public void unsubscribe(WebSocket socket) {
    TopicLoop loop = loops.get(socket.eventLoop());
    if (loop != null) {
      loop.add(TopicEntry.leave(socket));
    }
  }

  /**
   * Sends a message to all subscribers. Never waits.
   *
   * @return true if there is room for more. False asks the caller to slow down: 512 messages or 8
   *     MiB wait for at least one event loop. From 1,024 messages or 16 MiB on, this message was
   *     dropped for the subscribers of that loop, which only {@link #droppedCount} shows
   */
  public boolean publish(WebSocketMessage message) {
    Objects.requireNonNull(message, "message");
    boolean hasRoom = true;
    for (TopicLoop loop : loops.values()) {
      hasRoom &= loop.publish(message);
    }
    return hasRoom;
  }

  /** Like {@link #publish(WebSocketMessage)}, with {@link WebSocketMessage#text(String)}. */
  public boolean publish(String text) {
    return publish(WebSocketMessage.text(text));
  }

  /**
   * Returns the number of subscribers. Changes count once the event loop of their socket has made
   * them.
   */
  public int size() {
    int size = 0;
    for (TopicLoop loop : loops.values()) {
      size += loop.memberCount();
    }
    return size;
  }

  /** Returns how often a message was sent to a socket since the creation. */
  public long deliveredCount() {
    return delivered.sum();
  }

  /**
   * Returns how often a message was not sent to a socket because the client was behind, since the
   * creation.
   */
  public long skippedCount() {
    return skipped.sum();
  }

  /**
   * Returns how often a message was not sent to a socket because its event loop was behind, since
   * the creation. The subscribers of the loop at the time of {@link #publish} are counted.
   */
  public long droppedCount() {
    return dropped.sum();
  }

  SlowReceiver slowReceiver() {
    return slowReceiver;
  }

  DropLog dropLog() {
    return dropLog;
  }

  void onDropped(int subscribers) {
    dropped.add(subscribers);
  }

  void count(long sent, long notSent) {
    if (sent != 0) {
      delivered.add(sent);
    }
    if (notSent != 0) {
      skipped.add(notSent);
    }
  }

  void end(WebSocket socket, String reason) {
    if (slowReceiver == SlowReceiver.ABORT) {
      socket.abort();
    } else {
      socket.close(TRY_AGAIN_LATER, reason);
    }
  }

  void remove(TopicLoop loop) {
    loops.remove(loop.executor(), loop);
  }

  /** Notes that a subscriber has gone. */
  void release() {
    if (onUnused != null && users.release()) {
      onUnused.run();
    }
  }
}
