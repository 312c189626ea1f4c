/** Requests, responses, routes and WebSockets for the handlers of a server. */
@SuppressWarnings("module") // those that packages are exported to are built later
module dev.peregrine.http {
  requires transitive dev.peregrine.parser;
  requires static org.jspecify;

  exports dev.peregrine.base to
      dev.peregrine.epoll,
      dev.peregrine.http2,
      dev.peregrine.observe,
      dev.peregrine.proxyprotocol,
      dev.peregrine.server,
      dev.peregrine.testing,
      dev.peregrine.tls,
      dev.peregrine.web,
      dev.peregrine.websocket;
  exports dev.peregrine.http;
  exports dev.peregrine.http.arriving to
      dev.peregrine.server,
      dev.peregrine.web;
  exports dev.peregrine.http.context;
  exports dev.peregrine.http.events;
  exports dev.peregrine.http.host;
  exports dev.peregrine.http.path to
      dev.peregrine.server;
  exports dev.peregrine.http.route;
  exports dev.peregrine.http.websocket;
  exports dev.peregrine.proxy;
  exports dev.peregrine.tls;
}
