package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An event loop that runs during each test, and holds no block after it. */
final class StartedLoop implements BeforeEachCallback, AfterEachCallback {
  final EventLoop loop;

  StartedLoop() {
    try {
      loop = new EventLoop("test-loop", new NioTransport());
    } catch (IOException noPoller) {
      throw new AssertionError(noPoller);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    loop.start();
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    loop.stop(() -> {});
    loop.join();
    assertThat(loop.bufferPool().blocksInUse()).isZero();
  }

  /** Returns the result of work on the loop. */
  <T> T call(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(() -> result.complete(work.get()));
    return result.orTimeout(120, TimeUnit.SECONDS).join();
  }

  static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
