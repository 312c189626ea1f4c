package dev.peregrine.server.layer;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket around another one, for a layer of an endpoint. It passes everything on unless a
 * subclass overrides it. Files are sent through {@link #write}, so that a subclass which changes
 * the bytes sees all of them.
 *
 * <p>A layer may take more from the socket under it than its reader wants at a time. The socket is
 * not ready again for bytes that have left it. A subclass that holds such bytes returns true from
 * {@link #holdsInput}. As long as it does, a handler that is interested in reading is notified in
 * further turns.
 */
public abstract class LayeredSocket implements StreamSocket, ReadyHandler {
  /** The socket under this one; another one if the loop changes its transport. */
  protected StreamSocket inner;

  /** The loop that it belongs to. */
  protected final EventLoop loop;

  private final LoopTask delivery = new Delivery();
  private @Nullable ReadyHandler handler; // null until attached
  private byte interest;
  private byte innerInterest;
  private boolean delivers; // the delivery is in the loop's queue

  protected LayeredSocket(StreamSocket inner, EventLoop loop) {
    this.inner = inner;
    this.loop = loop;
  }

  // ---- methods that a subclass may override, beside the properties ----

  /** Reads as {@link #read} does. */
  protected int receive(ByteBuffer target) throws IOException {
    return inner.read(target);
  }

  /** Returns true if {@link #receive} would return bytes though nothing arrives. */
  protected boolean holdsInput() {
    return false;
  }

  /** Returns what this layer waits for of the socket under it, while its handler waits for that. */
  protected int innerInterest(int ops) {
    return ops;
  }

  /** Tells the socket under this one what is waited for now, if that has changed. */
  protected final void updateInterest() {
    int wanted = innerInterest(interest);
    if (wanted != innerInterest) {
      innerInterest = (byte) wanted;
      inner.interest(wanted);
    }
  }

  @Override
  public void onReady(int ops) {
    handler().onReady(ops);
    deliverHeld();
  }

  @Override
  public void endNotification() {
    if (isOpen()) {
      updateInterest();
    }
    deliverHeld();
    inner.endNotification();
  }

  @Override
  public void onOpened(long nanos) {
    handler().onOpened(nanos);
  }

  @Override
  public void onMoved(StreamSocket next) {
    inner = next;
    innerInterest = 0;
    updateInterest();
  }

  @Override
  public void onFailure(Throwable failure) {
    handler().onFailure(failure);
  }

  @Override
  public boolean isWriteForgotten(boolean waits) {
    int wanted = innerInterest(waits ? Ready.WRITE : 0);
    return inner.isWriteForgotten((wanted & Ready.WRITE) != 0);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return inner.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return inner.write(sources, offset, length);
  }

  // ---- the handler's side ----

  @Override
  public final void attach(Poller poller, ReadyHandler reader) throws IOException {
    handler = reader;
    inner.attach(poller, this);
  }

  @Override
  public final void interest(int ops) {
    interest = (byte) ops;
    updateInterest();
    deliverHeld();
  }

  @Override
  public final int read(ByteBuffer target) throws IOException {
    int count = receive(target);
    deliverHeld();
    return count;
  }

  private ReadyHandler handler() {
    return Objects.requireNonNull(handler);
  }

  /** Notifies the handler of held bytes in another turn, if it is interested in reading. */
  protected final void deliverHeld() {
    if (!delivers && isDeliverable()) {
      delivers = true;
      loop.execute(delivery);
    }
  }

  private boolean isDeliverable() {
    return (interest & Ready.READ) != 0 && holdsInput() && isOpen();
  }

  private void deliver() {
    delivers = false;
    if (!isDeliverable()) {
      return;
    }
    try {
      handler().onReady(Ready.READ);
      deliverHeld();
    } catch (Throwable failure) {
      handler().onFailure(failure);
    }
  }

  /** The turn in which a handler reads held bytes. */
  private final class Delivery extends LoopTask {
    @Override
    protected void run() {
      deliver();
    }
  }

  // ---- the rest, passed on ----

  @Override
  public void shutdownOutput() throws IOException {
    inner.shutdownOutput();
  }

  @Override
  public long acknowledgedBytes() {
    return inner.acknowledgedBytes();
  }

  @Override
  public long unacknowledgedBytes() {
    return inner.unacknowledgedBytes();
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
  public SocketAddress peerAddress() throws IOException {
    return inner.peerAddress();
  }

  @Override
  public @Nullable ProxyInfo proxy() {
    return inner.proxy();
  }

  @Override
  public void keepAddresses() {
    inner.keepAddresses();
  }

  @Override
  public @Nullable TlsInfo tls() {
    return inner.tls();
  }

  @Override
  public boolean isOpening() {
    return inner.isOpening();
  }

  @Override
  public boolean isOverdue(long nanos) {
    return inner.isOverdue(nanos);
  }

  @Override
  public void expire(long nanos) throws IOException {
    inner.expire(nanos);
  }

  @Override
  public boolean isSecure() {
    return inner.isSecure();
  }

  @Override
  public boolean restrictsHosts() {
    return inner.restrictsHosts();
  }

  @Override
  public boolean servesHost(@Nullable String host) {
    return inner.servesHost(host);
  }

  @Override
  public void reset() throws IOException {
    inner.reset();
  }

  @Override
  public boolean isOpen() {
    return inner.isOpen();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
