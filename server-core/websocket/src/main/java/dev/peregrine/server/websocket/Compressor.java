package dev.peregrine.server.websocket;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.parser.websocket.FrameEncoder;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.tunnel.Tunnel;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.server.websocket.deflate.Flush;
import dev.peregrine.server.websocket.deflate.MessageDeflater;
import dev.peregrine.server.websocket.frame.FrameScratch;
import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * Sends compressed messages (RFC 7692). A message whose compressed form doesn't fit into one block
 * leaves in fragments, so that its length needn't be known. Belongs to the loop.
 */
final class Compressor {
  /** Shorter messages aren't compressed. */
  static final int BYTES_MIN = 32;

  private static final int BLOCK_BYTES_MAX = 64 * 1024;

  private final Tunnel tunnel;
  private final FrameScratch scratch;
  private final BufferPool blocks;
  private final MessageDeflater deflater;
  private final Form form;

  Compressor(
      Tunnel tunnel,
      FrameScratch scratch,
      CompressionPool pool,
      MessageDeflater deflater,
      int bits) {
    this.tunnel = tunnel;
    this.scratch = scratch;
    this.blocks = tunnel.connection().loop().bufferPool();
    this.deflater = deflater;
    this.form = new Form(pool, bits);
  }

  void message(int opcode, byte[] source, int from, int to) {
    deflater.begin();
    deflater.input(source, from, to, Flush.MESSAGE);
    send(opcode, to - from, FrameEncoder.FINAL);
  }

  /** Sends a message; changes the buffer's position and limit. */
  void message(int opcode, ByteBuffer source) {
    int bytes = source.remaining();
    deflater.begin();
    deflater.input(source, Flush.MESSAGE);
    send(opcode, bytes, FrameEncoder.FINAL);
  }

  /**
   * Sends the output of the deflater.
   *
   * @param opcode of the first frame; the others are continuations
   * @param end FINAL if the last frame ends the message, otherwise 0
   */
  private void send(int opcode, int bytes, int end) {
    int wanted =
        Math.min(BLOCK_BYTES_MAX, MessageDeflater.outputBytesMax(Math.min(bytes, 1 << 20)));
    Block block = blocks.acquire(wanted + BufferPool.SLACK_BYTES);
    try {
      int firstByte = opcode == Opcode.CONTINUATION ? opcode : FrameEncoder.COMPRESSED | opcode;
      boolean more = true;
      while (more) {
        ByteBuffer target = block.range(0, block.capacity() - BufferPool.SLACK_BYTES);
        more = deflater.deflate(target);
        int length = target.position();
        int from = scratch.head(more ? firstByte : firstByte | end, length);
        int headBytes = FrameScratch.PAYLOAD - from;
        tunnel.sendCopy(scratch.bytes, from, headBytes, block.segment(), 0, length);
        firstByte = Opcode.CONTINUATION;
      }
    } finally {
      blocks.release(block);
    }
  }

  // ---- messages in parts ----

  /** Begins a message in parts. Returns false if it can't be compressed for lack of memory. */
  boolean beginParts() {
    return deflater.beginParts();
  }

  void part(int opcode, ByteBuffer source) {
    int bytes = source.remaining();
    deflater.input(source, Flush.FRAGMENT);
    send(opcode, bytes, 0);
  }

  void endParts(int opcode) {
    deflater.input(scratch.bytes, 0, 0, Flush.MESSAGE);
    send(opcode, 0, FrameEncoder.FINAL);
  }

  // ---- messages for many ----

  /** Sends a message in the form that all sockets with the same window get. */
  void message(WebSocketMessage message) {
    byte[] frame = message.form(form, form);
    tunnel.send(ByteBuffer.wrap(frame));
    deflater.afterForeignMessage();
  }

  static int opcode(WebSocketMessage message) {
    return message.isText() ? Opcode.TEXT : Opcode.BINARY;
  }

  /** The compressed form of a message in one frame, for a window. */
  private record Form(CompressionPool pool, int windowBits)
      implements Function<WebSocketMessage, byte[]> {
    @Override
    public byte[] apply(WebSocketMessage message) {
      byte[] content = message.toArray();
      byte[] deflated = MessageDeflater.deflateOnce(pool, windowBits, content, 0, content.length);
      int flags = FrameEncoder.FINAL | FrameEncoder.COMPRESSED;
      return FrameEncoder.frame(flags | opcode(message), ByteBuffer.wrap(deflated));
    }
  }
}
