package dev.peregrine.testing;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A socket that delivers and takes bytes by a test's script. Used by the thread of the loop that
 * its connection belongs to: see {@link ScriptedLoop}.
 */
public final class ScriptedSocket implements StreamSocket {
  /** The operations that can fail. */
  public enum Operation {
    ATTACH,
    INTEREST,
    READ,
    WRITE,
    SHUTDOWN_OUTPUT,
    RESET,
    CLOSE
  }

  private static final int TURNS_MAX = 1_000_000;
  private static final int IDLE_TURNS_MAX = 100;

  private final ArrayDeque<byte[]> incoming = new ArrayDeque<>(); // an empty one is the end
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Set<Operation> failing = EnumSet.noneOf(Operation.class);
  private IntSupplier capacity = () -> Integer.MAX_VALUE;
  private @Nullable ReadyHandler handler;
  private int interest;
  private int writes;
  private LongSupplier unacknowledged = () -> UNKNOWN;
  private long handshakeNanos = Long.MAX_VALUE;
  private boolean outputShutDown;
  private boolean reset;
  private boolean open = true;

  // ---- the script ----

  /** The peer sends bytes; one read brings no more than those of one call. */
  public ScriptedSocket receive(byte[] bytes) {
    if (bytes.length > 0) {
      incoming.add(bytes);
    }
    return this;
  }

  public ScriptedSocket receive(String latin1) {
    return receive(Requests.bytes(latin1));
  }

  /** The peer sends the end of its stream. */
  public ScriptedSocket receiveEnd() {
    incoming.add(new byte[0]);
    return this;
  }

  /** Sets how many bytes each write takes from now on. */
  public ScriptedSocket takePerWrite(IntSupplier bytes) {
    capacity = bytes;
    return this;
  }

  /** Sets how many bytes the peer hasn't acknowledged, from now on. */
  public ScriptedSocket unacknowledged(LongSupplier bytes) {
    unacknowledged = bytes;
    return this;
  }

  /** Has a handshake under way, which is complete once anything is read. */
  public ScriptedSocket handshakeUntilReceived(long nanosMax) {
    handshakeNanos = nanosMax;
    return this;
  }

  /** Makes an operation fail from now on. */
  public ScriptedSocket fail(Operation operation) {
    failing.add(operation);
    return this;
  }

  /** Notifies the handler that the socket is ready for an operation of interest. */
  public boolean ready(int op) {
    if (!open || handler == null || (interest & op) == 0) {
      return false;
    }
    try {
      handler.onReady(op);
    } catch (Throwable failure) {
      handler.onFailure(failure);
    }
    return true;
  }

  /** Notifies the handler until it has read all bytes and written all it can. */
  public void serve() {
    int idle = 0;
    for (int turn = 0; turn < TURNS_MAX; turn++) {
      int before = written.size();
      boolean reads = !incoming.isEmpty() && ready(Ready.READ);
      boolean writes = ready(Ready.WRITE);
      if (!reads && !writes) {
        return;
      }
      idle = reads || written.size() > before ? 0 : idle + 1;
      if (idle == IDLE_TURNS_MAX) {
        return; // the socket takes no more
      }
    }
    throw new AssertionError("the connection doesn't come to rest");
  }

  // ---- results ----

  public byte[] written() {
    return written.toByteArray();
  }

  public String text() {
    return written.toString(StandardCharsets.ISO_8859_1);
  }

  public int writes() {
    return writes;
  }

  public int interest() {
    return interest;
  }

  public boolean isOutputShutDown() {
    return outputShutDown;
  }

  public boolean wasReset() {
    return reset;
  }

  // ---- the socket ----

  @Override
  public boolean isOverdue(long nanos) {
    return nanos >= handshakeNanos;
  }

  @Override
  public void expire(long nanos) throws IOException {
    if (isOverdue(nanos)) {
      throw new IOException("scripted: the handshake is late");
    }
  }

  @Override
  public void attach(Poller poller, ReadyHandler told) throws IOException {
    failIf(Operation.ATTACH);
    handler = told;
  }

  @Override
  public void interest(int ops) {
    if (failing.contains(Operation.INTEREST)) {
      throw new IllegalStateException("scripted: interest");
    }
    interest = ops;
  }

  @Override
  public boolean isWriteForgotten(boolean waits) {
    return waits && (interest & Ready.WRITE) == 0;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    failIf(Operation.READ);
    byte[] bytes = incoming.poll();
    if (bytes == null) {
      return 0;
    }
    if (bytes.length == 0) {
      incoming.addFirst(bytes);
      return -1;
    }
    handshakeNanos = Long.MAX_VALUE;
    int part = Math.min(bytes.length, target.remaining());
    target.put(bytes, 0, part);
    if (part < bytes.length) {
      incoming.addFirst(Arrays.copyOfRange(bytes, part, bytes.length));
    }
    return part;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    failIf(Operation.WRITE);
    writes++;
    long most = capacity.getAsInt();
    long left = most;
    for (int i = offset; i < offset + length && left > 0; i++) {
      byte[] bytes = new byte[(int) Math.min(left, sources[i].remaining())];
      sources[i].get(bytes);
      written.writeBytes(bytes);
      left -= bytes.length;
    }
    return most - left;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public void shutdownOutput() throws IOException {
    failIf(Operation.SHUTDOWN_OUTPUT);
    outputShutDown = true;
  }

  @Override
  public long unacknowledgedBytes() {
    return unacknowledged.getAsLong();
  }

  @Override
  public SocketAddress localAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
  }

  @Override
  public SocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 12345);
  }

  @Override
  public void reset() throws IOException {
    failIf(Operation.RESET);
    reset = true;
    open = false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
    failIf(Operation.CLOSE);
  }

  private void failIf(Operation operation) throws IOException {
    if (failing.contains(operation)) {
      throw new IOException("scripted: " + operation);
    }
  }
}
