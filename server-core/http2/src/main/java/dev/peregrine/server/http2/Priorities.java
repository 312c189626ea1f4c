package dev.peregrine.server.http2;

import dev.peregrine.server.http2.flow.FloodBudget;
import dev.peregrine.server.http2.flow.Urgency;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Frame;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.Http2Stream;
import dev.peregrine.server.http2.stream.Trunk;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames about priorities: those of RFC 9218, and those of RFC 7540, which are checked
 * and ignored (RFC 9113 section 5.3).
 */
final class Priorities {
  /** The priority of a stream that isn't open yet. */
  private record Early(int id, Urgency urgency) {}

  private final Trunk trunk;
  private final Streams streams;
  private @Nullable List<Early> early; // created for the first one

  Priorities(Trunk trunk, Streams streams) {
    this.trunk = trunk;
    this.streams = streams;
  }

  @Nullable Violation onPriority(int id, int length, int dependency) {
    if (id == 0) {
      return Violation.STREAM_ID;
    }
    boolean isWhole = length == Frame.PRIORITY_BYTES;
    if (isWhole && dependency != id) {
      return trunk.spend(FloodBudget.PRIORITY);
    }
    Http2Stream stream = streams.find(id);
    if (stream == null) {
      return isWhole ? Violation.FRAME_UNEXPECTED : Violation.FRAME_LENGTH;
    }
    return streams.resetForFault(
        stream, isWhole ? ErrorCode.PROTOCOL_ERROR : ErrorCode.FRAME_SIZE_ERROR);
  }

  @Nullable Violation onUpdate(int id, MemorySegment bytes, int from, int to) {
    Violation flood = trunk.spend(FloodBudget.PRIORITY);
    if (flood != null) {
      return flood;
    }
    Http2Stream stream = streams.find(id);
    if (stream != null) {
      stream.outbound().urgency().set(bytes, from, to);
      return null;
    }
    return streams.isIdle(id) ? keep(id, bytes, from, to) : null;
  }

  /**
   * Keeps the priority of a stream that isn't open yet. Together with the open streams, these have
   * the limit of streams (RFC 9218 section 7.1).
   */
  private @Nullable Violation keep(int id, MemorySegment bytes, int from, int to) {
    if (early == null) {
      early = new ArrayList<>();
    }
    early.removeIf(kept -> kept.id == id || !streams.isIdle(kept.id));
    if (early.size() + streams.count() >= streams.streamsMax()) {
      return Violation.PRIORITIES_TOO_MANY;
    }
    Urgency urgency = new Urgency();
    urgency.set(bytes, from, to);
    early.add(new Early(id, urgency));
    return null;
  }

  /** Gives a stream that is being opened the priority that its client has sent before. */
  void apply(int id, Urgency urgency) {
    List<Early> kept = early;
    if (kept == null) {
      return;
    }
    for (int i = 0; i < kept.size(); i++) {
      if (kept.get(i).id == id) {
        urgency.set(kept.remove(i).urgency);
        return; // a stream has one at most
      }
    }
  }
}
