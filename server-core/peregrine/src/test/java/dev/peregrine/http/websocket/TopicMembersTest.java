package dev.peregrine.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocket;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members that leave a topic, at each moment of a walk. */
final class TopicMembersTest {
  private final TopicMembers members = new TopicMembers();

  /** A socket that only has an identity. */
  @SuppressWarnings("ReferenceEquality")
  private static WebSocket socket() {
    return (WebSocket)
        Proxy.newProxyInstance(
            TopicMembersTest.class.getClassLoader(),
            new Class<?>[] {WebSocket.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void visitsAllMembersOnce() {
    List<TopicMember> added = List.of(members.add(socket()), members.add(socket()));

    assertThat(rest()).containsExactlyInAnyOrderElementsOf(added);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 2", "0, 0, 1", "0, 2, 0", "1, 0, 2", "1, 2, 1", "2, 1, 0", "3, 0, 2"})
  void visitsThoseThatAreLeft(int visits, int first, int second) {
    List<TopicMember> left = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      left.add(members.add(socket()));
    }
    List<TopicMember> gone = List.of(left.get(first), left.get(second));
    left.removeAll(gone);

    members.beginWalk();
    for (int i = 0; i < visits; i++) {
      left.remove(members.visit());
    }
    gone.forEach(members::remove);
    List<TopicMember> visited = new ArrayList<>();
    while (members.isWalking()) {
      visited.add(members.visit());
    }

    assertThat(visited).containsExactlyInAnyOrderElementsOf(left);
    assertThat(members.count()).isEqualTo(2);
    assertThat(rest()).doesNotContainAnyElementsOf(gone).doesNotContainNull().hasSize(2);
  }

  private List<TopicMember> rest() {
    List<TopicMember> visited = new ArrayList<>();
    members.beginWalk();
    while (members.isWalking()) {
      visited.add(members.visit());
    }
    return visited;
  }
}
