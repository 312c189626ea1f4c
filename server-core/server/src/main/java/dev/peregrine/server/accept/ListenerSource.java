package dev.peregrine.server.accept;

import dev.peregrine.server.config.EndpointSource;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.util.List;

/** Where the listening sockets of an endpoint come from, with the endpoint's options. Immutable. */
public interface ListenerSource extends EndpointSource {
  /** Returns the options that do not depend on the kind of the endpoint. */
  EndpointOptions options();

  /** Returns the same source with other options. */
  ListenerSource with(EndpointOptions other);

  /**
   * Opens the listening sockets, at least one.
   *
   * @param loops the number of event loops
   * @param opened receives each socket at once; the caller closes them if a later one fails
   */
  void open(Transport transport, int loops, List<Listener> opened) throws IOException;

  /** Takes over a listening socket that another process has opened for the same endpoint. */
  default Listener adopt(Transport transport, int descriptor) throws IOException {
    return transport.adopt(descriptor, null, options().backlog());
  }

  /** Returns a name that is the same in every process with this endpoint. */
  default String name() {
    return toString();
  }

  /** Returns true if each event loop has a socket of its own. */
  default boolean isPerLoop() {
    return false;
  }

  /**
   * Returns true if there is one socket, which its address identifies among those of the system.
   */
  default boolean isIdentifiedByAddress() {
    return false;
  }

  /** Returns true if the sockets exist before the server, and after it. */
  default boolean isInherited() {
    return false;
  }

  /** Closes what {@link #open} has opened before it failed. */
  static void close(List<Listener> opened, Throwable failure) {
    for (Listener listener : opened) {
      try {
        listener.close();
      } catch (IOException further) {
        failure.addSuppressed(further);
      }
    }
  }
}
