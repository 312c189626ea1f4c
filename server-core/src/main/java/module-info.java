/** An embeddable HTTP/1.1 and HTTP/2 server. */
module dev.peregrine.server {
  requires java.management;
  requires transitive dev.peregrine.parser;
  requires static java.logging;
  requires static jdk.jfr;
  requires static org.jspecify;

  exports dev.peregrine.http;
  exports dev.peregrine.http.coding;
  exports dev.peregrine.http.files;
  exports dev.peregrine.http.filter;
  exports dev.peregrine.http.host;
  exports dev.peregrine.http.lines;
  exports dev.peregrine.http.multipart;
  exports dev.peregrine.http.route;
  exports dev.peregrine.http.websocket;
  exports dev.peregrine.proxy;
  exports dev.peregrine.server;
  exports dev.peregrine.server.accesslog;
  exports dev.peregrine.server.config;
  exports dev.peregrine.server.metrics;
  exports dev.peregrine.server.observe;
  exports dev.peregrine.server.testing;
  exports dev.peregrine.tls;
}
