package dev.peregrine.bench.codec;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A transport without an operating system, for one event loop. */
final class ScriptedTransport implements Transport {
  private @Nullable ScriptedPoller poller;

  @Override
  public String name() {
    return "script";
  }

  @Override
  public Poller openPoller() {
    ScriptedPoller opened = new ScriptedPoller();
    poller = opened;
    return opened;
  }

  /** Returns the poller of the loop. */
  ScriptedPoller poller() {
    return Objects.requireNonNull(poller);
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
    throw new UnsupportedOperationException("a script has no listeners");
  }

  @Override
  public Listener listen(
      UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog) {
    throw new UnsupportedOperationException();
  }
}
