package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Messages that the event loop has received for another thread. Pauses the socket while it is full.
 * The loop adds, the other thread takes.
 */
final class Inbox {
  static final int MESSAGES_MAX = 8;
  static final int BYTES_MAX = 64 * 1024;

  private final WebSocket socket;
  private final Queue<WebSocketMessage> messages = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean paused = new AtomicBoolean();

  Inbox(WebSocket socket) {
    this.socket = socket;
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  void add(WebSocketMessage message) {
    count.incrementAndGet(); // before the taker can subtract it
    bytes.addAndGet(message.length());
    messages.add(message);
    if (count.get() >= MESSAGES_MAX || bytes.get() >= BYTES_MAX) {
      socket.pause(); // first, so that the taker's resume can't come before it
      paused.set(true);
      resumeIfRoom(); // the taker may have taken all before it could see the pause
    }
  }

  @Nullable WebSocketMessage poll() {
    WebSocketMessage message = messages.poll();
    if (message != null) {
      count.decrementAndGet();
      bytes.addAndGet(-message.length());
      resumeIfRoom();
    }
    return message;
  }

  /** Lets the socket be read on, even if messages wait. */
  void release() {
    messages.clear();
    socket.resume();
  }

  private void resumeIfRoom() {
    if (paused.get()
        && count.get() <= MESSAGES_MAX / 2
        && bytes.get() <= BYTES_MAX / 2
        && paused.compareAndSet(true, false)) {
      socket.resume();
    }
  }
}
