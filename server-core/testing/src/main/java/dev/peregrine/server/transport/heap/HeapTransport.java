package dev.peregrine.server.transport.heap;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;

/** Carries {@link HeapSocket}s, which its user opens: nothing can be listened on. */
public final class HeapTransport implements Transport {
  /** Creates a transport. */
  public HeapTransport() {}

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public Poller openPoller() {
    return new HeapPoller();
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Listener listen(
      UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog) {
    throw new UnsupportedOperationException();
  }
}
