package dev.peregrine.server.http2;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames about priorities: those of RFC 9218, and those of RFC 7540, which are checked
 * and ignored (RFC 9113 section 5.3).
 */
final class Priorities {
  private final Http2Connection owner;

  Priorities(Http2Connection owner) {
    this.owner = owner;
  }

  @Nullable Violation onPriority(int id, int length, int dependency) {
    if (id == 0) {
      return Violation.STREAM_ID;
    }
    boolean isWhole = length == Frame.PRIORITY_BYTES;
    if (isWhole && dependency != id) {
      return owner.spend(FloodBudget.PRIORITY);
    }
    Http2Stream stream = owner.streams().find(id);
    if (stream == null) {
      return isWhole ? Violation.FRAME_UNEXPECTED : Violation.FRAME_LENGTH;
    }
    return owner.resetForFault(
        stream, isWhole ? ErrorCode.PROTOCOL_ERROR : ErrorCode.FRAME_SIZE_ERROR);
  }

  @Nullable Violation onUpdate(int id, MemorySegment bytes, int from, int to) {
    Http2Stream stream = owner.streams().find(id);
    if (stream != null) {
      stream.urgency.set(bytes, from, to);
    }
    return owner.spend(FloodBudget.PRIORITY);
  }
}
