package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class UnsentBytesTest {
  private final UnsentBytes unsent = new UnsentBytes(100, 250);

  @Test
  void permitsTheBoundOfACallAndNotOneByteMore() {
    assertThat(unsent.add(0, 40)).isTrue();
    assertThat(unsent.add(40, 61)).isFalse();
    assertThat(unsent.sum()).isEqualTo(40);
    assertThat(unsent.add(40, 60)).isTrue();
    assertThat(unsent.add(100, 1)).isFalse();
  }

  @Test
  void permitsTheBoundOfAllCallsAndNotOneByteMore() {
    assertThat(unsent.add(0, 100)).isTrue();
    assertThat(unsent.add(0, 100)).isTrue();
    assertThat(unsent.add(0, 51)).isFalse();
    assertThat(unsent.add(0, 50)).isTrue();
    assertThat(unsent.add(50, 1)).isFalse();
    unsent.remove(100);
    assertThat(unsent.add(50, 50)).isTrue();
  }

  /** Otherwise no client could get it. */
  @Test
  void permitsOneMessageOfAnySize() {
    assertThat(unsent.add(0, 1000)).isTrue();
    assertThat(unsent.add(0, 1)).isFalse();
    unsent.remove(1000);
    assertThat(unsent.add(0, 1)).isTrue();
  }

  @Test
  void takesTheLargestBounds() {
    UnsentBytes unbounded = new UnsentBytes(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(unbounded.add(0, Integer.MAX_VALUE)).isTrue();
    assertThat(unbounded.add(Integer.MAX_VALUE, Integer.MAX_VALUE)).isTrue();
  }

  @Test
  void needsPositiveBounds() {
    GrpcServices.Builder builder = GrpcServices.builder();
    assertThatThrownBy(() -> builder.maxUnsentBytes(0, 1)).hasMessageContaining("1 or more");
    assertThatThrownBy(() -> builder.maxUnsentBytes(1, 0)).hasMessageContaining("1 or more");
  }
}
