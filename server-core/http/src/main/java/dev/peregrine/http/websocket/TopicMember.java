package dev.peregrine.http.websocket;

import dev.peregrine.http.ScheduledWork;
import dev.peregrine.http.WebSocket;
import org.jspecify.annotations.Nullable;

/** A socket that gets the messages of a topic. Owned by the socket's event loop. */
final class TopicMember {
  final WebSocket socket;

  /** The place in the list of members; -1 once it has left. */
  int index;

  /** Cancels the callback for the socket's close. */
  @Nullable ScheduledWork onClose;

  TopicMember(WebSocket socket) {
    this.socket = socket;
  }
}
