package dev.peregrine.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Descriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each test of a class on every transport: with a poller, a listener that is attached to it,
 * and a check that no descriptor is left. The test's thread is the loop's.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("transports")
abstract class OnEveryTransport {
  static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  static final int BACKLOG = 1024;
  private static final int PATIENCE_MILLIS = 120_000;
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);

  @Parameter Transport transport;

  final List<AutoCloseable> open = new ArrayList<>();
  private List<String> descriptorsBefore = List.of();
  int waits;
  Poller poller;
  Listener listener;
  Told listening;

  static Stream<Transport> transports() {
    String problem = EpollTransport.problem();
    return problem == null
        ? Stream.of(new NioTransport(), EpollTransport.open())
        : Stream.of(new NioTransport());
  }

  @BeforeEach
  void listen() throws IOException {
    new Socket().close(); // opens the descriptors that the JDK keeps
    descriptorsBefore = Descriptors.areVisible() ? Descriptors.ofTransports() : List.of();
    poller = transport.openPoller();
    listener = transport.listen(ANY_PORT, BACKLOG, false);
    listening = new Told();
    listener.attach(poller, listening);
  }

  @AfterEach
  void leavesNoDescriptors() throws Exception {
    for (AutoCloseable left : open) {
      left.close();
    }
    listener.close();
    poller.close();
    if (Descriptors.areVisible()) {
      assertThat(Descriptors.ofTransports()).isEqualTo(descriptorsBefore);
    }
  }

  Socket connect() throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.localAddress();
    Socket client = new Socket(address.getAddress(), address.getPort());
    client.setTcpNoDelay(true);
    client.setSoTimeout(PATIENCE_MILLIS);
    open.add(client);
    return client;
  }

  /** A connection that is attached and interested in reading. */
  Pair pair() throws IOException {
    Socket client = connect();
    StreamSocket socket = null;
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (socket == null && System.nanoTime() - end < 0) {
      socket = listener.accept();
    }
    Pair pair = new Pair(client, Objects.requireNonNull(socket));
    open.add(pair.socket);
    pair.socket.attach(poller, pair.told);
    pair.socket.interest(Ready.READ);
    return pair;
  }

  /** Waits once, then notifies. */
  void poll(long timeoutNanos) throws IOException {
    poller.await(timeoutNanos);
    waits++;
    poller.notifyReady();
  }

  /** Polls until the condition holds. */
  void until(BooleanSupplier condition) throws IOException {
    until(condition, TimeUnit.MILLISECONDS.toNanos(100));
  }

  void until(BooleanSupplier condition, long pollNanos) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("out of patience").isNegative();
      poll(pollNanos);
    }
  }

  /** Writes until the socket takes no more; returns how many bytes it has taken. */
  static long fill(StreamSocket socket) throws IOException {
    ByteBuffer source = ByteBuffer.allocateDirect(256 * 1024);
    long sent = 0;
    int refused = 0;
    while (refused < 3) {
      int n = socket.write(source.clear());
      sent += n;
      refused = n == 0 ? refused + 1 : 0;
    }
    return sent;
  }

  /** A connection: the test's end, and the transport's end with the calls of its handler. */
  static final class Pair {
    final Socket client;
    final StreamSocket socket;
    final Told told;
    Told.@Nullable Reaction react;

    Pair(Socket client, StreamSocket socket) {
      this.client = client;
      this.socket = socket;
      this.told =
          new Told(
              ops -> {
                if (react != null) {
                  react.on(ops);
                }
              });
    }
  }
}
