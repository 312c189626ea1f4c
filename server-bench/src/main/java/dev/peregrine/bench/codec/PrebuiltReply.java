package dev.peregrine.bench.codec;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.memory.InboundBuffer;
import java.lang.foreign.MemorySegment;

/** Answers every head with the same bytes, for the cost of a connection without HTTP. */
final class PrebuiltReply implements Protocol {
  /** Finds the end of a head; 0 if it isn't complete. */
  @FunctionalInterface
  interface HeadLength {
    int of(MemorySegment bytes, int from, int to);
  }

  private final HeadLength headLength;
  private final MemorySegment reply;
  private final int replyBytes;

  PrebuiltReply(HeadLength headLength, MemorySegment reply) {
    this.headLength = headLength;
    this.reply = reply;
    this.replyBytes = (int) reply.byteSize();
  }

  @Override
  public void onInput(Connection connection, InboundBuffer in) {
    while (!in.isEmpty()) {
      int length = headLength.of(in.segment(), in.from(), in.to());
      if (length <= 0) {
        throw new IllegalStateException("the script ends within a head");
      }
      in.consumeTo(in.from() + length);
      connection.out().append(reply, 0, replyBytes);
    }
  }
}
