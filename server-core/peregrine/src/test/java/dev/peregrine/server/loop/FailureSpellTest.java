package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FailureSpellTest {
  private final FailureSpell spell = new FailureSpell(100);

  @Test
  void isTooLongAfterItsTimeWithoutASuccess() {
    assertThat(spell.add(-50)).isFalse();
    assertThat(spell.add(49)).isFalse();
    assertThat(spell.add(50)).isTrue();
    assertThat(spell.add(51)).isTrue();
  }

  @Test
  void beginsAgainAfterASuccess() {
    assertThat(spell.add(0)).isFalse();
    spell.end();
    assertThat(spell.add(100)).isFalse();
    assertThat(spell.add(199)).isFalse();
    assertThat(spell.add(200)).isTrue();
  }
}
