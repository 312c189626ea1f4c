package dev.peregrine.server.accept;

import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.layer.ApplicationProtocols;
import dev.peregrine.server.loop.EventLoop;
import java.util.List;

/** HTTP with the server's handler, in the versions that an endpoint speaks. */
public enum HttpChoice implements ProtocolChoice {
  /** HTTP/1 and HTTP/2. */
  ALL("HTTP/1.1 and HTTP/2"),

  /** HTTP/1 alone. */
  HTTP_1("HTTP/1.1"),

  /** HTTP/2 alone. */
  HTTP_2("HTTP/2");

  private final String text;

  HttpChoice(String text) {
    this.text = text;
  }

  @Override
  public Protocol on(EventLoop loop, Protocol http) {
    if (this == HTTP_1) {
      return ((Http1) http).alone();
    }
    return this == HTTP_2 ? ((Http1) http).doorOnly() : http;
  }

  @Override
  public List<String> spoken(List<String> offered) {
    if (this == HTTP_1) {
      return offered.stream().filter(name -> !name.equals(ApplicationProtocols.HTTP_2)).toList();
    }
    if (this == ALL) {
      return offered;
    }
    if (!offered.contains(ApplicationProtocols.HTTP_2)) {
      throw new IllegalArgumentException(
          "an endpoint speaks only HTTP/2, but its TLS was built with http2(false)");
    }
    return List.of(ApplicationProtocols.HTTP_2);
  }

  @Override
  public String toString() {
    return text;
  }
}
