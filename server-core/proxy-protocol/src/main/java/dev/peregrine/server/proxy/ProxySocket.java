package dev.peregrine.server.proxy;

import dev.peregrine.base.TimeText;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose first bytes are a header of the PROXY protocol. The header is taken out of the
 * memory that the reader offers, so the bytes after it stay there, and none has to be held.
 *
 * <pre>
 *   waiting ──complete header──▶ open
 *     │
 *     └──malformed, cut short, late──▶ failed   (an untrusted peer begins here)
 * </pre>
 *
 * While {@code waiting} is set, the reader gets no bytes. Once {@code failure} is set, every read
 * and write throws.
 */
final class ProxySocket extends LayeredSocket {
  private final ProxyLoop shared;
  private @Nullable HeaderReader waiting; // null once the header is complete, or has failed
  private @Nullable ProxyHeader header;
  private @Nullable LayerFailedException failure;

  ProxySocket(StreamSocket inner, ProxyLoop shared, boolean trusted) {
    super(inner, shared.loop);
    this.shared = shared;
    if (trusted) {
      waiting = new HeaderReader(shared.headerBytesMax);
    } else {
      failure = shared.untrusted(inner);
    }
  }

  // ---- the header ----

  @Override
  protected int receive(ByteBuffer target) throws IOException {
    checkNotFailed();
    int start = target.position();
    int count = inner.read(target);
    HeaderReader until = waiting;
    if (until == null || count == 0) {
      return count;
    }
    if (count < 0) {
      if (until.count() > 0) {
        throw fail("the stream ended after " + until.count() + " of its bytes");
      }
      waiting = null; // a connection that was only opened
      return count;
    }
    return take(until, target, start);
  }

  /** Takes the header out of the received bytes. Returns how many bytes are left for the reader. */
  private int take(HeaderReader until, ByteBuffer target, int start) throws IOException {
    ByteBuffer received = target.duplicate().limit(target.position()).position(start);
    target.position(start);
    try {
      header = until.read(received);
    } catch (ProxyHeaderException malformed) {
      throw fail(String.valueOf(malformed.getMessage()));
    }
    if (header == null) {
      return 0;
    }
    waiting = null;
    int left = received.remaining();
    target.put(start, received, received.position(), left).position(start + left);
    return left;
  }

  @Override
  public boolean isOverdue(long nanos) {
    return (waiting != null && nanos >= shared.headerNanos) || inner.isOverdue(nanos);
  }

  @Override
  public void expire(long nanos) throws IOException {
    inner.expire(nanos);
    HeaderReader late = waiting;
    if (late != null && nanos >= shared.headerNanos) {
      throw fail(
          "not complete within "
              + TimeText.of(Duration.ofNanos(shared.headerNanos))
              + " (proxyHeaderTime), "
              + late.count()
              + " bytes in all");
    }
  }

  private LayerFailedException fail(String why) {
    LayerFailedException thrown = shared.invalid(inner, why);
    failure = thrown;
    waiting = null;
    return thrown;
  }

  private void checkNotFailed() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns true if the next read throws, so that the handler reads even if nothing arrives. */
  @Override
  protected boolean holdsInput() {
    return failure != null;
  }

  @Override
  public boolean isOpening() {
    HeaderReader until = waiting;
    return (until != null && until.count() > 0) || inner.isOpening();
  }

  // ---- output ----

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkNotFailed();
    return inner.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    checkNotFailed();
    return inner.write(sources, offset, length);
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    checkNotFailed();
    return inner.sendFile(file, position, count);
  }

  // ---- properties ----

  @Override
  public SocketAddress remoteAddress() throws IOException {
    SocketAddress reported = header == null ? null : header.remote();
    return reported == null ? inner.remoteAddress() : reported;
  }

  @Override
  public SocketAddress localAddress() throws IOException {
    SocketAddress reported = header == null ? null : header.local();
    return reported == null ? inner.localAddress() : reported;
  }

  @Override
  public SocketAddress peerAddress() throws IOException {
    return inner.remoteAddress();
  }

  @Override
  public @Nullable ProxyInfo proxy() {
    return header == null ? null : header.info();
  }

  @Override
  public boolean isSecure() {
    return (header != null && header.info().isTls()) || inner.isSecure();
  }
}
