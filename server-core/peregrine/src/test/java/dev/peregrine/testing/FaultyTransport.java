package dev.peregrine.testing;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose calls fail as planned in {@link Faults}; descriptors are closed all the same.
 */
public final class FaultyTransport implements Transport {
  private final Transport inner;
  private final Faults faults;

  public FaultyTransport(Transport inner, Faults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public MemorySource memory() {
    return inner.memory();
  }

  @Override
  public Poller openPoller() throws IOException {
    return new FaultyPoller(inner.openPoller());
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort)
      throws IOException {
    return new FaultyListener(inner.listen(address, backlog, reusePort));
  }

  @Override
  public Listener listen(UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog)
      throws IOException {
    return new FaultyListener(inner.listen(bound, known, backlog));
  }

  private static Poller unwrap(Poller poller) {
    return ((FaultyPoller) poller).inner;
  }

  private final class FaultyPoller implements Poller {
    final Poller inner;

    FaultyPoller(Poller inner) {
      this.inner = inner;
    }

    @Override
    public void confineTo(Thread thread) {
      inner.confineTo(thread);
    }

    @Override
    public void await(long timeoutNanos) throws IOException {
      faults.at("poll");
      inner.await(timeoutNanos);
    }

    @Override
    public void notifyReady() {
      inner.notifyReady();
      faults.at("polled");
    }

    @Override
    public void wakeUp() {
      faults.at("wakeUp");
      inner.wakeUp();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }

  private final class FaultyListener implements Listener {
    private final Listener inner;

    FaultyListener(Listener inner) {
      this.inner = inner;
    }

    @Override
    public void attach(Poller poller, ReadyHandler handler) throws IOException {
      inner.attach(unwrap(poller), handler);
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
      faults.at("accept");
      StreamSocket accepted = inner.accept();
      return accepted == null ? null : new FaultySocket(accepted);
    }

    @Override
    public void listening(boolean on) {
      faults.at("listening");
      inner.listening(on);
    }

    @Override
    public long stopListening() {
      return inner.stopListening();
    }

    @Override
    public SocketAddress localAddress() {
      return inner.localAddress();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }

  private final class FaultySocket implements StreamSocket {
    private final StreamSocket inner;

    FaultySocket(StreamSocket inner) {
      this.inner = inner;
    }

    @Override
    public void attach(Poller poller, ReadyHandler handler) throws IOException {
      faults.at("attach");
      inner.attach(unwrap(poller), handler);
      faults.at("attached");
    }

    @Override
    public void interest(int ops) {
      faults.at("interest");
      inner.interest(ops);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      faults.at("read");
      int count = inner.read(target);
      faults.at("have read");
      return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      faults.at("write");
      int count = inner.write(source);
      faults.at("have written");
      return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      faults.at("write");
      long count = inner.write(sources, offset, length);
      faults.at("have written");
      return count;
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) throws IOException {
      faults.at("sendFile");
      return inner.sendFile(file, position, count);
    }

    @Override
    public void shutdownOutput() throws IOException {
      faults.at("shutdownOutput");
      inner.shutdownOutput();
    }

    @Override
    public void keepAddresses() {
      faults.at("keepAddresses");
      inner.keepAddresses();
    }

    @Override
    public SocketAddress localAddress() throws IOException {
      return inner.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() throws IOException {
      return inner.remoteAddress();
    }

    @Override
    public void reset() throws IOException {
      inner.reset();
      faults.at("reset");
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public void close() throws IOException {
      inner.close();
      faults.at("close");
    }
  }
}
