package dev.peregrine.server.accept;

import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** A socket that, once admitted, counts for the limit of its endpoint until it is closed. */
final class CountedSocket extends LayeredSocket {
  private final EndpointLimit limit;
  private boolean counted;

  CountedSocket(StreamSocket inner, EventLoop loop, EndpointLimit limit) {
    super(inner, loop);
    this.limit = limit;
  }

  /** Counts this socket; returns false, and doesn't count it, if it is above the limit. */
  boolean admit() {
    counted = limit.admit();
    return counted;
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    return inner.sendFile(file, position, count);
  }

  @Override
  public void reset() throws IOException {
    release();
    super.reset();
  }

  @Override
  public void close() throws IOException {
    release();
    super.close();
  }

  private void release() {
    if (counted) {
      counted = false;
      limit.release();
    }
  }
}
