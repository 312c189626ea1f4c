/**
 * Parses HTTP/1.1 request heads and chunked bodies, HTTP/2 field blocks and WebSocket frames, and
 * finds the delimiters of multipart content, without I/O, threads or garbage.
 */
module dev.peregrine.parser {
  requires static jdk.incubator.vector;
  requires static transitive org.jspecify;

  exports dev.peregrine.parser;
  exports dev.peregrine.parser.body;
  exports dev.peregrine.parser.hpack;
  exports dev.peregrine.parser.multipart;
  exports dev.peregrine.parser.websocket;
  exports dev.peregrine.protocol;
}
