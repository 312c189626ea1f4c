/** WebSockets for the server. */
module dev.peregrine.websocket {
  requires transitive dev.peregrine.server;
  requires static org.jspecify;

  exports dev.peregrine.server.websocket;
}
