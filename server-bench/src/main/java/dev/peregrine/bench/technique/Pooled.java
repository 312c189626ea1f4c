package dev.peregrine.bench.technique;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object of a pool: some fields, an array, and the link of the free list. */
final class Pooled {
  final byte[] memory;
  @Nullable Pooled next;
  long id;
  int length;
  boolean done;

  Pooled(int bytes) {
    memory = new byte[bytes];
  }

  /** Restores the initial state. */
  Pooled reset() {
    Arrays.fill(memory, (byte) 0);
    id = 0;
    length = 0;
    done = false;
    return this;
  }
}
