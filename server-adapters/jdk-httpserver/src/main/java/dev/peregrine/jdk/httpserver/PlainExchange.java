package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** An exchange of a connection without TLS. Used by one thread at a time. */
final class PlainExchange extends HttpExchange {
  private final ExchangeCore core;

  PlainExchange(ExchangeCore core) {
    this.core = core;
  }

  @Override
  public Headers getRequestHeaders() {
    return core.requestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return core.responseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return core.uri();
  }

  @Override
  public String getRequestMethod() {
    return core.method();
  }

  @Override
  public HttpContext getHttpContext() {
    return core.context();
  }

  @Override
  public void close() {
    core.close();
  }

  @Override
  public InputStream getRequestBody() {
    return core.requestBody();
  }

  @Override
  public OutputStream getResponseBody() {
    return core.responseBody();
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    core.sendResponseHeaders(status, length);
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return core.remoteAddress();
  }

  @Override
  public int getResponseCode() {
    return core.status();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return core.localAddress();
  }

  @Override
  public String getProtocol() {
    return core.protocol();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return core.attribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    core.setAttribute(name, value);
  }

  @Override
  public void setStreams(@Nullable InputStream input, @Nullable OutputStream output) {
    core.setStreams(input, output);
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return core.principal();
  }
}
