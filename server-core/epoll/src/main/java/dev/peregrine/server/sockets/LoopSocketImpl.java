package dev.peregrine.server.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Cleaner.Cleanable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A socket of a client by calls that don't wait; {@link Wire} waits. Behaves like that of the JDK.
 * Thread-safe.
 */
final class LoopSocketImpl extends SocketImpl {
  private static final Cleaner CLEANER = Cleaner.create();

  private volatile @Nullable Created created;
  private volatile boolean connected;
  private boolean connecting; // guarded by the lock of the input

  /** The parts of a socket that has been created. */
  private record Created(Wire wire, LoopInput input, LoopOutput output, Cleanable closing) {}

  // ---- the life of the socket ----

  @Override
  protected void create(boolean stream) throws IOException {
    if (!stream) {
      throw new IOException("Datagram socket creation not supported");
    }
    if (created != null) { // the Socket creates once
      throw new IOException("Already created");
    }
    Wire wire = new Wire(open(Loops.forNewSocket()));
    try {
      created =
          new Created(
              wire, new LoopInput(wire), new LoopOutput(wire), CLEANER.register(this, wire));
    } catch (Throwable noMemory) {
      wire.close();
      throw noMemory;
    }
  }

  @SuppressWarnings("ReferenceEquality") // there are two
  private static ClientSocket open(Loops loops) throws IOException {
    return loops == Loops.EPOLL ? SystemSocket.open() : ChannelSocket.open();
  }

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(InetAddress address, int port) throws IOException {
    connect(new InetSocketAddress(address, port), 0);
  }

  @Override
  protected void connect(SocketAddress remote, int millis) throws IOException {
    if (!(remote instanceof InetSocketAddress target)) {
      throw new IOException("Unsupported address type");
    }
    if (target.isUnresolved()) {
      throw new UnknownHostException(target.getHostString());
    }
    if (target.getAddress().isAnyLocalAddress()) {
      target = new InetSocketAddress(InetAddress.getLocalHost(), target.getPort());
    }
    LoopInput input = created().input;
    input.lock.lock();
    try {
      connectLocked(target, millis);
    } catch (SocketTimeoutException late) {
      close();
      throw late;
    } catch (InterruptedIOException interrupted) {
      close();
      throw new SocketException("Closed by interrupt");
    } catch (IOException failure) {
      close();
      throw failure;
    } finally {
      input.lock.unlock();
    }
  }

  private void connectLocked(InetSocketAddress target, int millis) throws IOException {
    if (connecting) {
      throw new SocketException("Already connected");
    }
    long deadline = Readiness.deadline(millis);
    Wire wire = enter();
    try {
      connecting = true;
      address = target.getAddress();
      port = target.getPort();
      while (!call(wire, target)) {
        wire.await(wire.writing, deadline, "Connect timed out");
      }
      localport = wire.socket.localAddress().getPort();
      connected = true;
    } finally {
      wire.leave();
    }
  }

  /** Begins to connect, or finds out what has come of it. */
  private static boolean call(Wire wire, InetSocketAddress target) throws IOException {
    wire.writing.clear();
    wire.requireOpen();
    try {
      return wire.socket.connect(target);
    } finally {
      wire.requireOpen();
    }
  }

  @Override
  protected void bind(InetAddress host, int localPort) throws IOException {
    Wire wire = enter();
    try {
      wire.socket.bind(new InetSocketAddress(host, localPort));
      address = host;
      localport = wire.socket.localAddress().getPort();
    } finally {
      wire.leave();
    }
  }

  @Override
  protected void listen(int backlog) throws IOException {
    throw new SocketException("a socket of a client");
  }

  @Override
  protected void accept(SocketImpl accepted) throws IOException {
    throw new SocketException("a socket of a client");
  }

  @Override
  protected void close() {
    Created closing = created;
    if (closing != null) {
      closing.closing.clean();
      closing.wire.awaitLinger();
    }
  }

  // ---- bytes ----

  @Override
  protected InputStream getInputStream() throws IOException {
    return connected().input;
  }

  @Override
  protected OutputStream getOutputStream() throws IOException {
    return connected().output;
  }

  @Override
  protected int available() throws IOException {
    return connected().input.available();
  }

  @Override
  protected void shutdownInput() throws IOException {
    connected().input.shutDown();
  }

  @Override
  protected void shutdownOutput() throws IOException {
    connected().output.shutDown();
  }

  @Override
  protected void sendUrgentData(int data) throws IOException {
    throw new SocketException("Urgent data not supported");
  }

  // ---- options ----

  @Override
  protected Set<SocketOption<?>> supportedOptions() {
    return IntOption.standard();
  }

  @Override
  protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
    set(IntOption.of(name), value);
  }

  @Override
  @SuppressWarnings("unchecked") // the option has the value's class
  protected <T> T getOption(SocketOption<T> name) throws IOException {
    return (T) get(IntOption.of(name));
  }

  @Override
  public void setOption(int number, Object value) throws SocketException {
    if (number != SocketOptions.SO_TIMEOUT) {
      set(IntOption.of(number), value);
    } else if (value instanceof Integer millis) {
      created().input.timeoutMillis(millis);
    } else {
      throw new SocketException("Bad value for SO_TIMEOUT");
    }
  }

  @Override
  public Object getOption(int number) throws SocketException {
    if (number == SocketOptions.SO_TIMEOUT) {
      return created().input.timeoutMillis();
    }
    if (number == SocketOptions.SO_BINDADDR) {
      return boundAddress();
    }
    IntOption option = IntOption.of(number);
    Object value = get(option);
    if (option == IntOption.LINGER && value.equals(-1)) {
      return false;
    }
    return value;
  }

  private InetAddress boundAddress() throws SocketException {
    Wire wire = enter();
    try {
      return wire.socket.localAddress().getAddress();
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    } finally {
      wire.leave();
    }
  }

  private void set(IntOption option, @Nullable Object value) throws SocketException {
    Wire wire = enter();
    try {
      int number = option.toInt(value);
      wire.socket.set(option, number);
      if (option == IntOption.LINGER) {
        wire.lingers = number > 0;
      }
    } finally {
      wire.leave();
    }
  }

  private Object get(IntOption option) throws SocketException {
    Wire wire = enter();
    try {
      return wire.socket.get(option);
    } finally {
      wire.leave();
    }
  }

  // ---- helpers ----

  private Created created() throws SocketException {
    Created present = created;
    if (present == null) {
      throw new SocketException("Socket not created");
    }
    return present;
  }

  private Created connected() throws SocketException {
    if (!connected) {
      throw new SocketException("Not connected");
    }
    return created();
  }

  /** Returns the open socket, which the caller must leave. */
  private Wire enter() throws SocketException {
    Wire wire = created().wire;
    wire.require();
    return wire;
  }
}
