package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Topics by name, such as the rooms of a chat. A topic begins with its first subscriber and ends
 * with its last one, so names that clients choose take no memory later. Callable from any thread.
 */
public final class Topics {
  private final SlowReceiver slowReceiver;
  private final ConcurrentMap<String, Topic> byName = new ConcurrentHashMap<>();
  private final DropLog dropLog = new DropLog();

  /** Creates an empty set of topics. */
  public Topics(SlowReceiver slowReceiver) {
    this.slowReceiver = Objects.requireNonNull(slowReceiver, "slowReceiver");
  }

  /** Subscribes to the topic of a name; see {@link Topic#subscribe}. */
  public void subscribe(String name, WebSocket socket) {
    Topic topic = byName.computeIfAbsent(name, this::create);
    while (!topic.trySubscribe(socket)) {
      byName.remove(name, topic);
      topic = byName.computeIfAbsent(name, this::create);
    }
  }

  private Topic create(String name) {
    Topic[] created = new Topic[1];
    created[0] = new Topic(slowReceiver, () -> byName.remove(name, created[0]), dropLog);
    return created[0];
  }

  /** Unsubscribes from the topic of a name; see {@link Topic#unsubscribe}. */
  public void unsubscribe(String name, WebSocket socket) {
    Topic topic = byName.get(name);
    if (topic != null) {
      topic.unsubscribe(socket);
    }
  }

  /**
   * Sends a message to the subscribers of a name, if there are any.
   *
   * @return as {@link Topic#publish}
   */
  public boolean publish(String name, WebSocketMessage message) {
    Topic topic = byName.get(name);
    return topic == null || topic.publish(message);
  }

  /** Returns the topic of a name; null if it has no subscribers. */
  public @Nullable Topic find(String name) {
    return byName.get(name);
  }

  /** Returns the names that have subscribers at present. */
  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }
}
