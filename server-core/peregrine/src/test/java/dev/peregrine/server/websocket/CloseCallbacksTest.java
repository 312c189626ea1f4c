package dev.peregrine.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServerLog;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CloseCallbacksTest {
  private final CloseCallbacks callbacks = new CloseCallbacks();
  private final List<String> calls = new ArrayList<>();

  @Test
  void callsEachOnceInOrder() {
    add("one");
    add("two");
    callbacks.run();
    callbacks.run();

    assertThat(calls).containsExactly("one", "two");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void omitsOneThatIsCancelled(int cancelled) {
    List<CloseCallbacks.Callback> added = List.of(add("0"), add("1"), add("2"));
    added.get(cancelled).cancel();
    added.get(cancelled).cancel();
    add("3");
    callbacks.run();

    List<String> expected = new ArrayList<>(List.of("0", "1", "2", "3"));
    expected.remove(cancelled);
    assertThat(calls).isEqualTo(expected);
  }

  @Test
  void isEmptyOnceAllAreCancelled() {
    List.of(add("0"), add("1")).forEach(CloseCallbacks.Callback::cancel);
    add("2");
    callbacks.run();

    assertThat(calls).containsExactly("2");
  }

  @Test
  void omitsOneThatAnEarlierOneCancels() {
    List<CloseCallbacks.Callback> later = new ArrayList<>();
    callbacks.add(callbacks.create(() -> later.getFirst().cancel()));
    later.add(add("cancelled"));
    add("last");
    callbacks.run();

    assertThat(calls).containsExactly("last");
  }

  @Test
  void callsTheOthersIfOneThrows() {
    callbacks.add(
        callbacks.create(
            () -> {
              throw new AssertionError("for the test");
            }));
    add("next");
    try (ServerLog log = new ServerLog()) {
      callbacks.run();
      log.expectOne(Level.SEVERE, "for the test");
    }
    assertThat(calls).containsExactly("next");
  }

  @Test
  void takesNoneOnceTheSocketHasClosed() {
    callbacks.run();

    assertThat(callbacks.add(callbacks.create(() -> calls.add("late")))).isFalse();
    assertThat(CloseCallbacks.CLOSED.add(CloseCallbacks.CLOSED.create(() -> {}))).isFalse();
    assertThat(calls).isEmpty();
  }

  private CloseCallbacks.Callback add(String name) {
    CloseCallbacks.Callback added = callbacks.create(() -> calls.add(name));
    assertThat(callbacks.add(added)).isTrue();
    return added;
  }
}
