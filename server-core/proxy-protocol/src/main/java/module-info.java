/** The PROXY protocol in front of the server. */
module dev.peregrine.proxyprotocol {
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.proxy;
}
