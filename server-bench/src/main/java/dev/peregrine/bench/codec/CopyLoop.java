package dev.peregrine.bench.codec;

import dev.peregrine.server.transport.ReadyHandler;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads requests, copies as many prebuilt responses, and writes them: the raw ceiling. */
final class CopyLoop implements ReadyHandler {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final ScriptedSocket socket;
  private final ByteBuffer reply;
  private final int depth;
  private final ByteBuffer in = buffer();
  private final ByteBuffer out = buffer();

  CopyLoop(ScriptedSocket socket, MemorySegment reply, int depth) {
    this.socket = socket;
    this.reply = reply.asByteBuffer();
    this.depth = depth;
  }

  @Override
  public void onReady(int ops) {
    in.clear();
    socket.read(in);
    out.clear();
    for (int i = 0; i < depth; i++) {
      out.put(i * reply.capacity(), reply, 0, reply.capacity());
    }
    out.limit(depth * reply.capacity());
    socket.write(out);
  }

  @Override
  public void onFailure(Throwable failure) {
    throw new IllegalStateException(failure);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.nativeOrder());
  }
}
