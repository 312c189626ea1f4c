/** An embeddable server of HTTP/1.1. */
@SuppressWarnings("module") // those that packages are exported to are built later
module dev.peregrine.server {
  requires java.management;
  requires static java.logging;
  requires transitive dev.peregrine.http;
  requires static org.jspecify;

  exports dev.peregrine.server;
  exports dev.peregrine.server.accept to
      dev.peregrine.epoll,
      dev.peregrine.testing;
  exports dev.peregrine.server.config;
  exports dev.peregrine.server.connection to
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.testing,
      dev.peregrine.websocket;
  exports dev.peregrine.server.exchange to
      dev.peregrine.http2;
  exports dev.peregrine.server.exchange.bytes to
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.exchange.message to
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.exchange.state to
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.websocket;
  exports dev.peregrine.server.exchange.text to
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.layer to
      dev.peregrine.proxyprotocol,
      dev.peregrine.tls;
  exports dev.peregrine.server.loop to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.proxyprotocol,
      dev.peregrine.testing,
      dev.peregrine.tls,
      dev.peregrine.websocket;
  exports dev.peregrine.server.loop.watch to
      dev.peregrine.observe;
  exports dev.peregrine.server.memory to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.tls,
      dev.peregrine.websocket;
  exports dev.peregrine.server.memory.lease to
      dev.peregrine.websocket;
  exports dev.peregrine.server.observe;
  exports dev.peregrine.server.pace to
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.start to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.testing,
      dev.peregrine.websocket;
  exports dev.peregrine.server.transport to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.proxyprotocol,
      dev.peregrine.testing,
      dev.peregrine.tls,
      dev.peregrine.websocket;
  exports dev.peregrine.server.transport.nio to
      dev.peregrine.epoll;
  exports dev.peregrine.server.tunnel to
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.turn to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.websocket;
  exports dev.peregrine.server.connection.facts to
      dev.peregrine.observe,
      dev.peregrine.testing;
}
