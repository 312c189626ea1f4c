package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.StreamSocket;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the descriptors of this process's TCP sockets by their addresses: {@code java.nio} hides
 * them. A connection is the only one with its pair of addresses.
 */
final class EpollAdoption implements Adoption {
  private static final File DESCRIPTORS = new File("/proc/self/fd");

  // By the local and the remote address of a connection, or the address of a listening socket: not
  // by a record, whose first use takes milliseconds.
  private final Map<List<SocketAddress>, Integer> descriptors = new HashMap<>();

  EpollAdoption() throws IOException {
    String[] names = DESCRIPTORS.list();
    if (names == null) {
      throw new IOException(DESCRIPTORS + " can't be read");
    }
    Kernel kernel = new Kernel();
    for (String name : names) {
      add(kernel, Integer.parseInt(name));
    }
  }

  private void add(Kernel kernel, int fd) {
    InetSocketAddress local = SocketAddresses.nameOf(kernel, fd);
    if (local == null || !ListeningSocket.isStream(kernel, fd)) {
      return; // not a socket of TCP
    }
    InetSocketAddress remote = SocketAddresses.peerOf(kernel, fd);
    if (remote != null) {
      descriptors.put(List.of(local, remote), fd);
    } else if (ListeningSocket.isListening(kernel, fd)) {
      descriptors.put(List.of(local), fd);
    }
  }

  @Override
  public StreamSocket socket(SocketAddress local, SocketAddress remote) throws IOException {
    return new EpollSocket(duplicate(List.of(local, remote)), remote, local);
  }

  @Override
  public Listener listener(SocketAddress local) throws IOException {
    return EpollListener.ofListening(duplicate(List.of(local)), local);
  }

  private int duplicate(List<SocketAddress> ends) throws IOException {
    Integer fd = descriptors.get(ends);
    if (fd == null) {
      throw new IOException("no TCP socket of this process has the addresses " + ends);
    }
    return ListeningSocket.duplicate(fd);
  }
}
