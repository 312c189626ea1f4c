package dev.peregrine.testing;

import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A layer that changes all bytes, as TLS does: it takes as many as it can from the socket, and
 * passes on a few at a time.
 */
public final class ScrambledLayer implements SocketLayer {
  private static final byte KEY = 0x2A;

  private final int bytesPerReadMax;

  /** A layer that passes on that many bytes at a time. */
  public ScrambledLayer(int bytesPerReadMax) {
    this.bytesPerReadMax = bytesPerReadMax;
  }

  /** Returns the bytes as they look on the network, or back. */
  public static byte[] scramble(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int i = 0; i < changed.length; i++) {
      changed[i] ^= KEY;
    }
    return changed;
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop loop) {
    return new ScrambledSocket(socket, loop);
  }

  private final class ScrambledSocket extends LayeredSocket {
    private static final int HELD_BYTES_MAX = 64 * 1024;

    private final ByteBuffer held = ByteBuffer.allocate(HELD_BYTES_MAX).limit(0);

    ScrambledSocket(StreamSocket inner, EventLoop loop) {
      super(inner, loop);
    }

    @Override
    protected int receive(ByteBuffer target) throws IOException {
      if (!held.hasRemaining()) {
        int count = inner.read(held.clear());
        held.flip();
        if (count <= 0) {
          return count;
        }
      }
      int count = Math.min(Math.min(held.remaining(), bytesPerReadMax), target.remaining());
      for (int i = 0; i < count; i++) {
        target.put((byte) (held.get() ^ KEY));
      }
      return count;
    }

    @Override
    protected boolean holdsInput() {
      return held.hasRemaining();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      byte[] bytes = new byte[source.remaining()];
      source.get(source.position(), bytes);
      int count = inner.write(ByteBuffer.wrap(scramble(bytes)));
      source.position(source.position() + count);
      return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      long sum = 0;
      for (int i = offset; i < offset + length; i++) {
        sum += write(sources[i]);
        if (sources[i].hasRemaining()) {
          break;
        }
      }
      return sum;
    }
  }
}
