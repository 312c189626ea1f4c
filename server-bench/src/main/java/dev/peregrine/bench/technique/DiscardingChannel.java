package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.OutboundChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A channel that takes all bytes at once, and keeps those of the last write. */
final class DiscardingChannel implements OutboundChannel {
  private byte[] last = new byte[0];
  private boolean keeps = true;

  /** Keeps no bytes from now on. */
  void keepNothing() {
    keeps = false;
  }

  /** Returns the bytes of the last write. */
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
