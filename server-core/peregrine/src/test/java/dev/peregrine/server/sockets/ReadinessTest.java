package dev.peregrine.server.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The states of one direction of a socket. */
final class ReadinessTest {
  private static final long DEADLINE = 5;

  private final Readiness direction = new Readiness();
  private final Thread thread = Thread.ofVirtual().unstarted(() -> {});

  private boolean await() {
    return direction.await(thread, DEADLINE);
  }

  @Test
  void aWaitEndsWhenTheDirectionIsReady() {
    assertThat(await()).isTrue();
    assertThat(direction.isAwaitedBy(thread)).isTrue();
    assertThat(direction.awaitedUntil()).isEqualTo(DEADLINE);

    direction.ready();

    assertThat(direction.isAwaitedBy(thread)).isFalse();
    assertThat(direction.awaitedUntil()).isEqualTo(Readiness.FOREVER);
  }

  @Test
  void readinessBeforeAWaitHasTheCallTriedAgain() {
    direction.ready();

    assertThat(await()).isFalse();
    direction.clear();
    assertThat(await()).isTrue();
  }

  @Test
  void whoIsReleasedMayWaitAgain() {
    assertThat(await()).isTrue();
    direction.release();
    assertThat(direction.isAwaitedBy(thread)).isFalse();

    assertThat(await()).isTrue();
    direction.giveUp(thread);
    direction.release();
    assertThat(await()).isTrue();
  }

  @Test
  void nothingFollowsAClose() {
    assertThat(await()).isTrue();
    direction.close();
    direction.ready();
    direction.release();
    direction.clear();

    assertThat(direction.isClosed()).isTrue();
    assertThat(await()).isFalse();
  }
}
