package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a topic, a change of its members, or a gap in place of messages that were dropped,
 * in the order in which one loop sees them.
 */
final class TopicEntry {
  /** Null for a change and for a gap. */
  @Nullable WebSocketMessage message;

  /** The socket that joins or leaves; null for a message and for a gap. */
  @Nullable WebSocket socket;

  final boolean joins;
  volatile @Nullable TopicEntry next;

  private TopicEntry(
      @Nullable WebSocketMessage message, @Nullable WebSocket socket, boolean joins) {
    this.message = message;
    this.socket = socket;
    this.joins = joins;
  }

  /** Returns an entry without a meaning, for the beginning. */
  static TopicEntry none() {
    return new TopicEntry(null, null, false);
  }

  static TopicEntry message(WebSocketMessage message) {
    return new TopicEntry(message, null, false);
  }

  static TopicEntry join(WebSocket socket) {
    return new TopicEntry(null, socket, true);
  }

  static TopicEntry leave(WebSocket socket) {
    return new TopicEntry(null, socket, false);
  }

  /** Returns an entry that ends the members, because they miss messages. */
  static TopicEntry gap() {
    return none();
  }

  boolean isChange() {
    return socket != null;
  }

  boolean isGap() {
    return message == null && socket == null;
  }

  /** Forgets the content of an entry that is done, because the last one stays for long. */
  void clear() {
    message = null;
    socket = null;
  }
}
