package dev.peregrine.bench.compare.server;

/**
 * A server that answers {@code GET /plaintext} with {@link #HELLO} as {@code text/plain}, {@code
 * GET /json} with a {@link Message} as {@code application/json}, and {@code POST /echo} with the
 * content it was sent; all with a Date and a Content-Length. One event loop, or whatever its kind
 * of server has instead, and otherwise what its makers recommend for speed; each says what that is.
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
