package dev.peregrine.server.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;

/** The target of an {@link OutboundQueue}: accepts gathered bytes, and parts of files. */
public interface OutboundChannel extends GatheringByteChannel {
  @Override
  default long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  /** Returns true if heap arrays are written as they are, not from copies in direct memory. */
  default boolean takesArrays() {
    return false;
  }

  /**
   * Sends a part of a file, without waiting for the peer; it may wait for the disk.
   *
   * @return bytes sent: fewer than requested, possibly 0, if the peer takes no more now or the file
   *     has no more
   */
  default long sendFile(FileChannel file, long position, long count) throws IOException {
    return file.transferTo(position, count, this);
  }
}
