package dev.peregrine.bench.compare.server;

/**
 * A server that answers {@code GET /plaintext} with {@link #HELLO} as {@code text/plain}, {@code
 * GET /json} with a {@link Message} as {@code application/json}, and {@code POST /echo} with the
 * request's content; all with a Date and a Content-Length. It has one event loop, or the equivalent
 * of its kind of server, and otherwise the settings that its makers recommend for speed; each class
 * documents them.
 */
interface ComparedServer {
  String HOST = "127.0.0.1";
  String HELLO = "Hello, World!";
  int BACKLOG = 1024;
  int CONTENT_BYTES_MAX = 1024 * 1024;

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
