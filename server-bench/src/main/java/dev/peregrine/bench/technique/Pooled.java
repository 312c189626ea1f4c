package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object of a pool: some fields, an array, and the link of the free list. */
final class Pooled extends LoopTask {
  final byte[] memory;
  final @Nullable HomePool home;
  @Nullable Pooled next;
  long id;
  int length;
  boolean done;

  Pooled(int bytes, @Nullable HomePool home) {
    memory = new byte[bytes];
    this.home = home;
  }

  /** Restores the initial state. */
  Pooled reset() {
    Arrays.fill(memory, (byte) 0);
    id = 0;
    length = 0;
    done = false;
    return this;
  }

  @Override
  protected void run() {}
}
