package dev.peregrine.server.accept;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FirstConnectionsTest {
  private int connections;
  private final FirstConnections first = new FirstConnections(() -> connections);

  @Test
  void countsThoseThatAllAcceptorsAreAboutToTake() {
    connections = FirstConnections.MAX - 2;
    assertThat(first.enter()).isTrue();
    assertThat(first.enter()).isTrue();
    assertThat(first.isFull()).isFalse();
    assertThat(first.enter()).isFalse();
    assertThat(first.isFull()).isTrue();
  }

  @Test
  void takesAnotherOneWhenOneHasClosed() {
    connections = FirstConnections.MAX;
    assertThat(first.enter()).isFalse();
    connections--;
    assertThat(first.enter()).isTrue();
    first.exit();
    assertThat(first.enter()).isTrue();
  }
}
