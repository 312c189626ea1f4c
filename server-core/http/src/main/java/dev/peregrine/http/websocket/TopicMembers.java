package dev.peregrine.http.websocket;

import dev.peregrine.http.WebSocket;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one event loop that have subscribed to a topic, and a walk over them that can rest
 * between any two. Only that loop uses it.
 *
 * <p>The walk goes from the end of the list to its beginning. Members leave at any time, and join
 * between two walks.
 */
final class TopicMembers {
  private static final int INITIAL_LENGTH = 8;

  private final IdentityHashMap<WebSocket, TopicMember> bySocket = new IdentityHashMap<>();
  private @Nullable TopicMember[] list = new TopicMember[INITIAL_LENGTH];
  private int count;
  private int unvisited; // the walk's rest is list[0] to list[unvisited - 1]

  int count() {
    return count;
  }

  @Nullable TopicMember find(WebSocket socket) {
    return bySocket.get(socket);
  }

  /** Adds a socket that isn't a member, while no walk is under way. */
  TopicMember add(WebSocket socket) {
    TopicMember member = new TopicMember(socket);
    if (count == list.length) {
      list = Arrays.copyOf(list, count * 2);
    }
    bySocket.put(socket, member);
    place(count++, member);
    return member;
  }

  /** Removes a member; a walk that is under way still visits each of the others once. */
  void remove(TopicMember member) {
    int hole = member.index;
    bySocket.remove(member.socket);
    if (hole < unvisited) {
      place(hole, list[--unvisited]);
      hole = unvisited; // now among the visited ones
    }
    if (hole < --count) {
      place(hole, list[count]);
    }
    list[count] = null;
    member.index = -1;
    if (count == 0) {
      list = new TopicMember[INITIAL_LENGTH];
    }
  }

  private void place(int at, @Nullable TopicMember member) {
    list[at] = member;
    if (member != null) {
      member.index = at;
    }
  }

  void beginWalk() {
    unvisited = count;
  }

  boolean isWalking() {
    return unvisited > 0;
  }

  /** Returns the next member of the walk that is under way. */
  @Nullable TopicMember visit() {
    return list[--unvisited];
  }
}
