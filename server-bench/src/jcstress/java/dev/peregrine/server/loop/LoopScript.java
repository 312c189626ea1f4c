package dev.peregrine.server.loop;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The transport and poller of one event loop, without an operating system. Each wait ends the
 * loop's run, so that a test can call it in its own thread.
 */
public final class LoopScript implements Transport, Poller, Relief {
  /** In place of a timeout while the loop has not waited. */
  static final long NOT_POLLED = -1;

  private @Nullable EventLoop loop;
  private long timeoutNanos = NOT_POLLED;
  private int wakeUps;

  /** Creates a loop whose time stands still. */
  public EventLoop newLoop() {
    try {
      EventLoop made = new EventLoop("script", this, () -> 0);
      made.relieveBy(this);
      loop = made;
      return made;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns what finds another thread for a loop. */
  public static Relief relief(EventLoop loop) {
    return Objects.requireNonNull(loop.relief);
  }

  /** Ends the loop's wait. */
  public void endWait() {
    Objects.requireNonNull(loop).afterWait();
  }

  /** Returns the timeout of the last wait. */
  long timeoutNanos() {
    return timeoutNanos;
  }

  /** Returns how often the loop was woken. */
  int wakeUps() {
    return wakeUps;
  }

  @Override
  public boolean isDozing() {
    return false;
  }

  @Override
  public void wake() {}

  @Override
  public void beginWatch() {}

  @Override
  public void request(int run) {}

  @Override
  public void onReturn(long nowNanos) {}

  @Override
  public void spare() {}

  @Override
  public List<Thread> threads() {
    return List.of();
  }

  @Override
  public void await(long timeout) {
    timeoutNanos = timeout;
    throw Relieved.INSTANCE; // ends the run, and leaves the loop as it waits
  }

  @Override
  public void notifyReady() {}

  @Override
  public void wakeUp() {
    wakeUps++;
  }

  @Override
  public void close() {}

  @Override
  public String name() {
    return "script";
  }

  @Override
  public Poller openPoller() {
    return this;
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
    throw new UnsupportedOperationException("a script has no listeners");
  }

  @Override
  public Listener listen(
      UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog) {
    throw new UnsupportedOperationException("a script has no listeners");
  }
}
