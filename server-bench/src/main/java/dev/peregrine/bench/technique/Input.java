package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Received bytes as the parser sees them.
 *
 * @param bytes {@link Memory#ALL}
 * @param from the address of the first byte
 * @param to the address behind the last byte; some more may be loaded there
 */
record Input(MemorySegment bytes, long from, long to) {
  /** A copy that stays for as long as the process does. */
  static Input of(byte[] bytes) {
    long from = NativeHeads.of(bytes).segment().address();
    return new Input(Memory.ALL, from, from + bytes.length);
  }
}
