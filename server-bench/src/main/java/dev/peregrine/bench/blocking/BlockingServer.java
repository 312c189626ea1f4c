package dev.peregrine.bench.blocking;

/**
 * A server that answers each path of {@link Work} with its result as {@code text/plain}, with a
 * Date and a Content-Length. It has one event loop, or the equivalent of its kind of server, and
 * its defaults otherwise; each class names the exceptions.
 */
interface BlockingServer {
  String HOST = "127.0.0.1";
  String TEXT = "text/plain";
  int BACKLOG = 4096;

  /**
   * Listens on {@link #HOST}. Called once.
   *
   * @param port 0 for a free one
   * @return the port
   */
  int start(int port) throws Exception;

  /** Stops listening and closes all connections. */
  void close() throws Exception;
}
