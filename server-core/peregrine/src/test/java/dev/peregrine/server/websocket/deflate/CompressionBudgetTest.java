package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CompressionBudgetTest {
  @Test
  void givesSessionsThreeQuarters() {
    CompressionBudget budget = new CompressionBudget(100);

    assertThat(budget.takeForSession(76)).isFalse();
    assertThat(budget.takeForSession(75)).isTrue();
    assertThat(budget.takeForSession(1)).isFalse();
    assertThat(budget.bytesInUse()).isEqualTo(75);
  }

  @Test
  void givesMessagesAllThatIsLeft() {
    CompressionBudget budget = new CompressionBudget(100);

    assertThat(budget.takeForMessage(101)).isFalse();
    assertThat(budget.takeForMessage(60)).isTrue();
    assertThat(budget.takeForMessage(40)).isTrue();
    assertThat(budget.takeForMessage(1)).isFalse();

    budget.giveBack(60);
    assertThat(budget.bytesInUse()).isEqualTo(40);
    assertThat(budget.takeForSession(35)).isTrue();
    assertThat(budget.takeForSession(1)).isFalse();
  }

  @Test
  void rejectsANegativeNumber() {
    assertThatThrownBy(() -> new CompressionBudget(-1))
        .hasMessage("bytesMax is -1, but must be at least 0");
  }
}
