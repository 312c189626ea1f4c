/** HTTP/2 for the server. */
@SuppressWarnings("module") // the digit is the name of the protocol
module dev.peregrine.http2 {
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.http2;
}
