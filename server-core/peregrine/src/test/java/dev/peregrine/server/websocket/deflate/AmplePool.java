package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A pool with as much memory as a test needs, all of which must be returned after the test. */
final class AmplePool implements AfterEachCallback {
  private static final int LEVEL = 6;

  final CompressionBudget budget = new CompressionBudget(1L << 30);
  final CompressionPool pool = new CompressionPool(LEVEL, budget);

  @Override
  public void afterEach(ExtensionContext context) {
    pool.close();
    assertThat(pool.alive()).isZero();
    assertThat(budget.bytesInUse()).isZero();
  }
}
