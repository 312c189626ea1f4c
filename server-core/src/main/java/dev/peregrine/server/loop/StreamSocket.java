package dev.peregrine.server.loop;

import dev.peregrine.server.memory.OutboundChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ReadableByteChannel;

/** A connected, non-blocking socket. Used by the thread of the loop it is attached to. */
public interface StreamSocket extends OutboundChannel, ReadableByteChannel {
  /** Registers with a loop's poller; interested in nothing yet. */
  void attach(Poller poller, ReadyHandler handler) throws IOException;

  /**
   * Sets what the handler is told about.
   *
   * @param ops bits of {@link Ready}
   */
  void interest(int ops);

  /** Sends the end of the stream; reading goes on. */
  void shutdownOutput() throws IOException;

  SocketAddress localAddress() throws IOException;

  SocketAddress remoteAddress() throws IOException;

  /** Closes so that the peer sees a reset; bytes not yet sent are dropped. */
  void reset() throws IOException;
}
