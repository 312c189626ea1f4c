/** All of Peregrine in one module. */
module dev.peregrine {
  requires transitive dev.peregrine.http2;
  requires transitive dev.peregrine.websocket;
  requires transitive dev.peregrine.tls;
  requires transitive dev.peregrine.epoll;
  requires transitive dev.peregrine.proxyprotocol;
  requires transitive dev.peregrine.observe;
  requires transitive dev.peregrine.web;
  requires transitive dev.peregrine.testing;
  requires static org.jspecify;

  exports dev.peregrine;
}
