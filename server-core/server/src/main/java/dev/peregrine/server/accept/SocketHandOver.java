package dev.peregrine.server.accept;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Options for the hand-over of listening sockets between two processes. Immutable. */
public interface SocketHandOver {
  /**
   * Takes the sockets of the process before this one, if there is one.
   *
   * @param threadName the name of a thread that waits for the next process
   * @throws IOException if that process keeps them, or has sockets for other endpoints
   */
  Session begin(String threadName, List<ListenerSource> endpoints) throws IOException;

  /** Returns where the processes meet, for messages. */
  @Override
  String toString();

  /** The hand-over of one server. */
  interface Session {
    /**
     * Opens the listening sockets of an endpoint, at least one: takes them over, or has the
     * endpoint open them. If that fails, none is open.
     *
     * @param index the place of the endpoint among those of the server
     */
    List<Listener> open(int index, ListenerSource endpoint, Transport transport, int loops)
        throws IOException;

    /**
     * Completes the hand-over from the process before this one, and begins to wait for the next.
     * Called once the server accepts connections. If it fails, the server is shut down.
     *
     * @param shutdown ends the server in order, within the given time
     * @throws IOException if the process before this one keeps its sockets, or the next one can't
     *     be waited for
     */
    void complete(List<Acceptor> acceptors, Consumer<Duration> shutdown) throws IOException;

    /**
     * Ends the hand-over before the server ends. If another process has the sockets, it keeps them.
     * Called on any thread, repeatedly.
     */
    void end();

    /** Releases everything, because the server couldn't be started. */
    void abandon();
  }
}
