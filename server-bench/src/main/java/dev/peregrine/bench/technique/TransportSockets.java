package dev.peregrine.bench.technique;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Sockets of a transport of the server, whose poller notifies a handler of each. */
final class TransportSockets extends Sockets {
  private static final int BACKLOG = 128;

  private final Poller poller;
  private final Listener listener;
  private final List<StreamSocket> accepted = new ArrayList<>();
  private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);

  TransportSockets(Transport transport) throws IOException {
    poller = transport.openPoller();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    listener = transport.listen(any, BACKLOG, false);
  }

  @Override
  SocketAddress address() {
    return listener.localAddress();
  }

  @Override
  void accept() throws IOException {
    StreamSocket socket = Objects.requireNonNull(listener.accept());
    socket.attach(poller, new Reading(socket));
    socket.interest(Ready.READ);
    accepted.add(socket);
  }

  @Override
  void readReady() throws IOException {
    poller.await(0);
    poller.notifyReady();
  }

  @Override
  void closeServer() throws IOException {
    for (StreamSocket socket : accepted) {
      socket.close();
    }
    listener.close();
    poller.close();
  }

  private final class Reading implements ReadyHandler {
    private final StreamSocket socket;

    Reading(StreamSocket socket) {
      this.socket = socket;
    }

    @Override
    public void onReady(int ops) {
      try {
        if (socket.read(in.clear()) > 0) {
          note(in.get(0));
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    @Override
    public void onFailure(Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
