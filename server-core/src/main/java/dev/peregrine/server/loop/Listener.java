package dev.peregrine.server.loop;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket. Used by the thread of the loop it is attached to. */
public interface Listener extends AutoCloseable {
  /** Registers with a loop's poller; the handler is told when {@link #accept} has a connection. */
  void attach(Poller poller, ReadyHandler handler) throws IOException;

  /** The next connection, not yet attached to a loop; null if none is waiting. */
  @Nullable StreamSocket accept() throws IOException;

  /** Stops or resumes being told about waiting connections. */
  void listening(boolean on);

  /** The bound address; callable from any thread. */
  SocketAddress localAddress();

  @Override
  void close() throws IOException;
}
