package dev.peregrine.openssl;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Records of one session that had to leave the shared {@link RecordBuffers}, because another
 * session of the thread was used before they were taken. It also stands for its session there.
 */
final class KeptOutput {
  private byte @Nullable [] kept; // null without records
  private int taken;

  boolean isEmpty() {
    return kept == null;
  }

  /** Adds records after those that are kept. */
  void add(byte[] output) {
    byte[] first = kept;
    if (first == null) {
      kept = output;
      return;
    }
    byte[] all = Arrays.copyOfRange(first, taken, first.length + output.length);
    System.arraycopy(output, 0, all, first.length - taken, output.length);
    kept = all;
    taken = 0;
  }

  /** Moves records to a buffer, as many bytes as fit. */
  void take(ByteBuffer target) {
    byte[] first = kept;
    if (first == null) {
      return;
    }
    int bytes = Math.min(target.remaining(), first.length - taken);
    target.put(first, taken, bytes);
    taken += bytes;
    if (taken == first.length) {
      clear();
    }
  }

  void clear() {
    kept = null;
    taken = 0;
  }
}
