package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.OutboundChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Takes all bytes at once, and keeps the last ones that were written. */
final class DiscardingChannel implements OutboundChannel {
  private byte[] last = new byte[0];
  private boolean keeps = true;

  /** From now on nothing is kept. */
  void keepNothing() {
    keeps = false;
  }

  /** The bytes of the last write. */
  String lastWritten() {
    return new String(last, StandardCharsets.ISO_8859_1);
  }

  @Override
  public int write(ByteBuffer source) {
    int bytes = source.remaining();
    if (keeps) {
      last = new byte[bytes];
      source.get(source.position(), last);
    }
    source.position(source.limit());
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += write(sources[i]);
    }
    return bytes;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
