package dev.peregrine.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Await;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class WriteGateTest {
  private final WriteGate gate = new WriteGate(10);

  @Test
  void isOpenBelowItsBound() throws IOException {
    gate.add(9);
    assertThat(gate.isOpen()).isTrue();
    gate.await();
    gate.add(1);
    assertThat(gate.isOpen()).isFalse();
    gate.passed(1);
    assertThat(gate.isOpen()).isTrue();
    gate.await();
  }

  @Test
  void makesAThreadWaitUntilHalfOfTheRoomIsFree() {
    gate.add(25);
    Thread waiting = waiting(new CompletableFuture<>());
    gate.passed(10);
    assertThat(gate.isOpen()).isFalse();
    gate.passed(10);

    Await.until("the thread continues", () -> !waiting.isAlive());
  }

  @Test
  void wakesAThreadThatWaitsWhenItFails() {
    gate.add(25);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    waiting(thrown);
    gate.fail(new IOException("gone"));

    assertThat(thrown.join()).isInstanceOf(IOException.class).hasMessage("gone");
    assertThatThrownBy(gate::await).isInstanceOf(IOException.class);
  }

  @Test
  void isLeftByAnInterrupt() {
    gate.add(25);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    waiting(thrown).interrupt();

    assertThat(thrown.join()).isInstanceOf(IOException.class).hasMessage("interrupted");
  }

  private Thread waiting(CompletableFuture<Throwable> thrown) {
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    gate.await();
                  } catch (IOException failure) {
                    thrown.complete(failure);
                  }
                });
    Await.until(
        "the thread waits", () -> thread.getState() == Thread.State.WAITING || !thread.isAlive());
    return thread;
  }
}
