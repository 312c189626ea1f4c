package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Received bytes as the parser sees them.
 *
 * @param bytes {@link Memory#ALL}
 * @param from the address of the first byte
 * @param to the address after the last byte, where further bytes may be loaded
 */
record Input(MemorySegment bytes, long from, long to) {
  /** Copies bytes into memory that is never freed. */
  static Input of(byte[] bytes) {
    long from = NativeHeads.of(bytes).segment().address();
    return new Input(Memory.ALL, from, from + bytes.length);
  }
}
